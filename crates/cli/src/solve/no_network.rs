//! The place of `network.rs` in a build without networks: nobody can be asked, so there is nothing to answer.
//!
//! The types have no values. The compiler knows that, and leaves out whatever would ask them.

use super::Options;
use super::answer::Answer;
use crate::error::CliError;
use ninefold::grid::{Grid, Order};
use ninefold::search::Limits;
use serde::Serialize;
use std::fmt;

/// A network; there is none.
pub enum Network {}

/// What a network proposes; none does.
pub enum Proposed {}

/// Who tells its steps; nobody does.
#[derive(Clone, Copy)]
pub enum Storyteller {}

/// Steps that were told; there are none.
#[derive(Serialize)]
pub enum Trace {}

impl Network {
    pub fn takes(&self, _order: Order) -> bool {
        match *self {}
    }

    pub fn refusal(&self, _order: Order) -> CliError {
        match *self {}
    }

    pub fn solve(&self, _puzzles: &[Grid], _limits: &Limits<'_>) -> Vec<Proposed> {
        match *self {}
    }

    pub fn answer(
        &self,
        _puzzle: &Grid,
        proposed: Proposed,
        _any: bool,
        _limits: &Limits<'_>,
    ) -> Answer {
        match proposed {}
    }

    pub fn in_words(&self) -> String {
        match *self {}
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

/// No storyteller.
pub fn storyteller(_options: &Options) -> Result<Option<Storyteller>, CliError> {
    Ok(None)
}

/// What a storyteller would tell.
pub fn told_by(storyteller: Storyteller, _puzzle: &Grid, _limits: &Limits<'_>) -> Answer {
    match storyteller {}
}

/// No network.
pub fn asked_for(_options: &Options) -> Result<Option<Network>, CliError> {
    Ok(None)
}

/// No line for `--methods`.
pub fn list() -> String {
    String::new()
}
