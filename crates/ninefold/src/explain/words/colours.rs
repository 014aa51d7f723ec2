//! Text for colouring: either the relevant path of linked places, or the two groups.

use super::facts::{cells_of, digits_of};
use super::language::Value::{C, Cs, D, H, T};
use super::{Detail, StepWriter};
use crate::grid::{Cell, Digit};
use crate::proof::{Candidate, Cluster, Node, OneOf, Step, Technique};
use std::collections::VecDeque;

impl StepWriter<'_> {
    pub(super) fn colours(&self, step: &Step, clusters: &[Cluster], detail: Detail) -> String {
        let first = clusters[0].green.first().or(clusters[0].blue.first());
        let digit = first.map_or(step.removes[0].digit, |candidate| candidate.digit);
        let slots = [("name", T(self.short_name(step))), ("d", D(digit))];
        let key = match step.technique {
            Technique::Medusa => "medusa",
            Technique::MultiColours(_) => "multi_colours",
            _ => "colours",
        };
        match detail {
            Detail::Hint => self.render(&format!("{key}.hint"), &slots),
            Detail::Technique => self.render(&format!("{key}.pattern"), &slots),
            Detail::Full => {
                let reason = match (step.technique, clusters) {
                    (Technique::Medusa, [cluster]) => self.medusa(step, cluster),
                    (_, [cluster]) if self.is_wrap(step, cluster) => self.wrap(step, cluster),
                    (_, [cluster]) => self.trap(step, cluster),
                    (_, [first, second, ..]) => self.multi(step, first, second),
                    (_, []) => String::new(),
                };
                format!("{} {reason}", self.result(step))
            }
        }
    }

    fn is_wrap(&self, step: &Step, cluster: &Cluster) -> bool {
        step.removes.iter().all(|goal| cluster.green.contains(goal) || cluster.blue.contains(goal))
    }

    /// Returns the shortest path of pairs from one candidate to another.
    fn line(&self, cluster: &Cluster, from: Candidate, to: Candidate) -> Option<Vec<Candidate>> {
        let all: Vec<Candidate> = cluster.green.iter().chain(&cluster.blue).copied().collect();
        let mut paths = VecDeque::from([vec![from]]);
        let mut seen = vec![from];
        while let Some(path) = paths.pop_front() {
            let last = path[path.len() - 1];
            if last == to {
                return Some(path);
            }
            for &next in all.iter().filter(|&&next| self.is_pair(last, next)) {
                if !seen.contains(&next) {
                    seen.push(next);
                    paths.push_back([&path[..], &[next]].concat());
                }
            }
        }
        None
    }

    /// Returns true if exactly one of the two is true by the rules alone.
    fn is_pair(&self, a: Candidate, b: Candidate) -> bool {
        if a.cell == b.cell {
            return a.digit != b.digit && self.candidates.at(a.cell).count() == 2;
        }
        let both_only = |&house: &crate::grid::House| {
            self.is_in(b.cell, house) && self.places(house, a.digit).len() == 2
        };
        a.digit == b.digit && self.order.houses_of(a.cell).iter().any(both_only)
    }

    /// Returns the shortest path whose ends have different colours and both rule out the goal.
    fn line_around(&self, cluster: &Cluster, goal: Candidate) -> Option<Vec<Candidate>> {
        let seen = |side: &[Candidate]| -> Vec<Candidate> {
            side.iter().copied().filter(|&one| self.conflict(one, goal)).collect()
        };
        let (green, blue) = (seen(&cluster.green), seen(&cluster.blue));
        let pairs = green.iter().flat_map(|&a| blue.iter().map(move |&b| (a, b)));
        pairs.filter_map(|(a, b)| self.line(cluster, a, b)).min_by_key(Vec::len)
    }

    fn group(&self, group: &[Candidate]) -> super::language::Value {
        let mut cells = cells_of(group);
        cells.sort_unstable();
        self.cells(&cells)
    }

    fn trap(&self, step: &Step, cluster: &Cluster) -> String {
        let digit = ("d", D(step.removes[0].digit));
        let line = self.line_around(cluster, step.removes[0]);
        let on_line = |line: &[Candidate], goal: Candidate| {
            let sees = |parity: usize| {
                line.iter().skip(parity).step_by(2).any(|&one| self.conflict(one, goal))
            };
            sees(0) && sees(1)
        };
        let line = line.filter(|line| step.removes.iter().all(|&goal| on_line(line, goal)));
        let (text, one, other): (String, Vec<Candidate>, Vec<Candidate>) = match line {
            Some(line) => {
                let one: Vec<Candidate> = line.iter().copied().step_by(2).collect();
                let other: Vec<Candidate> = line.iter().copied().skip(1).step_by(2).collect();
                let path = Cs(line.iter().map(|candidate| candidate.cell).collect());
                (self.render("colours.line", &[digit.clone(), ("path", path)]), one, other)
            }
            None => (
                self.render("colours.groups", std::slice::from_ref(&digit)),
                cluster.green.clone(),
                cluster.blue.clone(),
            ),
        };
        let ordered =
            |group: &[Candidate]| Cs(group.iter().map(|candidate| candidate.cell).collect());
        let either = self
            .render("colours.either", &[digit, ("one", ordered(&one)), ("other", ordered(&other))]);
        let sees = |&goal: &Candidate| {
            let by = |group: &[Candidate]| {
                group.iter().find(|&&one| self.conflict(one, goal)).map(|one| C(one.cell))
            };
            let (a, b) = (by(&one)?, by(&other)?);
            Some(self.render("colours.sees", &[("cell", C(goal.cell)), ("a", a), ("b", b)]))
        };
        let sees: Vec<String> = step.removes.iter().filter_map(sees).collect();
        format!("{text} {either} {}", sees.join(" "))
    }

    fn wrap(&self, step: &Step, cluster: &Cluster) -> String {
        let digit = ("d", D(step.removes[0].digit));
        let is_removed = |side: &[Candidate]| step.removes.iter().all(|goal| side.contains(goal));
        let (bad, good) = if is_removed(&cluster.green) {
            (&cluster.green, &cluster.blue)
        } else {
            (&cluster.blue, &cluster.green)
        };
        let mut sentences = vec![
            self.render("colours.groups", std::slice::from_ref(&digit)),
            self.render(
                "colours.either",
                &[digit.clone(), ("one", self.group(bad)), ("other", self.group(good))],
            ),
        ];
        let pairs = bad.iter().flat_map(|&a| bad.iter().map(move |&b| (a, b)));
        if let Some((a, b)) =
            pairs.into_iter().find(|&(a, b)| a.cell < b.cell && self.conflict(a, b))
        {
            let house = self.houses_around(&[a.cell, b.cell])[0];
            let cells = self.cells(&[a.cell, b.cell]);
            sentences
                .push(self.render("colours.wrap", &[digit, ("cells", cells), ("house", H(house))]));
        }
        sentences.join(" ")
    }

    fn multi(&self, step: &Step, first: &Cluster, second: &Cluster) -> String {
        let digit = ("d", D(step.removes[0].digit));
        let sides = |cluster: &Cluster| [cluster.green.clone(), cluster.blue.clone()];
        let (a, b) = (sides(first), sides(second));
        let mut sentences = vec![self.render("multi_colours.two", std::slice::from_ref(&digit))];
        for side in [&a, &b] {
            let slots =
                [digit.clone(), ("one", self.group(&side[0])), ("other", self.group(&side[1]))];
            sentences.push(self.render("colours.either", &slots));
        }
        let meeting = |one: &[Candidate], other: &[Candidate]| {
            one.iter()
                .find_map(|&x| Some((x, other.iter().copied().find(|&y| self.conflict(x, y))?)))
        };
        for x in [0, 1] {
            let both = [meeting(&a[x], &b[0]), meeting(&a[x], &b[1])];
            if let ([Some(p), Some(q)], true) =
                (both, step.removes.iter().all(|goal| a[x].contains(goal)))
            {
                let slots = [
                    digit,
                    ("a", C(p.0.cell)),
                    ("x", C(p.1.cell)),
                    ("b", C(q.0.cell)),
                    ("y", C(q.1.cell)),
                ];
                sentences.push(self.render("multi_colours.both", &slots));
                return sentences.join(" ");
            }
        }
        for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let Some(meet) = meeting(&a[x], &b[y]) else { continue };
            let (one, other) = (&a[1 - x], &b[1 - y]);
            let by = |group: &[Candidate], goal: Candidate| {
                group.iter().copied().find(|&c| self.conflict(c, goal))
            };
            let seen: Option<Vec<(Candidate, Candidate, Candidate)>> = step
                .removes
                .iter()
                .map(|&goal| Some((goal, by(one, goal)?, by(other, goal)?)))
                .collect();
            let Some(seen) = seen else { continue };
            let slots = [
                digit,
                ("a", C(meet.0.cell)),
                ("b", C(meet.1.cell)),
                ("one", self.group(one)),
                ("other", self.group(other)),
            ];
            sentences.push(self.render("multi_colours.one", &slots));
            let sees = |(goal, p, q): &(Candidate, Candidate, Candidate)| {
                self.render(
                    "multi_colours.sees",
                    &[("cell", C(goal.cell)), ("a", C(p.cell)), ("b", C(q.cell))],
                )
            };
            sentences.extend(seen.iter().map(sees));
            break;
        }
        sentences.join(" ")
    }

    /// Returns a candidate as a clause: `r1c2 is 5`.
    fn is(&self, candidate: Candidate) -> String {
        self.render("link.cell", &[("cell", C(candidate.cell)), ("d", D(candidate.digit))])
    }

    /// Text for colouring across digits: a path of pairs if a candidate sees both colours, or the
    /// contradiction of one colour.
    fn medusa(&self, step: &Step, cluster: &Cluster) -> String {
        if self.is_wrap(step, cluster) {
            return self.broken(step, cluster);
        }
        let sentence = |&goal: &Candidate| {
            let Some(line) = self.line_around(cluster, goal) else { return String::new() };
            let (first, last) = (line[0], line[line.len() - 1]);
            let path = line.iter().skip(1).step_by(2).map(|&one| self.is(one)).collect::<Vec<_>>();
            let slots = [
                ("goal", T(self.removed(&[goal]).trim_end_matches('.').to_string())),
                ("cell", C(first.cell)),
                ("d", D(first.digit)),
                ("path", T(path.join(", "))),
                ("last", T(self.is(last))),
            ];
            self.render("medusa.line", &slots)
        };
        let lines: Vec<String> = step.removes.iter().map(sentence).collect();
        format!("{}\n{}", self.render("medusa.pairs", &[]), lines.join("\n"))
    }

    fn broken(&self, step: &Step, cluster: &Cluster) -> String {
        let is_removed = |side: &[Candidate]| step.removes.iter().all(|goal| side.contains(goal));
        let bad = if is_removed(&cluster.green) { &cluster.green } else { &cluster.blue };
        let on: Vec<Node> = bad.iter().map(|&candidate| Node::single(candidate)).collect();
        let dead = |goal: Candidate| on.iter().any(|node| self.rules_out(node, goal));
        let clash = bad
            .iter()
            .find_map(|&a| Some((a, bad.iter().copied().find(|&b| a < b && self.conflict(a, b))?)));
        let end = if let Some((a, b)) = clash {
            if a.cell == b.cell {
                self.render(
                    "end.cell.twice",
                    &[("cell", C(a.cell)), ("d", D(a.digit)), ("x", D(b.digit))],
                )
            } else {
                let house = self.houses_around(&[a.cell, b.cell])[0];
                self.twice(&[a.cell, b.cell], a.digit, house)
            }
        } else {
            let is_empty = |cell: &Cell| {
                let digits = self.candidates.at(*cell);
                !digits.is_empty()
                    && digits.into_iter().all(|digit| dead(Candidate::new(*cell, digit)))
            };
            let without = |house: crate::grid::House| {
                let lacks = |digit: &Digit| {
                    let places = self.places(house, *digit);
                    !places.is_empty()
                        && places.iter().all(|&cell| dead(Candidate::new(cell, *digit)))
                };
                self.candidates
                    .digits_missing_in(house)
                    .into_iter()
                    .find(lacks)
                    .map(|digit| OneOf::House(house, digit))
            };
            let found = self.order.cells().find(is_empty).map(OneOf::Cell);
            match found.or_else(|| self.order.houses().find_map(without)) {
                Some(OneOf::Cell(cell)) => self.clause("end.cell", &[("cell", C(cell))]).inverted,
                Some(OneOf::House(house, digit)) => {
                    self.clause("end.house", &[("house", H(house)), ("d", D(digit))]).inverted
                }
                None => String::new(),
            }
        };
        let groups = |digit: Digit| {
            let of: Vec<Candidate> =
                bad.iter().copied().filter(|candidate| candidate.digit == digit).collect();
            self.render("medusa.where", &[("d", D(digit)), ("cells", self.group(&of))])
        };
        let list = digits_of(bad).map(groups).collect::<Vec<_>>().join("; ");
        self.render("medusa.broken", &[("list", T(list)), ("end", T(end))])
    }
}
