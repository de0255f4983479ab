#[test]
fn passes() {}
