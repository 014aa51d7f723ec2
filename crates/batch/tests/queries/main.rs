//! Queries as a session asks them. One program for both files, because linking the query engine takes longer than most tests.

mod cluster;
mod local;
