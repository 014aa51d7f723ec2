//! Serde implementation for techniques: serialized as the slug, `"x-wing"`, and deserialized from
//! any form of the name.

use super::Technique;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Technique {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.slug())
    }
}

impl<'de> Deserialize<'de> for Technique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Technique, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::{Cell, Digit};
    use crate::proof::{Candidate, Technique, all_techniques};
    use serde_json::{from_str, from_value, json, to_string, to_value};

    #[test]
    fn techniques_round_trip() {
        for technique in all_techniques() {
            let json = to_string(&technique).unwrap();
            assert_eq!(json, format!("{:?}", technique.slug()));
            assert_eq!(from_str::<Technique>(&json).unwrap(), technique);
        }
        let error = from_str::<Technique>("\"x-wingg\"").unwrap_err().to_string();
        assert!(
            error.starts_with("unknown technique \"x-wingg\"; did you mean x-wing?"),
            "{error}"
        );
    }

    #[test]
    fn candidate_serializes_as_cell_and_digit() {
        let candidate = Candidate::new(Cell::new(40), Digit::new(5).unwrap());
        assert_eq!(to_value(candidate).unwrap(), json!({ "cell": 40, "digit": 5 }));
        assert_eq!(from_value::<Candidate>(json!({ "cell": 40, "digit": 5 })).unwrap(), candidate);
    }
}
