//! Plays on the page in a real browser; the player and everything they do is in `tests/browser`.
