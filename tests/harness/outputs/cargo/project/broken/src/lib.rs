#[test]
fn never_compiled() -> i32 {
    "text"
}
