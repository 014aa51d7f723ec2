//! The names of the techniques, as the world uses them, and the order in which we try them.

use std::fmt;

/// A way to deduce something. Numbers are sizes (naked subset 2 = naked pair) or types (unique rectangle 1 to 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Technique {
    /// The last empty cell of a house.
    FullHouse,
    /// The last digit of a cell.
    NakedSingle,
    /// The last place of a digit in a house.
    HiddenSingle,
    /// Pointing that leaves a digit its last place in a house.
    DirectPointing,
    /// Claiming that leaves a digit its last place in a house.
    DirectClaiming,
    /// A hidden pair or triple that leaves another digit its last place.
    DirectHiddenSubset(u8),
    /// A naked pair or triple inside the crossing of a line and a box.
    LockedSubset(u8),
    /// Locked candidates type 1: the places in a box lie in one line.
    Pointing,
    /// Locked candidates type 2: the places in a line lie in one box.
    Claiming,
    /// So many cells of a house hold only so many digits.
    NakedSubset(u8),
    /// So many digits of a house have only so many places.
    HiddenSubset(u8),
    /// One digit, some base houses, as many cover houses, perhaps fins.
    Fish(Fish),
    /// A chain of cells with the same two digits.
    RemotePair,
    /// Bivalue universal grave with guardians; types as for rectangles, type 1 is BUG+1.
    Bug(u8),
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
    /// A wing of so many cells (four: WXYZ-Wing) in which one digit is not restricted.
    LargeWing(u8),
    /// Four cells, two digits, two boxes: the puzzle would have two solutions.
    UniqueRectangle(u8),
    /// A unique rectangle with two strong links.
    HiddenRectangle,
    /// A rectangle whose cells are partly filled, but not given.
    AvoidableRectangle(u8),
    /// The same for loops of six and more cells.
    UniqueLoop(u8),
    /// A line and a box whose crossing holds too many digits for itself.
    SueDeCoq,
    /// A candidate that sees both colours of one cluster.
    SimpleColoursTrap,
    /// A colour that sees itself.
    SimpleColoursWrap,
    /// Two clusters of one digit.
    MultiColours(u8),
    /// Colouring across digits.
    Medusa,
    /// An alternating chain of one digit.
    XChain,
    /// An alternating chain through bivalue cells.
    XyChain,
    /// A closed chain; every weak link becomes strong.
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
    /// Four and more almost locked sets.
    AlsXyChain,
    /// A stem cell and one almost locked set for each of its digits.
    DeathBlossom,
    /// Two cells, and the cells that do not leave them every pair of digits.
    AlignedPairExclusion,
    /// A fish whose fins (type 1), or one whole cover house too (type 2), are taken away by chains.
    KrakenFish(u8),
    /// A cell that lies in every way to place all instances of a digit.
    TemplateSet,
    /// A candidate that lies in no way to place all instances of a digit.
    TemplateDelete,
    /// All digits of a cell lead to the same.
    CellForcingChain,
    /// All places of a digit in a house lead to the same.
    HouseForcingChain,
    /// A candidate leads to a contradiction.
    ForcingNet,
}

/// The sort of a fish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fish {
    /// How many base houses.
    pub size: u8,
    /// Which houses are allowed.
    pub shape: Shape,
    /// What stands outside the cover houses.
    pub fins: Fins,
    /// Two fish with the same base houses and fins, taken together.
    pub siamese: bool,
}

/// Which houses a fish may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// Rows against columns.
    Basic,
    /// Rows and boxes against columns and boxes.
    Franken,
    /// Any houses against any houses.
    Mutant,
}

/// Base candidates outside the cover houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fins {
    /// None.
    None,
    /// Some; without them the fish would be complete.
    Finned,
    /// Some; without them a base house would have one place only. (Only basic fish make this difference.)
    Sashimi,
}

impl Fish {
    /// A basic fish without fins.
    pub const fn basic(size: u8) -> Fish {
        Fish { size, shape: Shape::Basic, fins: Fins::None, siamese: false }
    }

    /// A fish of this shape with or without fins.
    pub const fn new(size: u8, shape: Shape, fins: Fins) -> Fish {
        Fish { size, shape, fins, siamese: false }
    }

