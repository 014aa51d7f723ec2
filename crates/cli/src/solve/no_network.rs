//! Stub of `network.rs` for builds without networks.
//!
//! The types have no values, so the compiler removes the code that would use them.

use super::Args;
use super::answer::Answer;
use crate::error::CliError;
use ninefold::grid::{Grid, Order};
use ninefold::search::Limits;
use serde::Serialize;
use std::fmt;

pub enum Network {}

pub enum Proposal {}

#[derive(Clone, Copy)]
pub enum TracingSolver {}

#[derive(Serialize)]
pub enum Trace {}

impl Network {
    pub fn supports(&self, _order: Order) -> bool {
        match *self {}
    }

    pub fn supports_rules(&self) -> bool {
        match *self {}
    }

    pub fn unsupported_size(&self, _order: Order) -> CliError {
        match *self {}
    }

    pub fn solve(&self, _puzzles: &[Grid], _limits: &Limits<'_>) -> Vec<Proposal> {
        match *self {}
    }

    pub fn answer(
        &self,
        _puzzle: &Grid,
        proposal: Proposal,
        _any: bool,
        _limits: &Limits<'_>,
    ) -> Answer {
        match proposal {}
    }

    pub fn to_text(&self) -> String {
        match *self {}
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

pub fn tracing_solver(_args: &Args) -> Result<Option<TracingSolver>, CliError> {
    Ok(None)
}

pub fn solve_with_trace(
    tracing_solver: TracingSolver,
    _puzzle: &Grid,
    _limits: &Limits<'_>,
) -> Answer {
    match tracing_solver {}
}

pub fn from_args(_args: &Args) -> Result<Option<Network>, CliError> {
    Ok(None)
}

pub fn list() -> String {
    String::new()
}
