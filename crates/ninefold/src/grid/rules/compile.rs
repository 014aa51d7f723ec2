//! Compiles rules to one form: groups of literals of which exactly one is true, and clauses.
//!
//! A variable means "this cell contains this digit". Rules add hidden variables where they need
//! them: a cage has one for each combination of digits, a line one for each step of its automaton.
//! All hidden variables are determined by the digits, so solutions of the compiled form are
//! solutions of the puzzle.
//!
//! ```text
//! cell             exactly one of its digits
//! house            for each digit exactly one of its cells        (as many cells as digits)
//! smaller set      for each digit at most one: a group with a slack variable
//! cage             exactly one combination; for each digit exactly one of: its cells, or a
//!                  combination without the digit
//! pair             clauses: a digit is false, or one that goes with it is true
//! sum, line        a layered graph with a variable for each edge (layered.rs)
//! ```

use super::groups::GroupKind;
use super::literal::{Lists, Literal};
use super::{Relation, Rule, Rules, implied};
use crate::grid::{Cell, Digit, DigitSet};
use std::ops::Not;

/// A puzzle with its rules in compiled form.
pub(crate) struct Compiled {
    /// The meaning of the first variables; the others are hidden.
    pub meaning: Vec<(Cell, Digit)>,
    /// The number of variables.
    pub variables: usize,
    /// Exactly one literal of each group is true.
    pub groups: Lists<Literal>,
    /// The kind of each group.
    pub kinds: Vec<GroupKind>,
    /// At least one literal of each clause is true.
    pub clauses: Lists<Literal>,
    /// Pairs of cells with their relation, which are not in the clauses; empty for [`Form::Clauses`].
    pub pairs: Vec<(Cell, Cell, Relation)>,
    /// The cages whose combinations are hidden variables.
    pub cages: Vec<CompiledCage>,
}

/// A cage whose combinations are hidden variables.
pub(crate) struct CompiledCage {
    pub cells: Vec<Cell>,
    pub combinations: Vec<DigitSet>,
    /// The variable of the first combination; the others follow.
    pub first: usize,
}

/// The purpose of compiled rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Clause learning: relations of pairs are clauses, and all implied sums are included.
    Clauses,
    /// Groups for a network: relations of pairs stay as they are, and only the implied sums that
    /// are cages are included.
    Groups,
}

/// Compiles rules for cells with these candidates; `None` if a rule cannot be satisfied.
///
/// Sums that follow from cages and houses together (the rule of 45) are compiled as well. They cost
/// time to compile and pay on hard killers.
pub(crate) fn compile(rules: &Rules, candidates: &[DigitSet], form: Form) -> Option<Compiled> {
    let mut compiler = Compiler::new(rules.side(), candidates);
    compiler.form = form;
    let houses = rules.houses();
    let lines = 2 * rules.side();
    for (index, house) in houses.iter().enumerate() {
        compiler.differ(house, if index < lines { GroupKind::Line } else { GroupKind::House });
    }
    let has_sums = |rule: &Rule| matches!(rule, Rule::Sum { .. } | Rule::Cage { .. });
    if rules.rules.iter().any(has_sums) {
        compiler.note_different_cells(rules, &houses);
        for (terms, total) in implied::sums(rules, &houses) {
            if form == Form::Clauses || compiler.is_cage(&terms) {
                compiler.sum(&terms, total);
            }
        }
    }
    for rule in &rules.rules {
        if compiler.is_impossible {
            return None;
        }
        compiler.rule(rule);
    }
    let Compiler { meaning, variables, groups, kinds, clauses, pairs, cages, .. } = compiler;
    let compiled = Compiled { meaning, variables, groups, kinds, clauses, pairs, cages };
    (!compiler.is_impossible).then_some(compiled)
}

/// A literal, or a value that is already known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Term {
    True,
    False,
    Literal(Literal),
}

impl Not for Term {
    type Output = Term;
    fn not(self) -> Term {
        match self {
            Term::True => Term::False,
            Term::False => Term::True,
            Term::Literal(literal) => Term::Literal(!literal),
        }
    }
}

