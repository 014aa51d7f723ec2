//! Queries in one process and on a cluster. One program for both, because linking the query engine
//! takes longer than most tests.

mod cluster;
mod local;
