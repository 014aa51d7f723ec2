//! Learns a clause from a conflict.
//!
//! The learner walks back along the trail and replaces each literal of the latest level by its
//! reason, until one literal of that level is left: the first unique implication point
//! (Marques-Silva and Sakallah 1996, Zhang et al. 2001). The learned clause contains the negation
//! of that literal, which becomes true after backtracking.
//!
//! Two steps make the clause shorter. A literal of an earlier level that is false because another
//! literal of its group is true is replaced by that other literal: the same digit excludes many
//! candidates, so many literals become one. On six 36×36 grids with 45 % of the cells filled, this
//! took 105,000 nodes instead of more than 534,000. Then literals that follow from the others are
//! removed (Sörensson and Biere 2009).

use super::clauses::ClauseId;
use super::engine::{Conflict, Engine, Reason};
use crate::grid::rules::literal::Literal;

/// A learned clause.
pub struct LearnedClause<'a> {
    /// The literals. The first is the only one of the latest level, the second is of the next
    /// highest level.
    pub clause: &'a [Literal],
    /// The level to backtrack to: only the first literal is open there.
    pub level: u32,
    /// The number of levels among the literals (LBD).
    pub quality: u32,
}

/// Learns clauses from conflicts. Its buffers are reused from conflict to conflict.
pub struct Learner {
    clause: Vec<Literal>,
    /// True literals still to be processed.
    causes: Vec<Literal>,
    /// The mark of each variable for the current conflict.
    mark: Vec<Mark>,
    marked: Vec<usize>,
    /// For each level the number of the last count that visited it.
    visited: Vec<u64>,
    count: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unknown,
    /// The clause contains it, or literals that imply it.
    Known,
    /// It follows from `Known` literals.
    Implied,
    /// It does not follow from `Known` literals.
    Needed,
}

/// The maximum depth of a chain of reasons before a literal counts as needed. It limits the
/// recursion.
const DEEPEST_CHAIN: u32 = 200;

impl Learner {
    pub fn new(variables: usize) -> Learner {
        Learner {
            clause: Vec::new(),
            causes: Vec::new(),
            mark: vec![Mark::Unknown; variables],
            marked: Vec::new(),
            visited: vec![0; variables + 1],
            count: 0,
        }
    }

