//! The kinds of variants and their names.

use crate::grid::Order;
use std::fmt;
use std::str::FromStr;

/// A kind of variant that can be generated. Kinds can be combined: a killer with diagonals.
///
/// ```
/// use ninefold::generate::variants::VariantKind;
///
/// let kinds = VariantKind::parse_list("killer,x")?;
/// assert_eq!(kinds, [VariantKind::Killer, VariantKind::X]);
/// assert!("circus".parse::<VariantKind>().unwrap_err().to_string().contains("killer, jigsaw"));
/// # Ok::<(), ninefold::generate::variants::UnknownVariantError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum VariantKind {
    /// Cages of different digits with a given sum.
    Killer,
    /// Irregular regions instead of boxes.
    Jigsaw,
    /// Only rows and columns contain every digit.
    NoBoxes,
    /// The digits on both main diagonals differ.
    X,
    /// Four extra regions inside a 9×9 grid.
    Windoku,
    /// Cells at the same place in their boxes contain different digits.
    DisjointGroups,
    /// Additional connected regions with every digit.
    ExtraRegions,
    /// Cells a knight's move apart differ.
    AntiKnight,
    /// Cells that touch diagonally differ.
    AntiKing,
    /// Orthogonal neighbours are not consecutive.
    Nonconsecutive,
    /// Some cells are marked as even or odd.
    EvenOdd,
    /// Digits increase from the bulb of a thermometer.
    Thermo,
    /// Digits increase or stay equal from the bulb of a thermometer.
    SlowThermo,
    /// The digits along an arrow add up to the digit in its circle.
    Arrow,
    /// The digits between the two circles add up to the sum of the circles.
    DoubleArrow,
    /// White dots (consecutive) and black dots (double); all dots are given.
    Kropki,
    /// White dots between all consecutive neighbours.
    Consecutive,
    /// X (sum 10) and V (sum 5) between all neighbours with these sums.
    Xv,
    /// Inequality signs between neighbours of the same region.
    GreaterThan,
    /// Neighbours on a line differ by at least half the number of digits (5 on 9×9).
    Whispers,
    /// Lines of consecutive digits in any order.
    Renban,
    /// Lines without equal or consecutive digits.
    Nabner,
    /// Lines that read the same from both ends.
    Palindrome,
    /// Digits inside a line are between those at its ends.
    Between,
    /// Digits inside a line are outside the range of those at its ends.
    Lockout,
    /// Lines with the same sum in every region.
    RegionSum,
    /// Lines of which any three cells in a row contain a low, a middle and a high digit.
    Entropic,
    /// Lines of which any three cells in a row have different remainders by 3.
    Modular,
    /// Lines whose cells at equal distance from the middle have the same sum as the middle.
    Zipper,
    /// Sums of the digits between the smallest and the largest digit of rows and columns.
    Sandwich,
    /// The number of visible digits of rows and columns.
    Skyscraper,
    /// Sums of the first X digits, where X is the first digit.
    XSum,
    /// The X-th digit, where X is the first digit.
    NumberedRoom,
    /// Sums along diagonals.
    LittleKiller,
    /// Digits that appear in the four cells around a corner.
    Quadruple,
    /// Groups of cells with the same digits.
    Clone,
    /// Cells that are greater or smaller than their neighbours.
    MinMax,
    /// Circles whose digits tell how many circles contain the digit.
    CountingCircles,
    /// Cells whose digit tells the place of a digit in their row or column.
    Indexer,
}

use VariantKind::*;

