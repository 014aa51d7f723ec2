//! How much a test does: its own default, or what `NINEFOLD_CASES` asks for.

/// How many random puzzles of each size, or lines of each list, a test takes.
pub fn cases(default: usize) -> usize {
    match std::env::var("NINEFOLD_CASES") {
        Ok(text) => {
            text.parse().unwrap_or_else(|_| panic!("NINEFOLD_CASES={text} is not a number"))
        }
        Err(_) => default,
    }
}