    /// Learns a clause from a conflict. There must be at least one decision.
    pub fn learn(&mut self, engine: &mut Engine, conflict: Conflict) -> LearnedClause<'_> {
        self.find_unique_point(engine, conflict);
        self.leave_out_implied(engine);
        for variable in self.marked.drain(..) {
            self.mark[variable] = Mark::Unknown;
        }
        engine.activity.decay();
        let mut level = 0;
        for place in 1..self.clause.len() {
            if engine.level_of(self.clause[place]) > level {
                level = engine.level_of(self.clause[place]);
                self.clause.swap(1, place);
            }
        }
        self.count += 1;
        let quality =
            levels_among(engine, self.clause.iter().copied(), &mut self.visited, self.count);
        LearnedClause { clause: &self.clause, level, quality }
    }

    /// The number of literals in the last learned clause.
    pub fn last_length(&self) -> usize {
        self.clause.len()
    }

    fn find_unique_point(&mut self, engine: &mut Engine, conflict: Conflict) {
        self.clause.clear();
        // The first element is reserved for the unique implication point, which is found last.
        self.clause.push(Literal::new(0, true));
        self.causes.clear();
        match conflict {
            Conflict::Pair(a, b) => self.causes.extend([a, b]),
            Conflict::Group(group) => {
                self.causes.extend(engine.group(group).iter().map(|&literal| !literal))
            }
            Conflict::Clause(clause) => self.add_clause_causes(engine, clause, None),
        }
        let mut at = engine.trail().len();
        let mut open = 0;
        loop {
            open += self.sort_causes(engine);
            let literal = loop {
                at -= 1;
                let literal = engine.trail()[at];
                if self.mark[literal.variable()] == Mark::Known
                    && engine.level_of(literal) == engine.depth()
                {
                    break literal;
                }
            };
            open -= 1;
            if open == 0 {
                self.clause[0] = !literal;
                return;
            }
            match engine.reason_for(literal) {
                Reason::None => {}
                Reason::Pair(cause) => self.causes.push(cause),
                Reason::Group(group) => {
                    self.causes.extend(
                        engine
                            .group(group)
                            .iter()
                            .filter(|&&other| other != literal)
                            .map(|&one| !one),
                    );
                }
                Reason::Clause(clause) => self.add_clause_causes(engine, clause, Some(literal)),
            }
        }
    }

    fn add_clause_causes(
        &mut self,
        engine: &mut Engine,
        clause: ClauseId,
        implied: Option<Literal>,
    ) {
        if !engine.clauses.is_good(clause) {
            self.count += 1;
            let quality = levels_among(
                engine,
                engine.clauses.literals(clause),
                &mut self.visited,
                self.count,
            );
            engine.clauses.mark_used(clause, quality);
        }
        self.causes.extend(
            engine.clauses.literals(clause).filter(|&one| Some(one) != implied).map(|one| !one),
        );
    }

    /// Moves causes of earlier levels into the clause. Returns the number of new causes of the
    /// latest level.
    fn sort_causes(&mut self, engine: &mut Engine) -> usize {
        let mut open = 0;
        while let Some(cause) = self.causes.pop() {
            if engine.level_of(cause) == 0 || self.mark[cause.variable()] == Mark::Known {
                continue;
            }
            self.set_mark(cause, Mark::Known);
            engine.activity.bump(cause.variable());
            if engine.level_of(cause) == engine.depth() {
                open += 1;
                continue;
            }
            let origin = origin_of(engine, cause);
            if origin == cause || self.mark[origin.variable()] != Mark::Known {
                self.set_mark(origin, Mark::Known);
                self.clause.push(!origin);
            }
        }
        open
    }

    fn leave_out_implied(&mut self, engine: &Engine) {
        self.count += 1;
        levels_among(engine, self.clause.iter().copied(), &mut self.visited, self.count);
        let mut clause = std::mem::take(&mut self.clause);
        let point = clause[0];
        clause.retain(|&literal| literal == point || !self.reason_is_implied(engine, !literal, 0));
        self.clause = clause;
    }

    fn is_implied(&mut self, engine: &Engine, literal: Literal, chain: u32) -> bool {
        match self.mark[literal.variable()] {
            Mark::Known | Mark::Implied => return true,
            Mark::Needed => return false,
            Mark::Unknown if engine.level_of(literal) == 0 => return true,
            Mark::Unknown => {}
        }
        let implied = self.reason_is_implied(engine, literal, chain);
        self.set_mark(literal, if implied { Mark::Implied } else { Mark::Needed });
        implied
    }

    fn reason_is_implied(&mut self, engine: &Engine, literal: Literal, chain: u32) -> bool {
        // A literal of a level without literals in the clause cannot follow from the clause.
        if chain > DEEPEST_CHAIN || self.visited[engine.level_of(literal) as usize] != self.count {
            return false;
        }
        match engine.reason_for(literal) {
            Reason::None => false,
            Reason::Pair(cause) => self.is_implied(engine, cause, chain + 1),
            Reason::Group(group) => engine
                .group(group)
                .iter()
                .all(|&other| other == literal || self.is_implied(engine, !other, chain + 1)),
            Reason::Clause(clause) => engine
                .clauses
                .literals(clause)
                .all(|other| other == literal || self.is_implied(engine, !other, chain + 1)),
        }
    }

    fn set_mark(&mut self, literal: Literal, mark: Mark) {
        self.mark[literal.variable()] = mark;
        self.marked.push(literal.variable());
    }
}

/// The true literal of the same level that implies this one through pairs alone; often the literal
/// itself.
fn origin_of(engine: &Engine, literal: Literal) -> Literal {
    let mut origin = literal;
    while let Reason::Pair(cause) = engine.reason_for(origin)
        && engine.level_of(cause) == engine.level_of(literal)
    {
        origin = cause;
    }
    origin
}

/// Counts the levels among the literals. Visited levels are marked in `visited` with the number of
/// this count.
fn levels_among(
    engine: &Engine,
    literals: impl Iterator<Item = Literal>,
    visited: &mut [u64],
    count: u64,
) -> u32 {
    let mut levels = 0;
    for literal in literals {
        let seen = &mut visited[engine.level_of(literal) as usize];
        levels += u32::from(*seen != count);
        *seen = count;
    }
    levels
}
