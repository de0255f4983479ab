#[test]
fn passes() {
    eprint!("half a line");
}