pub(super) struct Compiler {
    pub(super) side: usize,
    pub(super) candidates: Vec<DigitSet>,
    /// Set when a rule turns out to be impossible.
    pub(super) is_impossible: bool,
    /// For each pair of cells whether their digits differ; empty if no rule has a sum.
    different: Vec<bool>,
    terms: Vec<Term>,
    meaning: Vec<(Cell, Digit)>,
    variables: usize,
    groups: Lists<Literal>,
    kinds: Vec<GroupKind>,
    clauses: Lists<Literal>,
    form: Form,
    pairs: Vec<(Cell, Cell, Relation)>,
    cages: Vec<CompiledCage>,
    scratch: Vec<Literal>,
}

impl Compiler {
    pub(super) fn new(side: usize, candidates: &[DigitSet]) -> Compiler {
        let mut compiler = Compiler {
            side,
            candidates: candidates.to_vec(),
            is_impossible: false,
            different: Vec::new(),
            terms: vec![Term::False; candidates.len() * side],
            meaning: Vec::new(),
            variables: 0,
            groups: Lists::new(),
            kinds: Vec::new(),
            clauses: Lists::new(),
            form: Form::Clauses,
            pairs: Vec::new(),
            cages: Vec::new(),
            scratch: Vec::new(),
        };
        for (index, &digits) in candidates.iter().enumerate() {
            if let Some(only) = digits.only() {
                compiler.terms[index * side + only.index()] = Term::True;
                continue;
            }
            let first = compiler.variables;
            for digit in digits {
                let literal = Literal::new(compiler.variables, true);
                compiler.terms[index * side + digit.index()] = Term::Literal(literal);
                compiler.meaning.push((Cell::new(index), digit));
                compiler.variables += 1;
            }
            compiler.is_impossible |= digits.is_empty();
            let literals = first..compiler.variables;
            compiler.groups.push(literals.map(|variable| Literal::new(variable, true)));
            compiler.kinds.push(GroupKind::Cell);
        }
        compiler
    }

    fn rule(&mut self, rule: &Rule) {
        match rule {
            Rule::Differ(cells) => self.differ(cells, GroupKind::House),
            Rule::Cage { cells, sum } => self.cage(cells, *sum),
            Rule::Sum { terms, total } => self.sum(terms, *total),
            Rule::Candidates { cell, digits } => {
                for digit in self.candidates[cell.index()] - *digits {
                    self.clause([!self.term(*cell, digit)]);
                }
            }
            Rule::Pairs { pairs, relation } => {
                for &(a, b) in pairs {
                    if self.form == Form::Groups && *relation != Relation::Different {
                        self.pairs.push((a, b, *relation));
                    } else {
                        self.pair(a, b, *relation);
                    }
                }
            }
            Rule::Line { cells, kind } => self.line(cells, kind),
            Rule::Contains { cells, digits } => self.contains(cells, digits),
            Rule::CountingCircles(cells) => {
                for number in 1..=self.side as i64 {
                    self.count(cells, number, |count| count == 0 || count == number as u64);
                }
            }
            Rule::Index { cell, digit, other, value } => {
                let (a, b) = (self.term(*cell, *digit), self.term(*other, *value));
                self.clause([!a, b]);
                self.clause([a, !b]);
            }
        }
    }

    /// The literal "the cell contains the digit".
    pub(super) fn term(&self, cell: Cell, digit: Digit) -> Term {
        self.terms[cell.index() * self.side + digit.index()]
    }

    /// A new hidden variable.
    pub(super) fn hidden(&mut self) -> Term {
        self.variables += 1;
        Term::Literal(Literal::new(self.variables - 1, true))
    }

    pub(super) fn clause(&mut self, terms: impl IntoIterator<Item = Term>) {
        self.scratch.clear();
        for term in terms {
            match term {
                Term::True => return,
                Term::False => {}
                Term::Literal(literal) => self.scratch.push(literal),
            }
        }
        match self.scratch[..] {
            [] => self.is_impossible = true,
            [only] => self.make_true(only),
            _ => self.clauses.push(self.scratch.iter().copied()),
        }
    }

    /// A group of one literal makes it true.
    fn make_true(&mut self, literal: Literal) {
        self.groups.push([literal]);
        self.kinds.push(GroupKind::Unit);
    }

    pub(super) fn exactly_one(&mut self, kind: GroupKind, terms: impl IntoIterator<Item = Term>) {
        self.scratch.clear();
        let mut known_true = 0;
        for term in terms {
            match term {
                Term::True => known_true += 1,
                Term::False => {}
                Term::Literal(literal) => self.scratch.push(literal),
            }
        }
        match known_true {
            0 if self.scratch.is_empty() => self.is_impossible = true,
            0 => {
                self.groups.push(self.scratch.iter().copied());
                self.kinds.push(kind);
            }
            1 => {
                for place in 0..self.scratch.len() {
                    self.make_true(!self.scratch[place]);
                }
            }
            _ => self.is_impossible = true,
        }
    }

