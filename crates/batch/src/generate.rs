//! The table function `generate(seed, count, options)`, which generates puzzles on demand.
//!
//! Each row depends only on the seed, its number and the options, not on the machine or on other
//! rows. So the numbers are divided into parts that run in parallel, and if a part is lost with its
//! executor, another executor generates the same rows again. If no puzzle that matches the options
//! is found for a number, its row has a NULL puzzle.

use crate::generate_args::GenerateArgs;
use arrow::array::{ArrayRef, Int64Array, Int64Builder, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, ScalarValue, plan_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
};
use ninefold::generate;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The help text.
pub const HELP: &str = "  generate(seed, count, options)  a table of new puzzles: number, puzzle, solution, clues
  options is text such as 'clues 24-26, minimal, symmetry half-turn, difficulty hard', or '' for any 9×9 puzzle
";

/// The arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenerateRequest {
    pub seed: u64,
    pub count: u64,
    /// The options as text.
    pub options: String,
}

impl GenerateRequest {
    /// The numbers of one of several parts.
    fn part(&self, part: u64, parts: u64) -> Range<u64> {
        let start =
            |part: u64| (u128::from(self.count) * u128::from(part) / u128::from(parts)) as u64;
        start(part)..start(part + 1)
    }
}

pub fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("number", DataType::Int64, false),
        Field::new("puzzle", DataType::Utf8, true),
        Field::new("solution", DataType::Utf8, true),
        Field::new("clues", DataType::Int64, true),
    ]))
}

#[derive(Debug)]
pub struct Generate;

impl TableFunctionImpl for Generate {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let [seed, count, options @ ..] = args.exprs() else {
            return plan_err!(
                "generate: expected a seed, a count and options, as in generate(7, 1000, 'clues 24-26')"
            );
        };
        let options = match options {
            [] => String::new(),
            [Expr::Literal(options, _)] if options.try_as_str().flatten().is_some() => {
                options.try_as_str().flatten().unwrap_or_default().to_string()
            }
            _ => return plan_err!("generate: expected options in quotes"),
        };
        let request = GenerateRequest {
            seed: number("seed", seed)?,
            count: number("count", count)?,
            options,
        };
        Ok(Arc::new(GenerateTable::new(request)?))
    }
}

fn number(name: &str, expression: &Expr) -> Result<u64> {
    let value = match expression {
        Expr::Literal(ScalarValue::Int64(Some(value)), _) => u64::try_from(*value).ok(),
        Expr::Literal(ScalarValue::UInt64(Some(value)), _) => Some(*value),
        _ => None,
    };
    value.map_or_else(|| plan_err!("generate: expected a {name} of at least 0"), Ok)
}

/// The table of a call.
#[derive(Debug)]
pub struct GenerateTable {
    pub request: GenerateRequest,
    args: Arc<GenerateArgs>,
    is_one_part: bool,
}

impl GenerateTable {
    /// Parses the options. Contradictory options are an error of the query.
    pub fn new(request: GenerateRequest) -> Result<GenerateTable> {
        let args = Arc::new(parse(&request.options)?);
        Ok(GenerateTable { request, args, is_one_part: false })
    }

    /// The same table, scanned as a single part. Ballista distributes the parts of a scan over
    /// tasks only for the tables that it knows. For this one, every task would generate all parts.
    #[cfg(feature = "cluster")]
    pub fn in_one_part(self) -> GenerateTable {
        GenerateTable { is_one_part: true, ..self }
    }
}

fn parse(options: &str) -> Result<GenerateArgs> {
    options.parse().map_err(|error: String| DataFusionError::Plan(format!("generate: {error}")))
}

#[async_trait]
impl TableProvider for GenerateTable {
    fn schema(&self) -> SchemaRef {
        schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Temporary
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let count = limit.map_or(self.request.count, |limit| self.request.count.min(limit as u64));
        check_count(count)?;
        let request = GenerateRequest { count, ..self.request.clone() };
        let parts =
            if self.is_one_part { 1 } else { parts(count, state.config().target_partitions()) };
        let columns = projection.cloned().unwrap_or_else(|| (0..schema().fields().len()).collect());
        Ok(Arc::new(GenerateExec::new(request, Arc::clone(&self.args), columns, parts)?))
    }
}

/// More rows are rejected: all cores of a cluster would need centuries, and no disk holds them.
const MAX_COUNT: u64 = 1_000_000_000_000;

/// An error if a query needs more puzzles than anybody can generate.
fn check_count(count: u64) -> Result<()> {
    if count <= MAX_COUNT {
        return Ok(());
    }
    let terabytes = 2 * 81 * u128::from(count) / 1_000_000_000_000;
    plan_err!(
        "generate: {count} puzzles and their solutions need about {terabytes} TB; at most {MAX_COUNT} puzzles can be generated at once"
    )
}

/// The number of parts: one per core, but at most one per puzzle.
fn parts(count: u64, cores: usize) -> usize {
    count.clamp(1, cores.max(1) as u64) as usize
}

