//! Grids for serde: this is where we say how sizes, cells, digits and grids are written into JSON and its kin.
//!
//! | type | written as |
//! |---|---|
//! | [`Digit`] | its number, 1 to 64 |
//! | [`DigitSet`] | the numbers of its digits, in ascending order |
//! | [`Cell`] | its index in reading order, counted from 0 |
//! | [`Order`] | the shape of its boxes, `"2x3"` |
//! | [`Grid`] | its line, `"1..4..1..3..4..3"`; before it the shape of the boxes and a colon, where it is not the usual one |
//!
//! A grid need not keep the rules, as that of a player may not; whatever no grid can hold is an error.

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
            Err(D::Error::custom(format!(
                "there is no cell {index}; the largest grid ends with {last}"
            )))
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
        let (order, line) = (self.order(), text::line(self));
        if Order::of_side(order.side()) == Some(order) {
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
        text::read_position(line, order).map_err(D::Error::custom)
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
    fn digits_cells_and_sizes_are_written_and_read_again() {
        check(Digit::new(64), "64");
        check(DigitSet::from_bits(0b1011), "[1,2,4]");
        check(DigitSet::EMPTY, "[]");
        check(Cell::new(4095), "4095");
        check(Order::boxes(3, 2).unwrap(), "\"3x2\"");
    }

    #[test]
    fn a_grid_of_every_shape_is_written_and_read_again() {
        check("1..4..1..3..4..3".parse::<Grid>().unwrap(), "\"1..4..1..3..4..3\"");
        for rows in 2..=8 {
            for columns in 2..=8 {
                let order = Order::boxes(rows, columns).unwrap();
                let mut grid = Grid::empty(order);
                for (cell, digit) in order.cells().step_by(order.side() + 1).zip(order.digits()) {
                    grid.set(cell, Some(digit));
                }
                let json = to_string(&grid).unwrap();
                assert_eq!(from_str::<Grid>(&json).unwrap(), grid, "{json}");
                assert_eq!(
                    json.starts_with(&format!("\"{rows}x{columns}:")),
                    Order::of_side(order.side()) != Some(order)
                );
            }
        }
    }

    #[test]
    fn a_grid_that_breaks_the_rules_is_kept_as_it_is() {
        let mut grid = Grid::empty(Order::FOUR);
        grid.set(Cell::new(0), Digit::new(1));
        grid.set(Cell::new(1), Digit::new(1));
        check(grid, "\"11..............\"");
    }

    #[test]
    fn what_no_grid_can_hold_is_an_error() {
        let check = |error: serde_json::Error, expected: &str| {
            let said = error.to_string();
            assert!(said.starts_with(expected), "{said}");
        };
        check(
            from_str::<Digit>("0").unwrap_err(),
            "\"0\" is not a digit; digits are numbers from 1 to 64",
        );
        check(
            from_str::<Cell>("4096").unwrap_err(),
            "there is no cell 4096; the largest grid ends with 4095",
        );
        check(from_str::<Order>("\"1x9\"").unwrap_err(), "boxes of 1 rows × 9 columns");
        check(from_str::<Grid>("\"1..4\"").unwrap_err(), "4 cells");
        check(from_str::<Grid>("\"3x2:1..4\"").unwrap_err(), "4 cells");
    }
}
