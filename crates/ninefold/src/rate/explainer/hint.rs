//! A hint: one step of Sudoku Explainer and its rating.

use super::board::Board;
use super::tables::ones;
use std::fmt;

/// The techniques of Sudoku Explainer 1.2.1 with their original names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the program")]
#[non_exhaustive]
pub enum Technique {
    HiddenSingle,
    DirectPointing,
    DirectClaiming,
    DirectHiddenPair,
    NakedSingle,
    DirectHiddenTriplet,
    Pointing,
    Claiming,
    /// Pair, triplet or quad.
    NakedSet(u8),
    /// X-Wing, Swordfish or Jellyfish.
    Fish(u8),
    /// Pair, triplet or quad.
    HiddenSet(u8),
    XyWing,
    XyzWing,
    /// The number of cells and the type; a loop of four cells is a unique rectangle.
    UniqueLoop(u8, u8),
    /// The type, 1 to 4.
    Bug(u8),
    /// Pair or triplet.
    AlignedExclusion(u8),
    XCycle,
    YCycle,
    Cycle,
    ForcingXChain,
    ForcingChain,
    Nishio,
    CellForcing,
    RegionForcing,
    DynamicCellForcing(u8),
    DynamicRegionForcing(u8),
    DynamicContradiction(u8),
    DynamicDouble(u8),
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SETS: [&str; 3] = ["Pair", "Triplet", "Quad"];
        let set = |size: u8| SETS[usize::from(size) - 2];
        let nested = |name: &str, level: u8| {
            let inner = [
                "",
                " (+)",
                " (+ Forcing Chains)",
                " (+ Multiple Forcing Chains)",
                " (+ Dynamic Forcing Chains)",
            ];
            let deepest = " (+ Dynamic Forcing Chains (+ Forcing Chains))";
            format!("Dynamic {name} Chains{}", inner.get(usize::from(level)).unwrap_or(&deepest))
        };
        let name = match *self {
            Technique::HiddenSingle => "Hidden Single".to_string(),
            Technique::DirectPointing => "Direct Pointing".to_string(),
            Technique::DirectClaiming => "Direct Claiming".to_string(),
            Technique::DirectHiddenPair => "Direct Hidden Pair".to_string(),
            Technique::NakedSingle => "Naked Single".to_string(),
            Technique::DirectHiddenTriplet => "Direct Hidden Triplet".to_string(),
            Technique::Pointing => "Pointing".to_string(),
            Technique::Claiming => "Claiming".to_string(),
            Technique::NakedSet(size) => format!("Naked {}", set(size)),
            Technique::Fish(size) => {
                ["X-Wing", "Swordfish", "Jellyfish"][usize::from(size) - 2].to_string()
            }
            Technique::HiddenSet(size) => format!("Hidden {}", set(size)),
            Technique::XyWing => "XY-Wing".to_string(),
            Technique::XyzWing => "XYZ-Wing".to_string(),
            Technique::UniqueLoop(4, kind) => format!("Unique Rectangle type {kind}"),
            Technique::UniqueLoop(length, kind) => format!("Unique Loop {length} type {kind}"),
            Technique::Bug(kind) => format!("BUG type {kind}"),
            Technique::AlignedExclusion(size) => format!("Aligned {} Exclusion", set(size)),
            Technique::XCycle => "Bidirectional X-Cycle".to_string(),
            Technique::YCycle => "Bidirectional Y-Cycle".to_string(),
            Technique::Cycle => "Bidirectional Cycle".to_string(),
            Technique::ForcingXChain => "Forcing X-Chain".to_string(),
            Technique::ForcingChain => "Forcing Chain".to_string(),
            Technique::Nishio => "Nishio Forcing Chains".to_string(),
            Technique::CellForcing => "Cell Forcing Chains".to_string(),
            Technique::RegionForcing => "Region Forcing Chains".to_string(),
            Technique::DynamicCellForcing(level) => nested("Cell Forcing", level),
            Technique::DynamicRegionForcing(level) => nested("Region Forcing", level),
            Technique::DynamicContradiction(level) => nested("Contradiction Forcing", level),
            Technique::DynamicDouble(level) => nested("Double Forcing", level),
        };
        f.pad(&name)
    }
}

/// One step: its removals or its placement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hint {
    pub technique: Technique,
    /// The rating as a floating-point number, so that sums of tenths compare as in Sudoku
    /// Explainer.
    pub rating: f64,
    /// Cells and the digits they lose.
    pub removes: Vec<(usize, u16)>,
    /// The placed cell and digit, both numbered from 0.
    pub places: Option<(usize, usize)>,
}

impl Hint {
    pub fn placing(technique: Technique, rating: f64, cell: usize, digit: usize) -> Hint {
        Hint { technique, rating, removes: Vec::new(), places: Some((cell, digit)) }
    }

    pub fn removing(technique: Technique, rating: f64, removes: Vec<(usize, u16)>) -> Hint {
        Hint { technique, rating, removes, places: None }
    }

    pub fn apply(&self, board: &mut Board) {
        for &(cell, digits) in &self.removes {
            for digit in ones(digits & board.digits[cell]) {
                board.remove(cell, digit);
            }
        }
        if let Some((cell, digit)) = self.places {
            board.place(cell, digit);
        }
    }
}
