//! Techniques as a wish: which steps the way to the solution takes, and which it does not.
//!
//! The way is the one that explanations show with their default techniques ([`Uses`]): at each
//! position the easiest step is taken. A technique that the default leaves out is tried just before the forcing chains,
//! the last resort, if it is asked for.

use super::wish::{BadWish, Demand, Fit, Miss};
use crate::explain::{End, Uses};
use crate::grid::Grid;
use crate::limits::Limits;
use crate::logic;
use crate::proof::Technique;
use crate::search::singles;

/// Singles fill cells; without them no path ends, so `only` need not name them.
const SINGLES: [Technique; 3] =
    [Technique::FullHouse, Technique::NakedSingle, Technique::HiddenSingle];

/// How far from the wish a puzzle counts that needs more than it may.
const TOO_HARD: usize = 20;

/// What is wished for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// The path uses each of these.
    pub with: Vec<Technique>,
    /// The path uses none of these.
    pub without: Vec<Technique>,
    /// The path uses this, and nothing harder.
    pub hardest: Option<Technique>,
    /// Singles and these techniques are all that is tried; if there are none, everything is.
    pub only: Vec<Technique>,
    /// May a step rest on the promise that there is only one solution?
    pub uniqueness: bool,
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques {
            with: Vec::new(),
            without: Vec::new(),
            hardest: None,
            only: Vec::new(),
            uniqueness: true,
        }
    }
}

impl Techniques {
    /// The wish as a demand, or why it contradicts itself.
    ///
    /// ```
    /// use ninefold::generate::{self, Demand, Fit, Techniques, Wish};
    /// use ninefold::grid::Order;
    ///
    /// let x_wing = "X-Wing".parse()?;
    /// let demand = Techniques { hardest: Some(x_wing), ..Techniques::default() }.demand()?;
    /// let made = generate::make(&Wish { demands: vec![&demand], ..Wish::any(Order::NINE) }, 1, 0)?;
    /// assert_eq!(demand.fit(&made.puzzle), Fit::Within);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn demand(self) -> Result<ByTechniques, BadWish> {
        let order = self.order();
        let rank = |technique: Technique| order.iter().position(|&other| other == technique);
        for &technique in self.wanted() {
            if self.without.contains(&technique) {
                return Err(BadWish::WantedAndForbidden { technique });
            }
            if !self.uniqueness && technique.needs_uniqueness() {
                return Err(BadWish::RestsOnUniqueness { technique });
            }
            if rank(technique).is_none() {
                return Err(BadWish::NotAmongTheOnly { technique });
            }
            if let Some(hardest) = self.hardest.filter(|&hardest| rank(technique) > rank(hardest)) {
                return Err(BadWish::HarderThanTheHardest { technique, hardest });
            }
        }
        let last = self.hardest.and_then(rank).map_or(order.len(), |rank| rank + 1);
        // The three kinds of chains are looked for together, and cutting them apart would change the path.
        let is_kin = |technique: &Technique| {
            self.hardest.is_some_and(|hardest| are_one_search(hardest, *technique))
        };
        let end = order.iter().rposition(is_kin).map_or(last, |kin| last.max(kin + 1));
        let options = logic::Options {
            techniques: order[..end].to_vec(),
            // Seeds keep their puzzles, whichever way people look for singles.
            singles: logic::SinglesOrder::AsListed,
            uniqueness: self.uniqueness,
            ..logic::Options::default()
        };
        let beyond_singles = self.wanted().any(|technique| !SINGLES.contains(technique))
            && !self.without.iter().any(|technique| SINGLES.contains(technique));
        Ok(ByTechniques { wish: self, order, options, beyond_singles })
    }

    /// The techniques that must appear.
    fn wanted(&self) -> impl Iterator<Item = &Technique> {
        self.with.iter().chain(&self.hardest)
    }

    /// What is tried, the easiest first.
    fn order(&self) -> Vec<Technique> {
        let mut order = logic::default_order();
        let last_resort =
            order.iter().position(|&technique| technique == Technique::CellForcingChain);
        let mut place = last_resort.unwrap_or(order.len());
        for &technique in self.wanted().chain(&self.only) {
            if !order.contains(&technique) {
                order.insert(place, technique);
                place += 1;
            }
        }
        if !self.only.is_empty() {
            order.retain(|technique| SINGLES.contains(technique) || self.only.contains(technique));
        }
        order
    }
}

fn are_one_search(one: Technique, other: Technique) -> bool {
    let kind = |technique: Technique| match technique {
        Technique::ContinuousNiceLoop { grouped }
        | Technique::DiscontinuousNiceLoop { grouped }
        | Technique::Aic { grouped } => Some(grouped),
        _ => None,
    };
    kind(one).is_some() && kind(one) == kind(other)
}