    /// The two digits of HoDoKu's code, `30` for a plain X-Wing.
    fn code(self) -> String {
        let row = match (self.shape, self.fins) {
            (Shape::Basic, Fins::None) => 0,
            (Shape::Basic, Fins::Finned) => 1,
            (Shape::Basic, Fins::Sashimi) => 2,
            (Shape::Franken, Fins::None) => 3,
            (Shape::Franken, _) => 4,
            (Shape::Mutant, Fins::None) => 5,
            (Shape::Mutant, _) => 6,
        };
        format!("03{row}{}{}", self.size - 2, if self.siamese { "1" } else { "" })
    }
}

impl fmt::Display for Fish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.siamese { "Siamese " } else { "" })?;
        f.write_str(match self.fins {
            Fins::None => "",
            Fins::Finned => "Finned ",
            Fins::Sashimi => "Sashimi ",
        })?;
        f.write_str(match self.shape {
            Shape::Basic => "",
            Shape::Franken => "Franken ",
            Shape::Mutant => "Mutant ",
        })?;
        match self.size {
            2 => f.write_str("X-Wing"),
            3 => f.write_str("Swordfish"),
            4 => f.write_str("Jellyfish"),
            5 => f.write_str("Squirmbag"),
            6 => f.write_str("Whale"),
            7 => f.write_str("Leviathan"),
            size => write!(f, "Fish of size {size}"),
        }
    }
}

impl Technique {
    /// Does it rest on the promise that the puzzle has only one solution?
    pub fn needs_uniqueness(self) -> bool {
        use Technique::*;
        matches!(self, UniqueRectangle(_) | HiddenRectangle | AvoidableRectangle(_) | UniqueLoop(_) | Bug(_))
    }

    /// The code in HoDoKu's library of test cases, where it has one.
    pub fn hodoku_code(self) -> Option<String> {
        use Technique::*;
        let code = match self {
            FullHouse => "0000",
            HiddenSingle => "0002",
            NakedSingle => "0003",
            Pointing => "0100",
            Claiming => "0101",
            LockedSubset(size @ 2..=3) => return Some(format!("011{}", size - 2)),
            NakedSubset(size @ 2..=4) => return Some(format!("020{}", size - 2)),
            HiddenSubset(size @ 2..=4) => return Some(format!("021{}", size - 2)),
            Fish(fish) => return Some(fish.code()),
            Skyscraper => "0400",
            TwoStringKite => "0401",
            EmptyRectangle => "0402",
            TurbotFish => "0403",
            DualTwoStringKite => "0404",
            DualEmptyRectangle => "0405",
            SimpleColoursTrap => "0500",
            SimpleColoursWrap => "0501",
            MultiColours(kind) => return Some(format!("050{}", kind + 1)),
            UniqueRectangle(kind) => return Some(format!("060{}", kind - 1)),
            HiddenRectangle => "0606",
            AvoidableRectangle(kind) => return Some(format!("060{}", kind + 6)),
            Bug(1) => "0610",
            XChain => "0701",
            XyChain => "0702",
            RemotePair => "0703",
            ContinuousNiceLoop { grouped: false } => "0706",
            DiscontinuousNiceLoop { grouped: false } => "0707",
            Aic { grouped: false } => "0708",
            ContinuousNiceLoop { grouped: true } => "0709",
            DiscontinuousNiceLoop { grouped: true } => "0710",
            Aic { grouped: true } => "0711",
            XyWing => "0800",
            XyzWing => "0801",
            WWing => "0803",
            AlsXz => "0901",
            AlsXyWing => "0902",
            AlsXyChain => "0903",
            DeathBlossom => "0904",
            SueDeCoq => "1101",
            TemplateSet => "1201",
            TemplateDelete => "1202",
            _ => return None,
        };
        Some(code.to_string())
    }

    /// The technique with this code in HoDoKu's library of test cases.
    pub fn with_hodoku_code(code: &str) -> Option<Technique> {
        all().into_iter().find(|technique| technique.hodoku_code().as_deref() == Some(code))
    }

    /// The name in lower case with hyphens, to type in a command: `x-wing`.
    pub fn slug(self) -> String {
        self.to_string().to_lowercase().replace([' ', '+'], "-")
    }

