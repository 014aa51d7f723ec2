//! Words in colour for a terminal: a stand-in for the crate `colored`.
//!
//! The tensor library prints one report with these four words. The crate it asks for is under the MPL, which is not
//! among the licences we ship with, so the workspace puts this one in its place.
#![forbid(unsafe_code)]

/// Text that can be dressed for a terminal.
pub trait Colorize {
    /// In bold.
    fn bold(self) -> String;
    /// In green.
    fn green(self) -> String;
    /// In yellow.
    fn yellow(self) -> String;
    /// In red.
    fn red(self) -> String;
}

impl Colorize for &str {
    fn bold(self) -> String {
        dressed(self, 1)
    }

    fn green(self) -> String {
        dressed(self, 32)
    }

    fn yellow(self) -> String {
        dressed(self, 33)
    }

    fn red(self) -> String {
        dressed(self, 31)
    }
}

/// Someone who asks for no colours (`NO_COLOR`) gets none.
fn dressed(text: &str, code: u8) -> String {
    match std::env::var_os("NO_COLOR") {
        Some(_) => text.to_string(),
        None => format!("\x1b[{code}m{text}\x1b[0m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_has_its_own_code_and_ends_it() {
        let words = ["x".bold(), "x".green(), "x".yellow(), "x".red()];
        let expected = match std::env::var_os("NO_COLOR") {
            Some(_) => ["x"; 4],
            None => ["\x1b[1mx\x1b[0m", "\x1b[32mx\x1b[0m", "\x1b[33mx\x1b[0m", "\x1b[31mx\x1b[0m"],
        };
        assert_eq!(words, expected);
    }
}
