//! Text for chains, in one direction from one end to the other.

use super::facts::{cells_of, digits_of};
use super::language::Value;
use super::language::Value::{C, D, Ds, H, N, T};
use super::story::{Link, Part};
use super::{Detail, StepWriter};
use crate::grid::{Cell, DigitSet};
use crate::proof::{Candidate, Chain, Node, OneOf, Step, Strong, Technique};

impl StepWriter<'_> {
    /// Text for any chain.
    pub(super) fn chain(&self, step: &Step, chain: &Chain, detail: Detail) -> String {
        if chain.closed {
            return self.closed_chain(step, chain, detail);
        }
        self.open_chain(step, chain, detail)
    }

    /// Text for several chains with the same ends, such as two digits of the same sets.
    pub(super) fn chains(&self, step: &Step, chains: &[&Chain], detail: Detail) -> String {
        match detail {
            Detail::Full => {
                let reason = |chain: &&Chain| {
                    let removes: Vec<Candidate> = step
                        .removes
                        .iter()
                        .copied()
                        .filter(|&goal| self.proves(chain, goal))
                        .collect();
                    self.open_reason(chain, &removes)
                };
                self.one_or_more(step, chains.iter().map(reason).collect())
            }
            _ => self.chain(step, chains[0], detail),
        }
    }

    fn proves(&self, chain: &Chain, goal: Candidate) -> bool {
        self.rules_out(&chain.nodes[0], goal)
            && self.rules_out(&chain.nodes[chain.nodes.len() - 1], goal)
    }

    pub(super) fn open_chain(&self, step: &Step, chain: &Chain, detail: Detail) -> String {
        let chain = self.oriented(chain, &step.removes);
        let (first, last) = (&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]);
        match detail {
            Detail::Hint => self.chain_hint(&chain),
            Detail::Technique => self.chain_pattern(step, &chain),
            Detail::Full if first == last => {
                format!("{} {}", self.result_of_cell(step), self.after_all(&chain))
            }
            Detail::Full => {
                format!("{} {}", self.result(step), self.open_reason(&chain, &step.removes))
            }
        }
    }

    /// Text for a chain that returns to its first candidate: assuming that the candidate is false
    /// implies that it is true.
    fn after_all(&self, chain: &Chain) -> String {
        let (cell, digit) = (chain.nodes[0].cells[0], chain.nodes[0].digit);
        let links = links_of(chain);
        let Some(other) = self.candidates.at(cell).without(digit).only() else {
            let sentences = self.compose("suppose.not", &[], &self.parts(None, &links, None));
            return self.render("chain.after_all", &[("story", T(sentences.without_period()))]);
        };
        // In a cell with two candidates, the text assumes the other one, so the last link is
        // obvious.
        let assumed = self.render("link.cell", &[("cell", C(cell)), ("d", D(other))]);
        let mut parts = self.parts(None, &links, None);
        parts.retain(|part| !matches!(part, Part::Is(clause) if clause.plain == assumed));
        let slots = [("x", D(other))];
        let last = links[links.len() - 1];
        match last.reason {
            Strong::AlmostLockedSet(set) if set.len() > 1 && set.contains(&cell) => {
                let rest: Vec<Cell> = set.iter().copied().filter(|&one| one != cell).collect();
                let left = self.digits_in(&rest).without(last.off.digit).without(other);
                parts = self.parts(None, &links[..links.len() - 1], None);
                parts.retain(|part| !matches!(part, Part::Is(clause) if clause.plain == assumed));
                let story = self.compose("suppose.other", &slots, &parts).without_period();
                let end = match (&rest[..], left.only(), self.houses_around(&rest).first()) {
                    ([_, _], Some(digit), Some(&house)) => self.twice(&rest, digit, house),
                    _ => {
                        let slots = [
                            ("cells", self.cells(&rest)),
                            ("digits", Ds(left)),
                            ("n", N(rest.len())),
                        ];
                        self.render("end.too_few", &slots)
                    }
                };
                self.render("chain.now", &[("story", T(story)), ("end", T(end))])
            }
            _ => {
                let story = self.compose("suppose.other", &slots, &parts).without_period();
                self.render("chain.after_all", &[("story", T(story))])
            }
        }
    }

    /// Returns the chain in the direction of the text: from a single cell towards the changed cell.
    fn oriented(&self, chain: &Chain, removes: &[Candidate]) -> Chain {
        let (first, last) = (&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]);
        let owns = |node: &Node| removes.len() == 1 && node.cells == [removes[0].cell];
        let is_set = |reason: Option<&Strong>| matches!(reason, Some(Strong::AlmostLockedSet(set)) if set.len() > 1);
        let burden = |node: &Node, reason: Option<&Strong>| {
            2 * usize::from(owns(node)) + usize::from(node.cells.len() > 1 || is_set(reason))
        };
        if burden(first, chain.strong.first()) <= burden(last, chain.strong.last()) {
            return chain.clone();
        }
        Chain {
            nodes: chain.nodes.iter().rev().cloned().collect(),
            strong: chain.strong.iter().rev().cloned().collect(),
            closed: chain.closed,
        }
    }

    fn open_reason(&self, chain: &Chain, removes: &[Candidate]) -> String {
        let chain = self.oriented(chain, removes);
        let (first, last) = (&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]);
        let targets = cells_of(removes);
        let seen = |node: &Node| removes.iter().all(|goal| goal.digit == node.digit);
        let links = links_of(&chain);
        if !seen(first) || targets.len() > 1 && !seen(last) {
            return self.either_end(&chain);
        }
        let target = (!seen(last)).then_some(targets[0]);
        let start = [
            ("cells", self.cells(&first.cells)),
            ("d", D(first.digit)),
            ("targets", self.cells(&targets)),
        ];
        let mut text = self.start_rules_out(&start, &first.cells, &targets);
        let sentences = self.compose("chain.if_not", &start, &self.parts(None, &links, target));
        text += " ";
        text += &match (target, targets.len(), last.cells.len()) {
            (Some(_), ..) => sentences.with_period(),
            (None, 1, 1) => {
                format!("{} {}", sentences.with_period(), self.render("chain.too", &start))
            }
            (None, 1, nodes) => {
                let slots = [
                    ("story", T(sentences.without_period())),
                    ("sees", T(self.sees(&targets, nodes))),
                ];
                self.render("chain.sees", &slots)
            }
            (None, ..) => {
                let house =
                    self.houses_around(&[&last.cells[..], &targets].concat()).first().copied();
                let mut slots = vec![
                    ("story", T(sentences.without_period())),
                    ("targets", self.cells(&targets)),
                ];
                slots.push(("nodes", N(last.cells.len())));
                self.in_house("chain.all_see", &mut slots, house)
            }
        };
        text
    }

    /// `If r4c7 is 3, both see it in row 4.`
    fn start_rules_out(&self, start: &[(&str, Value)], first: &[Cell], targets: &[Cell]) -> String {
        if targets.len() == 1 {
            return self.render("chain.start", start);
        }
        let house = self.houses_around(&[first, targets].concat()).first().copied();
        self.in_house("chain.start.all", &mut start.to_vec(), house)
    }

    /// Renders a sentence with the house it refers to, if there is one.
    fn in_house(
        &self,
        key: &str,
        slots: &mut Vec<(&str, Value)>,
        house: Option<crate::grid::House>,
    ) -> String {
        let place =
            house.map_or(String::new(), |house| self.render("in_house", &[("house", H(house))]));
        slots.push(("place", T(place)));
        self.render(key, slots)
    }

    /// Text for ends with different digits that each remove something in the cell of the other.
    fn either_end(&self, chain: &Chain) -> String {
        let (first, last) = (&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]);
        let slots = [
            ("cells", self.cells(&first.cells)),
            ("d", D(first.digit)),
            ("others", self.cells(&last.cells)),
            ("x", D(last.digit)),
        ];
        let sentences =
            self.compose("chain.if_false", &slots, &self.parts(None, &links_of(chain), None));
        format!("{} {}", sentences.with_period(), self.render("chain.either", &slots))
    }

    fn chain_hint(&self, chain: &Chain) -> String {
        let first = &chain.nodes[0];
        if *first == chain.nodes[chain.nodes.len() - 1] {
            let cell = first.cells[0];
            return self.render(
                "try.hint",
                &[("cell", C(cell)), ("n", N(self.candidates.at(cell).count()))],
            );
        }
        match &chain.strong[0] {
            _ if has_large_sets(chain) => {
                self.render("als.hint", &[("groups", T(self.groups(chain, "als.where")))])
            }
            Strong::OneOf(OneOf::House(house, digit)) => {
                self.render("chain.hint.house", &[("d", D(*digit)), ("house", H(*house))])
            }
            _ => {
                let count = self.candidates.at(first.cells[0]).count();
                self.render("chain.hint.cell", &[("cell", C(first.cells[0])), ("n", N(count))])
            }
        }
    }

    fn chain_pattern(&self, step: &Step, chain: &Chain) -> String {
        let (first, last) = (&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]);
        let group = chain.nodes.iter().find(|node| node.cells.len() > 1);
        let mut slots = vec![
            ("name", T(self.short_name(step))),
            ("d", D(first.digit)),
            ("x", D(chain.nodes[1].digit)),
            ("n", N(chain.strong.len())),
            ("a", self.cells(&first.cells)),
            ("b", self.cells(&last.cells)),
        ];
        let one_digit = chain.nodes.iter().all(|node| node.digit == first.digit);
        let key = match (step.technique, group) {
            _ if first == last => "chain.pattern.self",
            (Technique::AlsXz | Technique::AlsXyWing | Technique::AlsXyChain, _) => {
                slots.push(("groups", T(self.groups(chain, "als.group"))));
                if chain.strong.len() == 2 { "als.pattern" } else { "als.pattern.more" }
            }
            (Technique::XChain, _) => "x_chain.pattern",
            (Technique::XyChain, _) => "xy_chain.pattern",
            (_, Some(group)) if one_digit => {
                let house = self.houses_around(&group.cells).pop();
                slots.push(("count", N(group.cells.len())));
                match house {
                    Some(house) => slots.push(("house", H(house))),
                    None => return self.render("aic.pattern", &slots),
                }
                "grouped.pattern"
            }
            _ if first.digit == last.digit => "aic.pattern",
            _ => "aic.pattern.two",
        };
        self.render(key, &slots)
    }

    /// Returns the sets of a chain: single cells by name, several cells by house.
    fn groups(&self, chain: &Chain, key: &str) -> String {
        let sentences = chain.strong.iter().filter_map(|reason| match reason {
            Strong::AlmostLockedSet(set) if set.len() > 1 => {
                let house = self.houses_around(set).first().copied()?;
                Some(self.render(key, &[("n", N(set.len())), ("house", H(house))]))
            }
            Strong::AlmostLockedSet(set) => Some(self.render("cell", &[("cell", C(set[0]))])),
            Strong::OneOf(OneOf::Cell(cell)) => Some(self.render("cell", &[("cell", C(*cell))])),
            Strong::OneOf(OneOf::House(house, _)) => {
                Some(self.render("a_house", &[("house", H(*house))]))
            }
        });
        let mut sentences: Vec<String> = sentences.collect();
        sentences.dedup();
        self.words.list(&sentences, "")
    }

    fn closed_chain(&self, step: &Step, chain: &Chain, detail: Detail) -> String {
        let first = &chain.nodes[0];
        let slots = [
            ("name", T(self.short_name(step))),
            ("cells", self.cells(&first.cells)),
            ("d", D(first.digit)),
            ("n", N(chain.strong.len())),
        ];
        match detail {
            Detail::Hint => self.chain_hint(chain),
            Detail::Technique => self.render("loop.pattern", &slots),
            Detail::Full => {
                let sentences = self.compose(
                    "chain.if_false",
                    &slots,
                    &self.parts(None, &links_of(chain), None),
                );
                let first = format!(
                    "{} {} {}",
                    self.result(step),
                    sentences.with_period(),
                    self.render("loop.back", &slots)
                );
                match &self.loop_results(step, chain)[..] {
                    [only] => format!("{first} {}", only.alone),
                    several => {
                        let lines = several.iter().map(|line| line.text.clone());
                        std::iter::once(first).chain(lines).collect::<Vec<_>>().join("\n")
                    }
                }
            }
        }
    }

    /// Returns what each link of a loop removes.
    fn loop_results(&self, step: &Step, chain: &Chain) -> Vec<LoopLine> {
        let nodes = &chain.nodes;
        let mut left = step.removes.clone();
        let mut lines = Vec::new();
        let mut take = |is_removed: &dyn Fn(&Candidate) -> bool| {
            let hit: Vec<Candidate> = left.iter().copied().filter(is_removed).collect();
            left.retain(|goal| !hit.contains(goal));
            (!hit.is_empty()).then_some(hit)
        };
        for index in (1..nodes.len()).step_by(2) {
            let (a, b) = (&nodes[index], &nodes[(index + 1) % nodes.len()]);
            let Some(hit) = take(&|&goal| self.rules_out(a, goal) && self.rules_out(b, goal))
            else {
                continue;
            };
            let result = ("result", T(self.removed(&hit)));
            if a.digit == b.digit {
                let mut cells = [&a.cells[..], &b.cells].concat();
                cells.sort_unstable();
                let sees = T(self.sees(&cells_of(&hit), cells.len()));
                let slots =
                    [("cells", self.cells(&cells)), ("d", D(a.digit)), result, ("sees", sees)];
                lines.push(self.loop_line("loop.weak", &slots));
            } else {
                let pair = DigitSet::from_digit(a.digit).with(b.digit);
                let slots = [("cell", C(a.cells[0])), ("digits", Ds(pair)), result];
                lines.push(self.loop_line("loop.cell", &slots));
            }
        }
        for reason in &chain.strong {
            let Strong::AlmostLockedSet(set) = reason else { continue };
            let keeps = |goal: &Candidate| {
                let places: Vec<Cell> = set
                    .iter()
                    .copied()
                    .filter(|&cell| self.candidates.at(cell).contains(goal.digit))
                    .collect();
                !places.is_empty() && !set.contains(&goal.cell) && self.see_all(goal.cell, &places)
            };
            if let Some(hit) = take(&keeps) {
                let slots = [
                    ("cells", self.cells(set)),
                    ("digits", Ds(digits_of(&hit))),
                    ("result", T(self.removed(&hit))),
                ];
                lines.push(self.loop_line("loop.set", &slots));
            }
        }
        lines
    }

    fn loop_line(&self, key: &str, slots: &[(&str, Value)]) -> LoopLine {
        LoopLine {
            text: self.render(key, slots),
            alone: self.render(&format!("{key}.only"), slots),
        }
    }
}

/// What one link of a loop removes: on its own line, or without the result if that was stated
/// before.
struct LoopLine {
    text: String,
    alone: String,
}

fn has_large_sets(chain: &Chain) -> bool {
    chain
        .strong
        .iter()
        .any(|reason| matches!(reason, Strong::AlmostLockedSet(set) if set.len() > 1))
}

/// Returns the links of a chain, each from a false to a true node.
pub(super) fn links_of(chain: &Chain) -> Vec<Link<'_>> {
    let pairs = chain.nodes.chunks(2).zip(&chain.strong);
    pairs.map(|(pair, reason)| Link { off: &pair[0], on: &pair[1], reason }).collect()
}
