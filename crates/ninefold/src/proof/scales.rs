//! How hard a technique is said to be: our tiers, and the two scales that players know.
//!
//! The numbers are those of Sudoku Explainer 1.2.1 (a range where the length of a chain or the size of a set counts) and
//! of HoDoKu 2.2.0 with its default settings. They belong to the techniques as those programs name them; where we split
//! or join what they do, the number of the nearest kin is given.

use super::{Fins, Fish, Shape, Technique};

/// HoDoKu's five levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HodokuLevel {
    /// Singles.
    Easy,
    /// Locked candidates, pairs and triples.
    Medium,
    /// Quads, fish, wings, rectangles.
    Hard,
    /// Chains and sets.
    Unfair,
    /// What is left.
    Extreme,
}

impl Technique {
    /// Our tier: 0 singles, 1 locked candidates and small subsets, 2 fish, wings and rectangles, 3 fins, colours, chains
    /// and almost locked sets, 4 forcing chains and their kin, 5 nets.
    pub fn tier(self) -> u8 {
        use Technique::*;
        match self {
            FullHouse | NakedSingle | HiddenSingle | DirectPointing | DirectClaiming | DirectHiddenSubset(_) => 0,
            Pointing | Claiming | LockedSubset(_) | NakedSubset(..=3) | HiddenSubset(..=3) => 1,
            NakedSubset(_) | HiddenSubset(_) | RemotePair | Bug(_) | Skyscraper | TwoStringKite | TurbotFish => 2,
            DualTwoStringKite | EmptyRectangle | DualEmptyRectangle | WWing | XyWing | XyzWing => 2,
            UniqueRectangle(_) | HiddenRectangle | AvoidableRectangle(_) | UniqueLoop(_) => 2,
            Fish(fish) => tier_of(fish),
            LargeWing(_) | SueDeCoq | SimpleColoursTrap | SimpleColoursWrap | MultiColours(_) | Medusa => 3,
            XChain | XyChain | ContinuousNiceLoop { .. } | DiscontinuousNiceLoop { .. } | Aic { .. } => 3,
            AlsXz | AlsXyWing | AlsXyChain => 3,
            DeathBlossom | AlignedPairExclusion | KrakenFish(_) | CellForcingChain | HouseForcingChain => 4,
            TemplateSet | TemplateDelete | ForcingNet => 5,
        }
    }

