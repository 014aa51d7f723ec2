//! The techniques: their names, tiers, chapters, and their ratings in other programs.
//!
//! Every value of [`Technique`] has one row in `table.rs`, which contains all these properties.

mod families;
mod fish;
mod name;
mod scales;
mod table;

pub use families::{DeadlyType, OneOrTwo, RectangleType, RuleKind, SubsetSize, WingSize};
pub use fish::{Fins, Fish, FishSize, Shape};
pub use name::UnknownTechniqueError;
pub use scales::{Chapter, HodokuLevel};

use std::fmt;
use table::{ROWS, row_of};

/// A solving technique, by the name that players use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Technique {
    /// The last empty cell of a house.
    FullHouse,
    /// The last digit of a cell.
    NakedSingle,
    /// The last place of a digit in a house.
    HiddenSingle,
    /// Locked candidates type 1 (pointing) that leave a digit its last place in a house.
    DirectPointing,
    /// Locked candidates type 2 (claiming) that leave a digit its last place in a house.
    DirectClaiming,
    /// A hidden pair that leaves another digit its last place.
    DirectHiddenPair,
    /// A hidden triple that leaves another digit its last place.
    DirectHiddenTriple,
    /// A naked pair inside the crossing of a line and a box.
    LockedPair,
    /// A naked triple inside the crossing of a line and a box.
    LockedTriple,
    /// Locked candidates type 1: the places in a box are in one line.
    Pointing,
    /// Locked candidates type 2: the places in a line are in one box.
    Claiming,
    /// n cells of a house with only n digits.
    NakedSubset(SubsetSize),
    /// n digits of a house with only n places.
    HiddenSubset(SubsetSize),
    /// One digit, n base houses, n cover houses, and possibly fins.
    Fish(Fish),
    /// A chain of cells with the same two digits.
    RemotePair,
    /// Bivalue universal grave: without the guardians, its additional candidates, every empty cell
    /// would have two candidates and the puzzle several solutions.
    Bug(DeadlyType),
    /// Two lines with two places each, two of them in one crossing line.
    Skyscraper,
    /// A row and a column with two places each, joined in a box.
    TwoStringKite,
    /// Two kites on the same row and column.
    DualTwoStringKite,
    /// Two strong links of one digit joined by a weak one, at least one of them in a box.
    TurbotFish,
    /// A box whose places form a cross, and a strong link.
    EmptyRectangle,
    /// Two empty rectangles in the same box.
    DualEmptyRectangle,
    /// Two equal bivalue cells joined by a strong link.
    WWing,
    /// A bivalue pivot and two bivalue pincers.
    XyWing,
    /// A pivot with three digits and two bivalue pincers.
    XyzWing,
    /// A wing of four cells or more in which one digit is not restricted.
    LargeWing(WingSize),
    /// Four cells, two digits, two boxes: the puzzle would have two solutions.
    UniqueRectangle(RectangleType),
    /// A unique rectangle with two strong links.
    HiddenRectangle,
    /// A rectangle like a unique rectangle, in which some cells are filled, but none is given.
    AvoidableRectangle(OneOrTwo),
    /// A loop of six cells or more that would allow two solutions.
    UniqueLoop(DeadlyType),
    /// A crossing of a line and a box with more digits than cells, together with cells of the line
    /// and of the box.
    SueDeCoq,
    /// A candidate that sees both colours of one cluster.
    SimpleColoursTrap,
    /// A colour with two candidates that see each other.
    SimpleColoursWrap,
    /// Two clusters of one digit.
    MultiColours(OneOrTwo),
    /// Colouring across digits.
    Medusa,
    /// An alternating chain of one digit.
    XChain,
    /// An alternating chain through bivalue cells.
    XyChain,
    /// A closed chain, in which every weak link becomes strong.
    ContinuousNiceLoop {
        /// With groups of cells or almost locked sets as nodes.
        grouped: bool,
    },
    /// A chain that proves or refutes its first candidate.
    DiscontinuousNiceLoop {
        /// With groups of cells or almost locked sets as nodes.
        grouped: bool,
    },
    /// Alternating inference chain: one of its ends is true.
    Aic {
        /// With groups of cells or almost locked sets as nodes.
        grouped: bool,
    },
    /// Two almost locked sets.
    AlsXz,
    /// Three almost locked sets.
    AlsXyWing,
    /// Four almost locked sets or more.
    AlsXyChain,
    /// A stem cell and one almost locked set for each of its digits.
    DeathBlossom,
    /// Two cells, and cells that exclude some pairs of their digits.
    AlignedPairExclusion,
    /// Three cells, and cells that exclude some triples of their digits.
    AlignedTripleExclusion,
    /// A fish with chains from its fins (type 1), or also from the places in a cover house (type
    /// 2), to the eliminated candidate.
    KrakenFish(OneOrTwo),
    /// A candidate in every template, a way to place all instances of a digit.
    TemplateSet,
    /// A candidate in no template, a way to place all instances of a digit.
    TemplateDelete,
    /// All digits of a cell imply the same conclusion.
    CellForcingChain,
    /// All places of a digit in a house imply the same conclusion.
    HouseForcingChain,
    /// A candidate leads to a contradiction.
    ForcingNet,
    /// The cells where some rows and columns cross, with exactly as many places for their digits as
    /// there are cells.
    MultiSectorLockedSets,
    /// Sixteen cells in eight pairs around four boxes.
    SkLoop,
    /// Two cells of a box whose digits recur in two target cells of the neighbouring boxes.
    JuniorExocet,
    /// Two exocets with the same cross-lines and four digits between them.
    DoubleExocet,
    /// Two cells in the box of one target that repeat the digit of the other.
    ExocetMirror,
    /// A base digit that fails in both targets.
    ExocetLink,
    /// Twelve cells in four boxes that cannot be filled with three digits.
    Tridagon,
    /// A ring of an odd number of cells, which cannot be filled with two digits.
    BivalueOddagon,
    /// A candidate leads to a contradiction for every choice of a cell or a house.
    NestedForcingNet,
    /// What a rule of the puzzle leaves for its cells.
    Rule(RuleKind),
    /// The sum of houses without the cages inside them.
    InniesAndOuties,
    /// A digit that every filling of a cage contains, and cells that see all its places there.
    CageOverlap,
    /// Cells that exclude each other by a rule and see all candidates of a cell or of a house.
    CommonPeer,
    /// Lines and as many regions contain a digit equally often.
    LawOfLeftovers,
}

