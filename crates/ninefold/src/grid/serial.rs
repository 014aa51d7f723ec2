//! Serde implementations for sizes, cells, digits and grids.
//!
//! | type | serialized as |
//! |---|---|
//! | [`Digit`] | its number, 1 to 64 |
//! | [`DigitSet`] | the numbers of its digits, in ascending order |
//! | [`Cell`] | its index in reading order, counted from 0 |
//! | [`Order`] | the shape of its boxes, `"2x3"` |
//! | [`Grid`] | its line, `"1..4..1..3..4..3"`, prefixed with the shape of the boxes and a colon if it is not the default for the size |
//!
//! A grid with rules of its own cannot be serialized as a line; `ninefold-formats` writes it.
//!
//! A deserialized grid may break the rules, as a player's grid may. Digits that do not fit its size
//! are an error.

use super::{Cell, Digit, DigitSet, Grid, Order, text};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Digit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for Digit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digit, D::Error> {
        Digit::try_from(u8::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for DigitSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(*self)
    }
}

impl<'de> Deserialize<'de> for DigitSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DigitSet, D::Error> {
        Ok(Vec::<Digit>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.index() as u16)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        let index = usize::from(u16::deserialize(deserializer)?);
        let last = Order::MAX_SIDE * Order::MAX_SIDE - 1;
        if index <= last {
            Ok(Cell::new(index))
        } else {
            Err(D::Error::custom(format!("expected a cell index of at most {last}, found {index}")))
        }
    }
}

impl Serialize for Order {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&shape_of(*self))
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Order, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Serialize for Grid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Err(error) = self.require_classic("serialized grids are") {
            return Err(serde::ser::Error::custom(error));
        }
        let (order, line) = (self.order(), text::line(self));
        if Order::from_side(order.side()) == Some(order) {
            serializer.serialize_str(&line)
        } else {
            serializer.serialize_str(&format!("{}:{line}", shape_of(order)))
        }
    }
}

impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Grid, D::Error> {
        let written = String::deserialize(deserializer)?;
        let (order, line) = match written.split_once(':') {
            Some((shape, line)) => (Some(shape.parse().map_err(D::Error::custom)?), line),
            None => (None, written.as_str()),
        };
        text::parse_position(line, order).map_err(D::Error::custom)
    }
}

fn shape_of(order: Order) -> String {
    format!("{}x{}", order.box_rows(), order.box_columns())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_str, to_string};

    fn check<T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug>(
        value: T,
        expected: &str,
    ) {
        assert_eq!(to_string(&value).unwrap(), expected);
        assert_eq!(from_str::<T>(expected).unwrap(), value);
    }

    #[test]
    fn digits_cells_and_sizes_round_trip() {
        check(Digit::new(64), "64");
        check(DigitSet::from_bits(0b1011), "[1,2,4]");
        check(DigitSet::EMPTY, "[]");
        check(Cell::new(4095), "4095");
        check(Order::new(3, 2).unwrap(), "\"3x2\"");
    }

    #[test]
    fn grids_of_every_shape_round_trip() {
        check("1..4..1..3..4..3".parse::<Grid>().unwrap(), "\"1..4..1..3..4..3\"");
        for rows in 2..=8 {
            for columns in 2..=8 {
                let order = Order::new(rows, columns).unwrap();
                let mut grid = Grid::empty(order);
                for (cell, digit) in order.cells().step_by(order.side() + 1).zip(order.digits()) {
                    grid.set(cell, Some(digit));
                }
                let json = to_string(&grid).unwrap();
                assert_eq!(from_str::<Grid>(&json).unwrap(), grid, "{json}");
                assert_eq!(
                    json.starts_with(&format!("\"{rows}x{columns}:")),
                    Order::from_side(order.side()) != Some(order)
                );
            }
        }
    }

    #[test]
    fn grid_that_breaks_the_rules_round_trips() {
        let mut grid = Grid::empty(Order::FOUR);
        grid.set(Cell::new(0), Digit::new(1));
        grid.set(Cell::new(1), Digit::new(1));
        check(grid, "\"11..............\"");
    }

    #[test]
    fn rejects_invalid_values() {
        let check = |error: serde_json::Error, expected: &str| {
            let message = error.to_string();
            assert!(message.starts_with(expected), "{message}");
        };
        check(from_str::<Digit>("0").unwrap_err(), "expected a digit from 1 to 64, found \"0\"");
        check(
            from_str::<Cell>("4096").unwrap_err(),
            "expected a cell index of at most 4095, found 4096",
        );
        check(from_str::<Order>("\"1x9\"").unwrap_err(), "invalid box shape 1×9");
        check(from_str::<Grid>("\"1..4\"").unwrap_err(), "expected 16, 36 or 64 cells, found 4");
        check(from_str::<Grid>("\"3x2:1..4\"").unwrap_err(), "expected 36 cells");
    }
}
