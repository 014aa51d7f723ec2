//! What techniques are sorted by: the levels of HoDoKu, and the chapters in which they are taught.

use std::fmt;

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

impl HodokuLevel {
    /// All levels, the easiest first.
    pub const ALL: [HodokuLevel; 5] = [
        HodokuLevel::Easy,
        HodokuLevel::Medium,
        HodokuLevel::Hard,
        HodokuLevel::Unfair,
        HodokuLevel::Extreme,
    ];

    /// Its name.
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

/// Techniques that are learned together. A tier says how hard a technique is; a chapter puts kin beside kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chapter {
    /// Singles.
    First,
    /// Boxes, lines and subsets.
    Subsets,
    /// Fish without fins, and wings.
    Wings,
    /// What rests on uniqueness.
    Unique,
    /// Fins and colours.
    Colours,
    /// Chains and almost locked sets.
    Chains,
    /// What is left when nothing else helps.
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

    /// Its title.
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
