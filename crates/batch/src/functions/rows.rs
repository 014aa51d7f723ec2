//! The arguments of a function for one batch of rows: one column per argument, converted to the
//! expected type. A constant argument is a column that repeats its value.

use super::Argument;
use super::Kind;
use arrow::array::{Array, ArrayRef, AsArray, Int64Array, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};
use arrow::error::ArrowError;

/// The arguments of a function for all rows of a batch.
pub struct Rows<'a> {
    columns: &'a [ArrayRef],
}

impl<'a> Rows<'a> {
    /// The columns must come from [`columns`].
    pub(crate) fn new(columns: &'a [ArrayRef]) -> Rows<'a> {
        Rows { columns }
    }

    /// A text column, by the index of its argument.
    pub fn text(&self, argument: usize) -> &'a StringViewArray {
        self.columns[argument].as_string_view()
    }

    /// An integer column, by the index of its argument.
    pub fn integer(&self, argument: usize) -> &'a Int64Array {
        self.columns[argument].as_primitive::<Int64Type>()
    }
}

/// Casts the columns to the types of the arguments. Texts become views, which copies no bytes.
pub(crate) fn columns(
    inputs: &[ArrayRef],
    arguments: &[Argument],
) -> Result<Vec<ArrayRef>, ArrowError> {
    inputs
        .iter()
        .zip(arguments)
        .map(|(column, argument)| cast(column, &column_type(argument.kind)))
        .collect()
}

fn column_type(kind: Kind) -> DataType {
    match kind {
        Kind::Text => DataType::Utf8View,
        other => other.data_type(),
    }
}

/// The number of rows.
pub(crate) fn count(columns: &[ArrayRef]) -> usize {
    columns.first().map_or(0, |column| column.len())
}

#[cfg(test)]
pub(crate) mod testing {
    //! Calls functions with one text per row.

    use super::super::{ALL, Function, Rows};
    use super::columns;
    use arrow::array::{ArrayRef, StringArray};
    use std::sync::Arc;

    /// A puzzle with one solution, and the solution.
    pub const PROPER: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    pub const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    pub fn function(name: &str) -> &'static Function {
        ALL.iter().find(|function| function.name == name).unwrap()
    }

    /// Calls a function whose arguments are all texts.
    pub fn call(function: &Function, arguments: &[&[Option<&str>]]) -> ArrayRef {
        let inputs: Vec<ArrayRef> = arguments
            .iter()
            .map(|column| Arc::new(StringArray::from(column.to_vec())) as ArrayRef)
            .collect();
        (function.body)(&Rows::new(&columns(&inputs, function.arguments).unwrap()))
    }
}