/// The demand that a path uses some techniques and not others; [`Techniques::demand`] makes it.
#[derive(Clone, Debug)]
pub struct ByTechniques {
    wish: Techniques,
    /// All techniques of the path, the easiest first.
    order: Vec<Technique>,
    /// What is tried: nothing beyond the hardest one allowed.
    options: logic::Options,
    /// Is a puzzle that falls to singles certainly too easy?
    beyond_singles: bool,
}

/// What a path shows.
enum Seen {
    /// Everything is as wished.
    AsWished,
    /// These were asked for and not used; the hardest step was another.
    Missing(Vec<Technique>, Option<Technique>),
    /// This was used, so many times, and may not be.
    Forbidden(Technique, usize),
    /// What may be used does not solve it.
    Unsolved,
}

impl ByTechniques {
    fn look(&self, puzzle: &Grid, limits: &Limits<'_>) -> Seen {
        let Ok(uses) = Uses::of(puzzle, &self.options, limits) else { return Seen::Unsolved };
        if uses.end != End::Solved {
            return Seen::Unsolved;
        }
        let times = |technique: Technique| uses.count(technique);
        if let Some(&forbidden) = self.wish.without.iter().find(|&&technique| times(technique) > 0)
        {
            return Seen::Forbidden(forbidden, times(forbidden));
        }
        let hardest = uses.hardest();
        if let (Some(used), Some(wished)) = (hardest, self.wish.hardest)
            && self.rank(used) > self.rank(wished)
        {
            return Seen::Forbidden(used, times(used));
        }
        let missing: Vec<Technique> =
            self.wish.wanted().copied().filter(|&wanted| times(wanted) == 0).collect();
        if missing.is_empty() { Seen::AsWished } else { Seen::Missing(missing, hardest) }
    }

    fn rank(&self, technique: Technique) -> usize {
        self.order.iter().position(|&other| other == technique).unwrap_or(0)
    }
}

impl Demand for ByTechniques {
    fn words(&self) -> String {
        let list = |techniques: &[Technique]| {
            techniques.iter().map(Technique::to_string).collect::<Vec<_>>().join(", ")
        };
        let wish = &self.wish;
        let mut parts = Vec::new();
        if !wish.only.is_empty() {
            parts.push(format!("singles and {} alone", list(&wish.only)));
        }
        if !wish.with.is_empty() {
            parts.push(format!("a path with {}", list(&wish.with)));
        }
        if !wish.without.is_empty() {
            parts.push(format!("a path without {}", list(&wish.without)));
        }
        if let Some(hardest) = wish.hardest {
            parts.push(format!("{hardest} as the hardest step"));
        }
        if parts.is_empty() { "a path of logic".to_string() } else { parts.join(", ") }
    }

    fn beyond_singles(&self) -> Option<Technique> {
        self.wish
            .wanted()
            .copied()
            .find(|technique| !SINGLES.contains(technique))
            .filter(|_| self.beyond_singles)
    }

    fn fit(&self, puzzle: &Grid) -> Fit {
        self.fit_within(puzzle, &Limits::none())
    }

    fn miss(&self, puzzle: &Grid) -> Option<Miss> {
        self.miss_within(puzzle, &Limits::none())
    }

    fn fit_within(&self, puzzle: &Grid, limits: &Limits<'_>) -> Fit {
        // Most puzzles on the way from a complete grid fall to singles, and that is found a hundred times quicker.
        if self.beyond_singles && singles::solve(puzzle) {
            return Fit::Below;
        }
        match self.look(puzzle, limits) {
            Seen::AsWished => Fit::Within,
            Seen::Missing(..) => Fit::Below,
            Seen::Forbidden(..) | Seen::Unsolved => Fit::Above,
        }
    }

    fn miss_within(&self, puzzle: &Grid, limits: &Limits<'_>) -> Option<Miss> {
        Some(match self.look(puzzle, limits) {
            Seen::AsWished => return None,
            Seen::Missing(missing, hardest) => {
                let names: Vec<String> = missing.iter().map(Technique::to_string).collect();
                let reached = hardest.map_or(0, |hardest| self.rank(hardest));
                let gap = missing
                    .iter()
                    .map(|&technique| self.rank(technique).saturating_sub(reached))
                    .max();
                let hardest = hardest
                    .map_or(String::new(), |hardest| format!("; its hardest step is {hardest}"));
                let words = format!("its path has no {}{hardest}", names.join(" and no "));
                Miss { weight: missing.len() + gap.unwrap_or(0), words }
            }
            Seen::Forbidden(technique, times) => {
                Miss { weight: TOO_HARD + times, words: format!("its path uses {technique}") }
            }
            Seen::Unsolved => {
                let words = match self.wish.hardest {
                    Some(hardest) => format!("it needs more than {hardest}"),
                    None => "the techniques in use do not solve it".to_string(),
                };
                Miss { weight: 2 * TOO_HARD, words }
            }
        })
    }
}
