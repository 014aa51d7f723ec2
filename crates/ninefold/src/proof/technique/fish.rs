//! The sorts of fish: size, houses, fins.

/// The sort of a fish. Only basic fish can be sashimi, and only two fish with fins can be siamese.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fish {
    size: FishSize,
    shape: Shape,
    fins: Fins,
    siamese: bool,
}

/// How many base houses a fish has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FishSize {
    /// Two.
    XWing,
    /// Three.
    Swordfish,
    /// Four.
    Jellyfish,
    /// Five.
    Squirmbag,
    /// Six.
    Whale,
    /// Seven.
    Leviathan,
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

    /// A fish of this shape, with or without fins; `None` if a fish with boxes were to be sashimi.
    pub const fn new(size: FishSize, shape: Shape, fins: Fins) -> Option<Fish> {
        match (shape, fins) {
            (Shape::Franken | Shape::Mutant, Fins::Sashimi) => None,
            _ => Some(Fish { size, shape, fins, siamese: false }),
        }
    }

    /// Two such fish with the same base houses, taken together; `None` if it has no fins, for then there is only one.
    pub const fn siamese(self) -> Option<Fish> {
        match self.fins {
            Fins::None => None,
            Fins::Finned | Fins::Sashimi => Some(Fish { siamese: true, ..self }),
        }
    }

    /// How many base houses it has.
    pub const fn size(self) -> FishSize {
        self.size
    }

    /// Which houses it may use.
    pub const fn shape(self) -> Shape {
        self.shape
    }

    /// What stands outside its cover houses.
    pub const fn fins(self) -> Fins {
        self.fins
    }

    /// Is it two fish with the same base houses, taken together?
    pub const fn is_siamese(self) -> bool {
        self.siamese
    }
}