/// The execution plan that generates the rows.
#[derive(Debug)]
pub struct GenerateExec {
    request: GenerateRequest,
    args: Arc<GenerateArgs>,
    columns: Vec<usize>,
    properties: Arc<PlanProperties>,
}

/// The serialized form of [`GenerateExec`].
#[cfg(any(test, feature = "cluster"))]
#[derive(Serialize, Deserialize)]
pub struct GenerateExecMessage {
    request: GenerateRequest,
    columns: Vec<usize>,
    parts: usize,
}

impl GenerateExec {
    fn new(
        request: GenerateRequest,
        args: Arc<GenerateArgs>,
        columns: Vec<usize>,
        parts: usize,
    ) -> Result<GenerateExec> {
        let schema = Arc::new(schema().project(&columns)?);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(parts),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(GenerateExec { request, args, columns, properties: Arc::new(properties) })
    }

    #[cfg(any(test, feature = "cluster"))]
    pub fn to_message(&self) -> GenerateExecMessage {
        let parts = self.properties.partitioning.partition_count();
        GenerateExecMessage { request: self.request.clone(), columns: self.columns.clone(), parts }
    }

    #[cfg(any(test, feature = "cluster"))]
    pub fn from_message(message: GenerateExecMessage) -> Result<GenerateExec> {
        let args = Arc::new(parse(&message.request.options)?);
        GenerateExec::new(message.request, args, message.columns, message.parts)
    }
}

impl DisplayAs for GenerateExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GenerateRequest { seed, count, options } = &self.request;
        write!(f, "GenerateExec: seed={seed}, count={count}, options='{options}'")
    }
}

impl ExecutionPlan for GenerateExec {
    fn name(&self) -> &str {
        "GenerateExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, part: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let parts = self.properties.partitioning.partition_count() as u64;
        let numbers = self.request.part(part as u64, parts);
        // Rated puzzles are slow, so their batches are small.
        let rows = if self.args.needs_rating() {
            16
        } else {
            context.session_config().batch_size() as u64
        };
        let (args, seed, columns) =
            (Arc::clone(&self.args), self.request.seed, self.columns.clone());
        let batches = numbers.clone().step_by(rows as usize).map(move |first| {
            let batch = first..numbers.end.min(first + rows);
            Ok(generate_batch(&args, seed, batch)?.project(&columns)?)
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), futures::stream::iter(batches))))
    }
}

/// Generates the rows with these numbers.
fn generate_batch(args: &GenerateArgs, seed: u64, numbers: Range<u64>) -> Result<RecordBatch> {
    let rows = (numbers.end - numbers.start) as usize;
    let mut puzzles = StringBuilder::with_capacity(rows, 81 * rows);
    let mut solutions = StringBuilder::with_capacity(rows, 81 * rows);
    let mut clues = Int64Builder::with_capacity(rows);
    let all = numbers.clone().map(|number| number as i64);
    generate::generate_many(&args.options(), seed, numbers, 1, |_, generated| {
        let generated = generated.ok();
        puzzles.append_option(generated.as_ref().map(|generated| generated.puzzle.to_string()));
        solutions.append_option(generated.as_ref().map(|generated| generated.solution.to_string()));
        clues.append_option(generated.map(|generated| generated.puzzle.clue_count() as i64));
        true
    });
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(all)),
        Arc::new(puzzles.finish()),
        Arc::new(solutions.finish()),
        Arc::new(clues.finish()),
    ];
    Ok(RecordBatch::try_new(schema(), columns)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_numbers_once() {
        for count in [0, 1, 7, 1_000_003] {
            let request = GenerateRequest { seed: 1, count, options: String::new() };
            let parts: Vec<Range<u64>> = (0..7).map(|part| request.part(part, 7)).collect();
            assert_eq!((parts[0].start, parts[6].end), (0, count));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn rejects_results_that_fit_on_no_disk() {
        assert!(check_count(MAX_COUNT).is_ok());
        let error = check_count(1_000_000_000_000_000).unwrap_err().to_string();
        assert!(error.contains("need about 162000 TB"), "{error}");
    }

    #[test]
    fn deserialized_plans_generate_the_same_rows() {
        let request = GenerateRequest { seed: 7, count: 20, options: "clues 30".to_string() };
        let args = Arc::new(parse(&request.options).unwrap());
        let exec = GenerateExec::new(request, Arc::clone(&args), vec![1, 3], 3).unwrap();
        let sent = serde_json::to_vec(&exec.to_message()).unwrap();
        let other = GenerateExec::from_message(serde_json::from_slice(&sent).unwrap()).unwrap();
        assert_eq!((other.request, other.columns), (exec.request, exec.columns));
        assert_eq!(other.properties.partitioning.partition_count(), 3);
        let part = generate_batch(&args, 7, 3..9).unwrap();
        assert_eq!(part, generate_batch(&args, 7, 0..20).unwrap().slice(3, 6));
    }
}
