#[test]
fn a_passes() {}

#[test]
fn b_aborts() {
    std::process::abort();
}