    /// The technique with this name or slug.
    pub fn named(name: &str) -> Option<Technique> {
        let slug = name.trim().to_lowercase().replace([' ', '+', '_'], "-");
        all().into_iter().find(|technique| technique.slug() == slug)
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Technique::*;
        let subset = |size: u8| match size {
            2 => "Pair".to_string(),
            3 => "Triple".to_string(),
            4 => "Quadruple".to_string(),
            size => format!("Subset of {size}"),
        };
        let grouping = |grouped: bool| if grouped { "Grouped " } else { "" };
        match *self {
            FullHouse => f.write_str("Full House"),
            NakedSingle => f.write_str("Naked Single"),
            HiddenSingle => f.write_str("Hidden Single"),
            DirectPointing => f.write_str("Direct Pointing"),
            DirectClaiming => f.write_str("Direct Claiming"),
            DirectHiddenSubset(size) => write!(f, "Direct Hidden {}", subset(size)),
            LockedSubset(size) => write!(f, "Locked {}", subset(size)),
            Pointing => f.write_str("Locked Candidates Type 1"),
            Claiming => f.write_str("Locked Candidates Type 2"),
            NakedSubset(size) => write!(f, "Naked {}", subset(size)),
            HiddenSubset(size) => write!(f, "Hidden {}", subset(size)),
            Fish(fish) => fish.fmt(f),
            RemotePair => f.write_str("Remote Pair"),
            Bug(1) => f.write_str("BUG+1"),
            Bug(kind) => write!(f, "BUG Type {kind}"),
            Skyscraper => f.write_str("Skyscraper"),
            TwoStringKite => f.write_str("2-String Kite"),
            DualTwoStringKite => f.write_str("Dual 2-String Kite"),
            TurbotFish => f.write_str("Turbot Fish"),
            EmptyRectangle => f.write_str("Empty Rectangle"),
            DualEmptyRectangle => f.write_str("Dual Empty Rectangle"),
            WWing => f.write_str("W-Wing"),
            XyWing => f.write_str("XY-Wing"),
            XyzWing => f.write_str("XYZ-Wing"),
            LargeWing(size) => write!(f, "{}-Wing", &"RSTUVWXYZ"[9 - usize::from(size.clamp(2, 9))..]),
            UniqueRectangle(kind) => write!(f, "Unique Rectangle Type {kind}"),
            HiddenRectangle => f.write_str("Hidden Rectangle"),
            AvoidableRectangle(kind) => write!(f, "Avoidable Rectangle Type {kind}"),
            UniqueLoop(kind) => write!(f, "Unique Loop Type {kind}"),
            SueDeCoq => f.write_str("Sue de Coq"),
            SimpleColoursTrap => f.write_str("Simple Colours Trap"),
            SimpleColoursWrap => f.write_str("Simple Colours Wrap"),
            MultiColours(kind) => write!(f, "Multi-Colours {kind}"),
            Medusa => f.write_str("3D Medusa"),
            XChain => f.write_str("X-Chain"),
            XyChain => f.write_str("XY-Chain"),
            ContinuousNiceLoop { grouped } => write!(f, "{}Continuous Nice Loop", grouping(grouped)),
            DiscontinuousNiceLoop { grouped } => write!(f, "{}Discontinuous Nice Loop", grouping(grouped)),
            Aic { grouped } => write!(f, "{}AIC", grouping(grouped)),
            AlsXz => f.write_str("ALS-XZ"),
            AlsXyWing => f.write_str("ALS-XY-Wing"),
            AlsXyChain => f.write_str("ALS-XY-Chain"),
            DeathBlossom => f.write_str("Death Blossom"),
            AlignedPairExclusion => f.write_str("Aligned Pair Exclusion"),
            KrakenFish(kind) => write!(f, "Kraken Fish Type {kind}"),
            TemplateSet => f.write_str("Template Set"),
            TemplateDelete => f.write_str("Template Delete"),
            CellForcingChain => f.write_str("Cell Forcing Chain"),
            HouseForcingChain => f.write_str("House Forcing Chain"),
            ForcingNet => f.write_str("Forcing Net"),
        }
    }
}