/// All techniques: first those of the default order, from easy to hard, then the others.
#[must_use]
pub fn all() -> Vec<Technique> {
    ROWS.iter().map(|row| row.technique).collect()
}

/// The techniques that are tried by default, in this order.
pub(crate) fn default_order() -> Vec<Technique> {
    ROWS.iter().filter(|row| row.is_default).map(|row| row.technique).collect()
}

impl Technique {
    /// The name that players use: `X-Wing`.
    pub fn name(self) -> &'static str {
        row_of(self).name
    }

    /// The name in lower case with hyphens, for command lines: `x-wing`.
    pub fn slug(self) -> String {
        name::slug_of(self.name())
    }

    /// Whether the technique is tried by default.
    pub fn is_default(self) -> bool {
        row_of(self).is_default
    }

    /// Whether the technique assumes that the puzzle has only one solution.
    pub fn needs_uniqueness(self) -> bool {
        row_of(self).needs_uniqueness
    }

    /// Whether the technique needs rules beyond rows, columns and boxes.
    pub const fn needs_rules(self) -> bool {
        matches!(
            self,
            Technique::Rule(_)
                | Technique::InniesAndOuties
                | Technique::CageOverlap
                | Technique::CommonPeer
                | Technique::LawOfLeftovers
        )
    }

    /// The difficulty tier: 0 singles; 1 locked candidates and small subsets; 2 fish, wings and
    /// rectangles; 3 fins, colours, chains and almost locked sets; 4 forcing chains and similar
    /// techniques; 5 nets and templates; 6 patterns for the hardest puzzles, and nested nets, which
    /// solve every puzzle.
    pub fn tier(self) -> u8 {
        row_of(self).tier
    }

    /// The chapter of the technique in the lessons.
    pub fn chapter(self) -> Chapter {
        row_of(self).chapter
    }

    /// The rating in Sudoku Explainer, if it has the technique.
    pub fn explainer_rating(self) -> Option<&'static str> {
        row_of(self).explainer_rating
    }

    /// The score and level of a step in HoDoKu, if it has the technique.
    pub fn hodoku_score(self) -> Option<(u32, HodokuLevel)> {
        row_of(self).hodoku_score
    }

    /// The code in the library of test cases of HoDoKu, if it has one.
    pub fn hodoku_code(self) -> Option<&'static str> {
        row_of(self).hodoku_code
    }

    /// The technique with this code in the library of test cases of HoDoKu.
    pub fn from_hodoku_code(code: &str) -> Option<Technique> {
        ROWS.iter().find(|row| row.hodoku_code == Some(code)).map(|row| row.technique)
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_techniques_by_hodoku_code() {
        let check = |code: &str, name: &str| {
            assert_eq!(Technique::from_hodoku_code(code).map(Technique::name), Some(name));
        };
        check("0300", "X-Wing");
        check("03421", "Siamese Finned Franken Jellyfish");
        check("0364", "Finned Mutant Whale");
        check("0608", "Avoidable Rectangle Type 2");
        check("0110", "Locked Pair");
        assert_eq!(Technique::from_hodoku_code("9999"), None);
    }

    #[test]
    fn only_basic_fish_are_sashimi_and_only_finned_fish_are_siamese() {
        assert_eq!(Fish::new(FishSize::XWing, Shape::Franken, Fins::Sashimi), None);
        assert_eq!(Fish::basic(FishSize::Whale).siamese(), None);
        let finned = Fish::new(FishSize::Jellyfish, Shape::Mutant, Fins::Finned).unwrap();
        assert_eq!(
            Technique::Fish(finned.siamese().unwrap()).name(),
            "Siamese Finned Mutant Jellyfish"
        );
    }
}
