//! Parses library enums as option values, so that no enum is declared a second time here.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A parser for the values in `all`, each written as its name.
pub fn parser<T>(
    all: impl IntoIterator<Item = T>,
    name: impl Fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let values: Vec<_> = all.into_iter().map(|value| (value, name(value), "")).collect();
    parser_with_help(values)
}

/// A parser for values that are given with their names and descriptions.
pub fn parser_with_help<T>(
    values: impl IntoIterator<Item = (T, &'static str, &'static str)>,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let values: Vec<_> = values.into_iter().collect();
    let possible = values.iter().map(|&(_, name, help)| match help {
        "" => PossibleValue::new(name),
        _ => PossibleValue::new(name).help(help),
    });
    let names = PossibleValuesParser::new(possible);
    names.map(move |typed| {
        let found = values.iter().find(|(_, name, _)| *name == typed);
        found.expect("the parser accepts only these names").0
    })
}
