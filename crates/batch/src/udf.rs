//! Adapts Ninefold's SQL functions to the interface of the query engine.

use crate::functions::{Argument, Function, Kind, Rows, columns, row_count};
use crate::version;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Creates a scalar function of the engine. `version` is the version of this process, which the
/// function compares with that of the client whenever it runs.
pub fn new(function: &Function, version: &'static str) -> ScalarUDF {
    let signature = Signature::user_defined(Volatility::Immutable);
    ScalarUDF::new_from_impl(Adapter { function: *function, signature, version })
}

#[derive(Debug)]
struct Adapter {
    function: Function,
    signature: Signature,
    version: &'static str,
}

/// The engine compares functions to find equal expressions.
impl PartialEq for Adapter {
    fn eq(&self, other: &Adapter) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Adapter {}

impl Hash for Adapter {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl Adapter {
    /// Rejects a constant that belongs to another argument, as in `rate(puzzle, 'se')`.
    fn reject_exchanged(&self, argument: &Argument, value: &str) -> Result<()> {
        let arguments = self.function.arguments;
        let is_other = |other: &Argument| other.choices.contains(&value);
        match arguments.iter().find(|other| other.name != argument.name && is_other(other)) {
            Some(other) if argument.choices.is_empty() => {
                let name = self.function.name;
                let names: Vec<&str> = arguments.iter().map(|argument| argument.name).collect();
                let (names, other, argument) = (names.join(", "), other.name, argument.name);
                plan_err!(
                    "{name}: '{value}' is a {other}, not a {argument}; expected {name}({names})"
                )
            }
            _ => Ok(()),
        }
    }
}

/// Whether values of a type, which is not one of the usual text types, can be an argument. Numbers
/// are not texts: a number is never a puzzle.
fn can_be(given: &DataType, kind: Kind) -> bool {
    match (given, kind) {
        (DataType::Null, _) => true,
        (DataType::Dictionary(_, value), kind) => can_be(value, kind),
        (
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView,
            Kind::Text,
        ) => true,
        (given, Kind::Integer) => given.is_integer(),
        (given, Kind::Number) => given.is_numeric(),
        (given, Kind::Boolean) => *given == DataType::Boolean,
        (_, Kind::Text) => false,
    }
}

impl ScalarUDFImpl for Adapter {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.function.result.data_type())
    }

    /// Rejects invalid constant arguments before the query runs.
    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        for (argument, value) in self.function.arguments.iter().zip(args.scalar_arguments) {
            let Some(value) = value.and_then(|value| value.try_as_str().flatten()) else {
                continue;
            };
            if !argument.choices.is_empty() && !argument.choices.contains(&value) {
                let (name, choices) = (argument.name, argument.choices.join(", "));
                return plan_err!("unknown {name} '{value}', expected one of {choices}");
            }
            self.reject_exchanged(argument, value)?;
        }
        Ok(Arc::new(Field::new(self.function.name, self.function.result.data_type(), true)))
    }

    /// Keeps the representation of texts and casts everything else to the type of the argument.
    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let expected = self.function.arguments;
        if given.len() != expected.len() {
            let names: Vec<&str> = expected.iter().map(|argument| argument.name).collect();
            let name = self.function.name;
            return plan_err!(
                "{name}: expected the arguments ({}), found {}",
                names.join(", "),
                given.len()
            );
        }
        given
            .iter()
            .zip(expected)
            .map(|(given, argument)| match (given, argument.kind) {
                (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View, Kind::Text) => {
                    Ok(given.clone())
                }
                (given, kind) if can_be(given, kind) => Ok(kind.data_type()),
                (given, _) => {
                    let (name, argument, kind) =
                        (self.function.name, argument.name, argument.kind.name());
                    plan_err!("{name}: expected {kind} for {argument}, found {given}")
                }
            })
            .collect()
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        // Plans contain only function names, so a process of another version may compute other
        // results.
        if let Some(difference) =
            version::difference(&args.config_options, self.version, "an executor")
        {
            return exec_err!("{difference}");
        }
        let inputs = ColumnarValue::values_to_arrays(&args.args)?;
        let columns = columns(&inputs, self.function.arguments)?;
        let results = (self.function.body)(&Rows::new(&columns));
        if results.len() != row_count(&columns) {
            return exec_err!("this is a bug in Ninefold: {} lost rows", self.function.name);
        }
        Ok(ColumnarValue::Array(results))
    }
}
