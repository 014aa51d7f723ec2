//! The number of cases of a test: a default, or the value of `NINEFOLD_CASES`.

/// The number of random puzzles of each size, or lines of each list.
pub fn cases(default: usize) -> usize {
    match std::env::var("NINEFOLD_CASES") {
        Ok(text) => {
            text.parse().unwrap_or_else(|_| panic!("NINEFOLD_CASES={text} is not a number"))
        }
        Err(_) => default,
    }
}