    fn at_most_one(&mut self, terms: &[Term]) {
        if terms.contains(&Term::True) {
            return self.exactly_one(GroupKind::AtMostOne, terms.iter().copied());
        }
        let open: Vec<Term> = terms.iter().copied().filter(|term| *term != Term::False).collect();
        match open[..] {
            [] | [_] => {}
            [a, b] => self.clause([!a, !b]),
            _ => {
                let slack = self.hidden();
                self.exactly_one(GroupKind::AtMostOne, open.into_iter().chain([slack]));
            }
        }
    }

    /// The digits of these cells differ. `kind` is the kind of the groups if the cells contain all
    /// digits.
    pub(super) fn differ(&mut self, cells: &[Cell], kind: GroupKind) {
        if cells.len() > self.side {
            self.is_impossible = true;
            return;
        }
        for index in 0..self.side {
            let digit = Digit::from_index(index);
            let terms: Vec<Term> = cells.iter().map(|&cell| self.term(cell, digit)).collect();
            if cells.len() == self.side {
                self.exactly_one(kind, terms);
            } else {
                self.at_most_one(&terms);
            }
        }
    }

    fn contains(&mut self, cells: &[Cell], digits: &[Digit]) {
        for index in 0..self.side {
            let digit = Digit::from_index(index);
            let required = digits.iter().filter(|other| **other == digit).count() as u64;
            match required {
                0 => {}
                1 => {
                    let terms: Vec<Term> = cells.iter().map(|&c| self.term(c, digit)).collect();
                    self.clause(terms);
                }
                _ => self.count(cells, i64::from(digit.number()), |count| count >= required),
            }
        }
    }

    /// The number of cells that contain this digit is acceptable.
    fn count(&mut self, cells: &[Cell], digit: i64, accepts: impl Fn(u64) -> bool) {
        let positions = self.positions(cells);
        let next = |_, count, value| Some(count + u64::from(value == digit));
        self.layered(&positions, 0, next, accepts);
    }

    /// For each cell its digits with their literals.
    pub(super) fn positions(&self, cells: &[Cell]) -> Vec<Vec<(i64, Term)>> {
        let values = |cell: &Cell| {
            let digits = self.candidates[cell.index()];
            digits.map(|digit| (i64::from(digit.number()), self.term(*cell, digit))).collect()
        };
        cells.iter().map(values).collect()
    }

    /// Whether the digits of two cells are known to differ.
    pub(super) fn are_different(&self, a: Cell, b: Cell) -> bool {
        let cells = self.candidates.len();
        !self.different.is_empty() && self.different[a.index() * cells + b.index()]
    }

    /// Records that these variables are the combinations of a cage.
    pub(super) fn note_cage(&mut self, cells: &[Cell], combinations: &[DigitSet], first: Term) {
        if let (Form::Groups, Term::Literal(literal)) = (self.form, first) {
            let (cells, combinations) = (cells.to_vec(), combinations.to_vec());
            self.cages.push(CompiledCage { cells, combinations, first: literal.variable() });
        }
    }

    /// Whether the terms of a sum are a cage: the sum of different digits.
    fn is_cage(&self, terms: &[(i32, Cell)]) -> bool {
        terms.iter().enumerate().all(|(at, &(coefficient, cell))| {
            coefficient == 1 && terms[..at].iter().all(|&(_, one)| self.are_different(one, cell))
        })
    }

    fn note_different_cells(&mut self, rules: &Rules, houses: &[Vec<Cell>]) {
        let cells = self.candidates.len();
        let mut different = vec![false; cells * cells];
        let mut note = |list: &[Cell]| {
            for a in list {
                for b in list.iter().filter(|b| a != *b) {
                    different[a.index() * cells + b.index()] = true;
                }
            }
        };
        houses.iter().for_each(|house| note(house));
        for rule in &rules.rules {
            match rule {
                Rule::Differ(cells) | Rule::Cage { cells, .. } => note(cells),
                Rule::Pairs { pairs, relation: Relation::Different } => {
                    pairs.iter().for_each(|&(a, b)| note(&[a, b]));
                }
                _ => {}
            }
        }
        self.different = different;
    }
}
