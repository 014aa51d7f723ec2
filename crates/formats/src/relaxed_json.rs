//! Parses the shortened JSON of SudokuPad links: keys and colours without quotes, strings in single
//! quotes, `t` and `f` for booleans, and nothing for `{}` between two commas.

use serde_json::{Map, Value};

/// The maximum nesting depth, deeper than any puzzle.
const MAX_DEPTH: usize = 32;

/// Parses shortened or plain JSON.
pub(crate) fn read(text: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.rest.trim().is_empty().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek() {
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some('\'' | '"') => self.text().map(Value::String),
            // An omitted value is an empty object.
            Some(',' | ']' | '}') | None => Some(Value::Object(Map::new())),
            Some(_) => Some(word_value(&self.word())),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.take('{')?;
        let mut object = Map::new();
        if self.take('}').is_some() {
            return Some(Value::Object(object));
        }
        loop {
            let key = if matches!(self.peek()?, '\'' | '"') { self.text()? } else { self.word() };
            self.take(':')?;
            object.insert(key, self.value(depth + 1)?);
            if self.take('}').is_some() {
                return Some(Value::Object(object));
            }
            self.take(',')?;
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.take('[')?;
        let mut list = Vec::new();
        loop {
            list.push(self.value(depth + 1)?);
            if self.take(']').is_some() {
                return Some(Value::Array(list));
            }
            self.take(',')?;
        }
    }

    fn text(&mut self) -> Option<String> {
        let quote = self.peek()?;
        let mut text = String::new();
        let mut symbols = self.rest.char_indices().skip(1);
        while let Some((at, symbol)) = symbols.next() {
            match symbol {
                '\\' => text.push(symbols.next()?.1),
                end if end == quote => {
                    self.rest = &self.rest[at + quote.len_utf8()..];
                    return Some(text);
                }
                other => text.push(other),
            }
        }
        None
    }

    fn word(&mut self) -> String {
        let end = self.rest.find([',', ':', ']', '}', '[', '{']).unwrap_or(self.rest.len());
        let word = self.rest[..end].trim().to_string();
        self.rest = &self.rest[end..];
        word
    }

    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, symbol: char) -> Option<()> {
        self.rest = self.rest.trim_start();
        self.rest = self.rest.strip_prefix(symbol)?;
        Some(())
    }
}

fn word_value(word: &str) -> Value {
    match word {
        "t" | "true" => Value::Bool(true),
        "f" | "false" => Value::Bool(false),
        "null" => Value::Null,
        _ => serde_json::from_str(word).unwrap_or_else(|_| Value::String(word.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn restores_omitted_syntax() {
        assert_eq!(
            read("{ce:[[{v:5},,{v:7}],[,,]],r:t,c:#0,t:'it\\'s one'}"),
            Some(
                json!({ "ce": [[{ "v": 5 }, {}, { "v": 7 }], [{}, {}, {}]], "r": true, "c": "#0", "t": "it's one" })
            )
        );
        assert_eq!(read("{\"a\": [1, {}]}"), Some(json!({ "a": [1, {}] })));
    }

    #[test]
    fn rejects_incomplete_and_deeply_nested_text() {
        for text in ["{", "[1,", "{a:'b}", "{a:1}}", "{a:1", &"[".repeat(100)] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
