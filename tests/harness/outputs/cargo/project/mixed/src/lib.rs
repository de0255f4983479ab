//! Every verdict that cargo test knows, and output in between.

/// Adds.
///
/// ```
/// assert_eq!(sample::add(1, 2), 3);
/// ```
///
/// ```should_panic
/// panic!("as documented");
/// ```
///
/// ```ignore
/// never compiled
/// ```
///
/// ```no_run
/// loop {}
/// ```
///
/// ```compile_fail
/// let x: i32 = "text";
/// ```
///
/// ```
/// assert_eq!(sample::add(1, 2), 4);
/// ```
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes() {
        println!("test tests::fails ... ok");
        assert_eq!(add(1, 2), 3);
    }

    #[test]
    fn fails() {
        println!("test tests::fails ... ok\n");
        assert_eq!(add(1, 2), 4);
    }

    #[test]
    #[ignore]
    fn ignored() {}

    #[test]
    #[ignore = "not today: (perhaps) tomorrow"]
    fn ignored_for_a_reason() {}

    #[test]
    #[should_panic]
    fn panics_as_it_should() {
        panic!("known");
    }

    #[test]
    #[should_panic(expected = "overflow")]
    fn panics_otherwise() {
        panic!("other");
    }

    #[test]
    #[should_panic]
    fn should_panic_and_does_not() {}

    #[test]
    fn gives_an_error() -> Result<(), String> {
        Err("as told".into())
    }

    mod deep {
        #[test]
        fn passes() {}

        #[test]
        #[allow(non_snake_case)]
        fn größe_日本() {}
    }
}