/// Names of the kinds, in the order of the documentation.
const NAMES: [(VariantKind, &str); 39] = [
    (Killer, "killer"),
    (Jigsaw, "jigsaw"),
    (NoBoxes, "no-boxes"),
    (X, "x"),
    (Windoku, "windoku"),
    (DisjointGroups, "disjoint-groups"),
    (ExtraRegions, "extra-regions"),
    (AntiKnight, "anti-knight"),
    (AntiKing, "anti-king"),
    (Nonconsecutive, "nonconsecutive"),
    (EvenOdd, "even-odd"),
    (Thermo, "thermo"),
    (SlowThermo, "slow-thermo"),
    (Arrow, "arrow"),
    (DoubleArrow, "double-arrow"),
    (Kropki, "kropki"),
    (Consecutive, "consecutive"),
    (Xv, "xv"),
    (GreaterThan, "greater-than"),
    (Whispers, "whispers"),
    (Renban, "renban"),
    (Nabner, "nabner"),
    (Palindrome, "palindrome"),
    (Between, "between"),
    (Lockout, "lockout"),
    (RegionSum, "region-sum"),
    (Entropic, "entropic"),
    (Modular, "modular"),
    (Zipper, "zipper"),
    (Sandwich, "sandwich"),
    (Skyscraper, "skyscraper"),
    (XSum, "x-sum"),
    (NumberedRoom, "numbered-rooms"),
    (LittleKiller, "little-killer"),
    (Quadruple, "quadruple"),
    (Clone, "clone"),
    (MinMax, "min-max"),
    (CountingCircles, "counting-circles"),
    (Indexer, "indexer"),
];

impl VariantKind {
    /// All kinds.
    pub fn all() -> impl ExactSizeIterator<Item = VariantKind> {
        NAMES.iter().map(|(kind, _)| *kind)
    }

    /// The name of the kind, for example `killer`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let entry = NAMES.iter().find(|(kind, _)| *kind == self);
        entry.expect("every kind has a name").1
    }

    /// Parses names separated by commas.
    pub fn parse_list(text: &str) -> Result<Vec<VariantKind>, UnknownVariantError> {
        let mut kinds = Vec::new();
        for name in text.split(',') {
            let kind = name.trim().parse()?;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Ok(kinds)
    }

    /// Why grids of this size cannot have the kind; `None` if they can.
    pub(super) fn obstacle(self, order: Order, kinds: &[VariantKind]) -> Option<&'static str> {
        let side = order.side();
        match self {
            Windoku if side != 9 => Some("it is defined for 9×9 grids"),
            DisjointGroups if kinds.contains(&Jigsaw) || kinds.contains(&NoBoxes) => {
                Some("it needs rectangular boxes")
            }
            RegionSum if kinds.contains(&NoBoxes) => Some("it needs regions"),
            Entropic if !side.is_multiple_of(3) => Some("it needs a side that is divisible by 3"),
            _ => None,
        }
    }
}

impl fmt::Display for VariantKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not the name of a kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant {found:?}; expected one of {}", names())]
#[non_exhaustive]
pub struct UnknownVariantError {
    /// The unknown name.
    pub found: String,
}

fn names() -> String {
    NAMES.map(|(_, name)| name).join(", ")
}

/// Parses the name of a kind. Upper and lower case are equal.
impl FromStr for VariantKind {
    type Err = UnknownVariantError;

    fn from_str(text: &str) -> Result<VariantKind, UnknownVariantError> {
        let entry = NAMES.iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
        entry.map(|entry| entry.0).ok_or_else(|| UnknownVariantError { found: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_name_that_parses() {
        for kind in VariantKind::all() {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(kind.name().to_uppercase().parse(), Ok(kind));
        }
        let mut names = NAMES.map(|(_, name)| name);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        let mut kinds: Vec<VariantKind> = VariantKind::all().collect();
        kinds.dedup();
        assert_eq!(kinds.len(), VariantKind::Indexer as usize + 1, "a kind has no name");
    }

    #[test]
    fn lists_are_parsed_and_unknown_names_are_reported() {
        assert_eq!(VariantKind::parse_list("thermo, arrow,thermo"), Ok(vec![Thermo, Arrow]));
        let error = VariantKind::parse_list("killer,").unwrap_err().to_string();
        assert!(
            error
                .starts_with("unknown variant \"\"; expected one of killer, jigsaw, no-boxes, x, ")
        );
    }
}
