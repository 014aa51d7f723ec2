//! The variants of fish: size, houses, fins.

/// A variant of fish. Only basic fish can be sashimi, and only fish with fins can be siamese.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fish {
    size: FishSize,
    shape: Shape,
    fins: Fins,
    siamese: bool,
}

/// The number of base houses of a fish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FishSize {
    /// Two base houses.
    XWing,
    /// Three base houses.
    Swordfish,
    /// Four base houses.
    Jellyfish,
    /// Five base houses.
    Squirmbag,
    /// Six base houses.
    Whale,
    /// Seven base houses.
    Leviathan,
}

/// The kinds of houses of a fish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// Rows and columns.
    Basic,
    /// Rows or boxes as base, columns or boxes as cover, or vice versa.
    Franken,
    /// Any houses.
    Mutant,
}

/// Base candidates outside the cover houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fins {
    /// No fins.
    None,
    /// There are fins; without them, the rest would be a fish.
    Finned,
    /// There are fins; without them, a base house would have only one place. Only basic fish are
    /// classified as sashimi.
    Sashimi,
}

impl FishSize {
    /// The number of base houses, from 2 to 7.
    pub const fn houses(self) -> usize {
        self as usize + 2
    }
}

impl Fish {
    /// A basic fish without fins.
    pub const fn basic(size: FishSize) -> Fish {
        Fish { size, shape: Shape::Basic, fins: Fins::None, siamese: false }
    }

    /// A fish of this shape, with or without fins. Returns `None` for sashimi fish that are not
    /// basic.
    pub const fn new(size: FishSize, shape: Shape, fins: Fins) -> Option<Fish> {
        match (shape, fins) {
            (Shape::Franken | Shape::Mutant, Fins::Sashimi) => None,
            _ => Some(Fish { size, shape, fins, siamese: false }),
        }
    }

    /// The combination of two such fish with the same base houses. Returns `None` without fins,
    /// because then there is only one.
    pub const fn siamese(self) -> Option<Fish> {
        match self.fins {
            Fins::None => None,
            Fins::Finned | Fins::Sashimi => Some(Fish { siamese: true, ..self }),
        }
    }

    /// The number of base houses.
    pub const fn size(self) -> FishSize {
        self.size
    }

    /// The kinds of houses.
    pub const fn shape(self) -> Shape {
        self.shape
    }

    /// The base candidates outside the cover houses.
    pub const fn fins(self) -> Fins {
        self.fins
    }

    /// Whether it is a combination of two fish with the same base houses.
    pub const fn is_siamese(self) -> bool {
        self.siamese
    }
}