    /// The rating of Sudoku Explainer, where it knows the technique.
    pub fn explainer_rating(self) -> Option<&'static str> {
        use Technique::*;
        Some(match self {
            FullHouse => "1.0",
            HiddenSingle => "1.2–1.5",
            DirectPointing => "1.7",
            DirectClaiming => "1.9",
            DirectHiddenSubset(2) => "2.0",
            DirectHiddenSubset(3) => "2.5",
            NakedSingle => "2.3",
            Pointing => "2.6",
            Claiming => "2.8",
            NakedSubset(2) => "3.0",
            NakedSubset(3) => "3.6",
            NakedSubset(4) => "5.0",
            HiddenSubset(2) => "3.4",
            HiddenSubset(3) => "4.0",
            HiddenSubset(4) => "5.4",
            Fish(self::Fish { shape: Shape::Basic, fins: Fins::None, size, .. }) => match size {
                2 => "3.2",
                3 => "3.8",
                4 => "5.2",
                _ => return None,
            },
            XyWing => "4.2",
            XyzWing => "4.4",
            UniqueRectangle(1 | 2 | 4) => "4.5",
            UniqueRectangle(3) => "4.6–4.8",
            UniqueLoop(_) => "4.6–5.3",
            Bug(1) => "5.6",
            Bug(3) => "5.8–6.0",
            Bug(_) => "5.7",
            AlignedPairExclusion => "6.2",
            Skyscraper | TwoStringKite | TurbotFish | XChain => "6.6–7.0",
            RemotePair | XyChain => "6.5–7.0",
            WWing | ContinuousNiceLoop { grouped: false } => "7.0–8.0",
            DiscontinuousNiceLoop { grouped: false } | Aic { grouped: false } => "7.0–8.0",
            CellForcingChain | HouseForcingChain => "8.0–8.5",
            ForcingNet => "8.5 and more",
            _ => return None,
        })
    }

    /// The score and the level that HoDoKu gives a step, where it knows the technique.
    pub fn hodoku_score(self) -> Option<(u32, HodokuLevel)> {
        use HodokuLevel::*;
        use Technique::*;
        Some(match self {
            FullHouse | NakedSingle => (4, Easy),
            HiddenSingle => (14, Easy),
            LockedSubset(2) => (40, Medium),
            LockedSubset(3) => (60, Medium),
            Pointing | Claiming => (50, Medium),
            NakedSubset(2) => (60, Medium),
            NakedSubset(3) => (80, Medium),
            NakedSubset(4) => (120, Hard),
            HiddenSubset(2) => (70, Medium),
            HiddenSubset(3) => (100, Medium),
            HiddenSubset(4) => (150, Hard),
            Fish(fish) => score_of(fish),
            RemotePair => (110, Hard),
            Bug(1) | UniqueRectangle(_) | HiddenRectangle | AvoidableRectangle(_) => (100, Hard),
            Skyscraper => (130, Hard),
            TwoStringKite | DualTwoStringKite => (150, Hard),
            TurbotFish | EmptyRectangle | DualEmptyRectangle => (120, Hard),
            WWing => (150, Hard),
            XyWing => (160, Hard),
            XyzWing => (180, Hard),
            SimpleColoursTrap | SimpleColoursWrap => (150, Hard),
            MultiColours(_) => (200, Hard),
            SueDeCoq => (250, Unfair),
            XChain | XyChain => (260, Unfair),
            ContinuousNiceLoop { grouped } | DiscontinuousNiceLoop { grouped } | Aic { grouped } => {
                (if grouped { 300 } else { 280 }, Unfair)
            }
            AlsXz => (300, Unfair),
            AlsXyWing => (320, Unfair),
            AlsXyChain => (340, Unfair),
            DeathBlossom => (360, Unfair),
            KrakenFish(_) | CellForcingChain | HouseForcingChain => (500, Extreme),
            ForcingNet => (700, Extreme),
            TemplateSet | TemplateDelete => (10_000, Extreme),
            _ => return None,
        })
    }
}

fn tier_of(fish: Fish) -> u8 {
    match (fish.shape, fish.fins, fish.size) {
        (Shape::Mutant, _, _) | (_, _, 5..) => 4,
        (Shape::Basic, Fins::None, _) => 2,
        _ => 3,
    }
}

fn score_of(fish: Fish) -> (u32, HodokuLevel) {
    let of_size = |scores: [u32; 3]| scores[usize::from(fish.size.clamp(2, 4)) - 2];
    match (fish.shape, fish.fins) {
        _ if fish.size > 4 => (470, HodokuLevel::Extreme),
        (Shape::Mutant, _) => (of_size([450, 450, 450]), HodokuLevel::Extreme),
        (Shape::Basic, Fins::None) => (of_size([140, 150, 160]), HodokuLevel::Hard),
        (Shape::Basic, Fins::Finned) if fish.size == 2 => (130, HodokuLevel::Hard),
        (Shape::Basic, Fins::Sashimi) if fish.size == 2 => (150, HodokuLevel::Hard),
        (Shape::Basic, Fins::Finned) => (of_size([130, 200, 250]), HodokuLevel::Unfair),
        (Shape::Basic, Fins::Sashimi) => (of_size([150, 240, 260]), HodokuLevel::Unfair),
        (Shape::Franken, Fins::None) => (of_size([300, 350, 370]), HodokuLevel::Unfair),
        (Shape::Franken, _) => (of_size([390, 410, 430]), HodokuLevel::Unfair),
    }
}

#[cfg(test)]
mod tests {
    use crate::proof::all_techniques;

    #[test]
    fn what_hodoku_knows_has_a_score() {
        for technique in all_techniques() {
            assert!(technique.hodoku_code().is_none() || technique.hodoku_score().is_some(), "{technique}");
        }
    }
}
