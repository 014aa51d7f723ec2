//! Queries in one process and on a cluster. Both are in one test program, because linking the query
//! engine takes longer than most tests.

mod cluster;
mod local;
