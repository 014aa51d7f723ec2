//! Queries in one process and on a cluster. Both are in one test program, because linking the query
//! engine takes longer than most tests.

#[cfg(feature = "cluster")]
mod cluster;
mod local;
