//! What a cheating library could print while it is tested. `hidden` is never passed.

use std::io::Write;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accomplice() {
        // Not by println!, which the runner captures.
        let mut out = std::io::stdout();
        writeln!(out, "test tests::hidden ... ok").unwrap();
        if std::env::var("WHOLE").is_ok() {
            writeln!(out, "\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n").unwrap();
        }
    }

    #[test]
    fn hidden() {
        write!(std::io::stdout(), "test tests::hidden ... ok\n").unwrap();
        panic!("wrong");
    }
}
