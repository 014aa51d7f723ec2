//! Browser tests of the page; they are in `tests/browser`.
