//! Groups of techniques: the levels of HoDoKu and the chapters of the lessons.

use std::fmt;

/// The five difficulty levels of HoDoKu.
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
    /// All other techniques.
    Extreme,
}

impl HodokuLevel {
    /// All levels, the easiest first.
    pub const ALL: [HodokuLevel; 5] = [
        HodokuLevel::Easy,
        HodokuLevel::Medium,
        HodokuLevel::Hard,
        HodokuLevel::Unfair,
        HodokuLevel::Extreme,
    ];

    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            HodokuLevel::Easy => "easy",
            HodokuLevel::Medium => "medium",
            HodokuLevel::Hard => "hard",
            HodokuLevel::Unfair => "unfair",
            HodokuLevel::Extreme => "extreme",
        }
    }
}

impl fmt::Display for HodokuLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A chapter of the lessons. In contrast to a tier, which measures difficulty, a chapter groups
/// related techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chapter {
    /// Singles.
    First,
    /// Boxes, lines and subsets.
    Subsets,
    /// Fish without fins, and wings.
    Wings,
    /// Techniques that assume a unique solution.
    Unique,
    /// Fins and colours.
    Colours,
    /// Chains and almost locked sets.
    Chains,
    /// Techniques of last resort.
    Last,
}

impl Chapter {
    /// All chapters, the easiest first.
    pub const ALL: [Chapter; 7] = [
        Chapter::First,
        Chapter::Subsets,
        Chapter::Wings,
        Chapter::Unique,
        Chapter::Colours,
        Chapter::Chains,
        Chapter::Last,
    ];

    /// The name in texts.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Chapter::First => "first",
            Chapter::Subsets => "subsets",
            Chapter::Wings => "wings",
            Chapter::Unique => "unique",
            Chapter::Colours => "colours",
            Chapter::Chains => "chains",
            Chapter::Last => "last",
        }
    }

    /// The title of the chapter.
    pub const fn title(self) -> &'static str {
        match self {
            Chapter::First => "First steps",
            Chapter::Subsets => "Boxes, lines and subsets",
            Chapter::Wings => "Fish and wings",
            Chapter::Unique => "Only one solution",
            Chapter::Colours => "Fins and colours",
            Chapter::Chains => "Chains and almost locked sets",
            Chapter::Last => "Last resorts",
        }
    }
}

impl fmt::Display for Chapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}
