//! The wire format of protocol buffers, restricted to what ONNX needs: integers and byte strings.

/// Builds a message.
#[derive(Clone, Debug, Default)]
pub struct Message(Vec<u8>);

impl Message {
    /// Adds an integer.
    pub fn number(&mut self, field: u64, number: u64) {
        self.varint(field << 3);
        self.varint(number);
    }

    /// Adds bytes.
    pub fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Adds a string.
    pub fn text(&mut self, field: u64, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    /// Adds another message.
    pub fn message(&mut self, field: u64, message: &Message) {
        self.bytes(field, &message.0);
    }

    /// The encoded message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Seven bits per byte, lowest first; the eighth bit marks that more bytes follow.
    fn varint(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }
}

/// A field of a message, with its number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field<'a> {
    /// An integer.
    Number(u64, u64),
    /// A string, bytes or a nested message.
    Bytes(u64, &'a [u8]),
    /// A number of four or eight bytes; not used.
    Fixed(u64),
}

impl<'a> Field<'a> {
    /// Its bytes, if it has this field number and is a byte string.
    pub fn bytes(&self, number: u64) -> Option<&'a [u8]> {
        match *self {
            Field::Bytes(found, bytes) if found == number => Some(bytes),
            _ => None,
        }
    }
}

/// Parses all fields of a message; `None` if the bytes are not a valid message.
pub fn fields(mut bytes: &[u8]) -> Option<Vec<Field<'_>>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let number = key >> 3;
        fields.push(match key & 7 {
            0 => Field::Number(number, varint(&mut bytes)?),
            1 => fixed(number, &mut bytes, 8)?,
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                Field::Bytes(number, bytes.split_off(..length)?)
            }
            5 => fixed(number, &mut bytes, 4)?,
            _ => return None,
        });
    }
    Some(fields)
}

/// Parses a packed field of integers.
pub fn packed(mut bytes: &[u8]) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    while !bytes.is_empty() {
        numbers.push(varint(&mut bytes)?);
    }
    Some(numbers)
}

fn fixed<'a>(number: u64, bytes: &mut &'a [u8], length: usize) -> Option<Field<'a>> {
    bytes.split_off(..length)?;
    Some(Field::Fixed(number))
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip_and_truncated_fields_are_rejected() {
        let mut inner = Message::default();
        inner.text(2, "ninefold");
        let mut message = Message::default();
        message.number(1, 300);
        message.message(7, &inner);
        message.number(20, u64::MAX);
        let bytes = message.into_bytes();
        // 300 is 0b10_0101100: the lower seven bits with the continuation bit, then the others.
        assert_eq!(bytes[..3], [0x08, 0xac, 0x02]);
        let found = fields(&bytes).unwrap();
        assert_eq!((found[0], found[2]), (Field::Number(1, 300), Field::Number(20, u64::MAX)));
        assert_eq!(fields(found[1].bytes(7).unwrap()), Some(vec![Field::Bytes(2, b"ninefold")]));
        // A field that is cut off is rejected.
        for length in [1, 2, 4, 8, bytes.len() - 1] {
            assert_eq!(fields(&bytes[..length]), None, "{length}");
        }
        assert_eq!(packed(&[0x05, 0xac, 0x02]), Some(vec![5, 300]));
    }
}