/// Every technique there is, the easiest first: HoDoKu's order of search, with what HoDoKu lacks put beside its kin.
pub fn all() -> Vec<Technique> {
    use Technique::*;
    let mut all = default_order();
    for size in 2..=7 {
        all.push(Fish(self::Fish::new(size, Shape::Franken, Fins::None)));
        all.push(Fish(self::Fish::new(size, Shape::Franken, Fins::Finned)));
    }
    for size in 2..=7 {
        all.push(Fish(self::Fish::new(size, Shape::Mutant, Fins::None)));
        all.push(Fish(self::Fish::new(size, Shape::Mutant, Fins::Finned)));
    }
    for size in 5..=7 {
        all.extend([Fins::None, Fins::Finned, Fins::Sashimi].map(|f| Fish(self::Fish::new(size, Shape::Basic, f))));
    }
    let siamese = |technique: &Technique| match *technique {
        Fish(fish) if fish.fins != Fins::None => Some(Fish(self::Fish { siamese: true, ..fish })),
        _ => None,
    };
    let siamese: Vec<Technique> = all.iter().filter_map(siamese).collect();
    all.extend(siamese);
    all.extend([DirectPointing, DirectClaiming, DirectHiddenSubset(2), DirectHiddenSubset(3)]);
    all.extend([LargeWing(5), LargeWing(6), LargeWing(7)]);
    all.extend([DualTwoStringKite, DualEmptyRectangle, Medusa, DeathBlossom]);
    all.extend([AlignedPairExclusion, KrakenFish(1), KrakenFish(2), TemplateSet, TemplateDelete]);
    all
}

/// The techniques that explanations try unless told otherwise, in this order.
pub fn default_order() -> Vec<Technique> {
    use Technique::*;
    let fish = |size, shape, fins| Fish(self::Fish::new(size, shape, fins));
    let mut order = vec![FullHouse, NakedSingle, HiddenSingle, LockedSubset(2), LockedSubset(3), Pointing, Claiming];
    order.extend([NakedSubset(2), NakedSubset(3), HiddenSubset(2), HiddenSubset(3), NakedSubset(4), HiddenSubset(4)]);
    order.extend([2, 3, 4].map(|size| Fish(self::Fish::basic(size))));
    order.extend([RemotePair, Bug(1), Skyscraper, TwoStringKite, TurbotFish, EmptyRectangle]);
    order.extend([WWing, XyWing, XyzWing]);
    order.extend((1..=6).map(UniqueRectangle));
    order.extend([HiddenRectangle, AvoidableRectangle(1), AvoidableRectangle(2)]);
    order.extend((1..=4).map(UniqueLoop));
    order.extend((2..=4).map(Bug));
    for size in [2, 3, 4] {
        order.extend([Fins::Finned, Fins::Sashimi].map(|fins| fish(size, Shape::Basic, fins)));
    }
    order.extend([SueDeCoq, LargeWing(4), SimpleColoursTrap, SimpleColoursWrap]);
    order.extend([MultiColours(1), MultiColours(2), XChain, XyChain]);
    for grouped in [false, true] {
        order.extend([ContinuousNiceLoop { grouped }, DiscontinuousNiceLoop { grouped }, Aic { grouped }]);
    }
    order.extend([AlsXz, AlsXyWing, AlsXyChain]);
    // Franken fish are left out: they cost a quarter of the time and were needed 9 times in 1,570 mixed puzzles.
    order.extend([CellForcingChain, HouseForcingChain, ForcingNet]);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_technique_has_a_name_of_its_own_and_is_found_by_it() {
        let all = all();
        let names: HashSet<String> = all.iter().map(|technique| technique.slug()).collect();
        assert_eq!(names.len(), all.len());
        for technique in all {
            assert_eq!(Technique::named(&technique.to_string()), Some(technique));
        }
    }

    #[test]
    fn codes_are_those_of_the_library() {
        let check = |code: &str, name: &str| {
            assert_eq!(Technique::with_hodoku_code(code).map(|t| t.to_string()).as_deref(), Some(name));
        };
        check("0300", "X-Wing");
        check("03421", "Siamese Finned Franken Jellyfish");
        check("0364", "Finned Mutant Whale");
        check("0608", "Avoidable Rectangle Type 2");
        check("0110", "Locked Pair");
        assert_eq!(Technique::with_hodoku_code("9999"), None);
        assert_eq!(Technique::LargeWing(4).to_string(), "WXYZ-Wing");
    }
}
