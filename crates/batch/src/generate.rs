//! `generate(seed, count, wish)`: a table whose rows are made when they are asked for.
//!
//! Puzzle number 5 of a seed is the same wherever and in whatever order it is made, so the numbers are divided into
//! parts, and a part that an executor lost is made again elsewhere with the same rows. A number whose wish was not met has
//! NULL for its puzzle.

use crate::wish::OwnedWish;
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

/// The help line.
pub const HELP: &str = "  generate(seed, count, wish)  a table: number, puzzle, solution, clues of so many new puzzles
  wish is text such as 'clues 24-26, minimal, symmetry half-turn, difficulty hard', or '' for any 9×9 puzzle
";

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The seed.
    pub seed: u64,
    /// How many puzzles.
    pub count: u64,
    /// The wish, as it was written.
    pub wish: String,
}

impl Request {
    /// The numbers of one of several parts.
    fn part(&self, part: u64, parts: u64) -> Range<u64> {
        let start =
            |part: u64| (u128::from(self.count) * u128::from(part) / u128::from(parts)) as u64;
        start(part)..start(part + 1)
    }
}

/// The columns.
pub fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("number", DataType::Int64, false),
        Field::new("puzzle", DataType::Utf8, true),
        Field::new("solution", DataType::Utf8, true),
        Field::new("clues", DataType::Int64, true),
    ]))
}

/// The function itself.
#[derive(Debug)]
pub struct Generate;

impl TableFunctionImpl for Generate {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let [seed, count, wish @ ..] = args.exprs() else {
            return plan_err!(
                "generate takes a seed, a count and a wish, as in generate(7, 1000, 'clues 24-26')"
            );
        };
        let wish = match wish {
            [] => String::new(),
            [Expr::Literal(wish, _)] if wish.try_as_str().flatten().is_some() => {
                wish.try_as_str().flatten().unwrap_or_default().to_string()
            }
            _ => return plan_err!("the wish of generate is a text in quotes"),
        };
        let request = Request { seed: number("seed", seed)?, count: number("count", count)?, wish };
        Ok(Arc::new(GenerateTable::new(request)?))
    }
}

fn number(name: &str, expression: &Expr) -> Result<u64> {
    let value = match expression {
        Expr::Literal(ScalarValue::Int64(Some(value)), _) => u64::try_from(*value).ok(),
        Expr::Literal(ScalarValue::UInt64(Some(value)), _) => Some(*value),
        _ => None,
    };
    value.map_or_else(|| plan_err!("the {name} of generate is a whole number, 0 or more"), Ok)
}

/// The table.
#[derive(Debug)]
pub struct GenerateTable {
    /// What is asked for.
    pub request: Request,
    wish: Arc<OwnedWish>,
    is_whole: bool,
}

impl GenerateTable {
    /// Reads the wish; one that no puzzle can meet is an error of the query.
    pub fn new(request: Request) -> Result<GenerateTable> {
        let wish = Arc::new(read(&request.wish)?);
        Ok(GenerateTable { request, wish, is_whole: false })
    }

    /// The same table, made in one part. Ballista divides a scan among tasks only if it is one of its own; of another every task
    /// would make all parts.
    pub fn whole(self) -> GenerateTable {
        GenerateTable { is_whole: true, ..self }
    }
}

fn read(wish: &str) -> Result<OwnedWish> {
    wish.parse()
        .map_err(|error: String| DataFusionError::Plan(format!("the wish of generate: {error}")))
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
        let request = Request { count, ..self.request.clone() };
        let parts =
            if self.is_whole { 1 } else { parts(count, state.config().target_partitions()) };
        let columns = projection.cloned().unwrap_or_else(|| (0..schema().fields().len()).collect());
        Ok(Arc::new(GenerateExec::new(request, Arc::clone(&self.wish), columns, parts)?))
    }
}

/// Enough parts for every core.
fn parts(count: u64, wanted: usize) -> usize {
    (count.clamp(1, wanted.max(1) as u64)) as usize
}

/// The making of the rows.
#[derive(Debug)]
pub struct GenerateExec {
    request: Request,
    wish: Arc<OwnedWish>,
    columns: Vec<usize>,
    properties: Arc<PlanProperties>,
}

/// What another process must know to make the same rows.
#[derive(Serialize, Deserialize)]
pub struct Shipped {
    request: Request,
    columns: Vec<usize>,
    parts: usize,
}

impl GenerateExec {
    fn new(
        request: Request,
        wish: Arc<OwnedWish>,
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
        Ok(GenerateExec { request, wish, columns, properties: Arc::new(properties) })
    }

    /// What to send to another process.
    pub fn shipped(&self) -> Shipped {
        let parts = self.properties.partitioning.partition_count();
        Shipped { request: self.request.clone(), columns: self.columns.clone(), parts }
    }

    /// What was sent from another process.
    pub fn unpacked(shipped: Shipped) -> Result<GenerateExec> {
        let wish = Arc::new(read(&shipped.request.wish)?);
        GenerateExec::new(shipped.request, wish, shipped.columns, shipped.parts)
    }
}

impl DisplayAs for GenerateExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { seed, count, wish } = &self.request;
        write!(f, "GenerateExec: seed={seed}, count={count}, wish='{wish}'")
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
        // Puzzles that must be rated take long; the rows that wait for them should be few.
        let rows = if self.wish.is_demanding() {
            16
        } else {
            context.session_config().batch_size() as u64
        };
        let (wish, seed, columns) =
            (Arc::clone(&self.wish), self.request.seed, self.columns.clone());
        let batches = numbers.clone().step_by(rows as usize).map(move |first| {
            let these = first..numbers.end.min(first + rows);
            Ok(made(&wish, seed, these)?.project(&columns)?)
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), futures::stream::iter(batches))))
    }
}

/// The rows with these numbers.
fn made(wish: &OwnedWish, seed: u64, numbers: Range<u64>) -> Result<RecordBatch> {
    let rows = (numbers.end - numbers.start) as usize;
    let mut puzzles = StringBuilder::with_capacity(rows, 81 * rows);
    let mut solutions = StringBuilder::with_capacity(rows, 81 * rows);
    let mut clues = Int64Builder::with_capacity(rows);
    let all = numbers.clone().map(|number| number as i64);
    generate::make_many(&wish.wish(), seed, numbers, 1, |_, made| {
        let made = made.ok();
        puzzles.append_option(made.as_ref().map(|made| made.puzzle.to_string()));
        solutions.append_option(made.as_ref().map(|made| made.solution.to_string()));
        clues.append_option(made.map(|made| made.puzzle.clue_count() as i64));
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
    fn the_parts_are_all_numbers_and_none_twice() {
        for count in [0, 1, 7, 1_000_003] {
            let request = Request { seed: 1, count, wish: String::new() };
            let parts: Vec<Range<u64>> = (0..7).map(|part| request.part(part, 7)).collect();
            assert_eq!((parts[0].start, parts[6].end), (0, count));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn what_is_sent_makes_the_same_rows() {
        let request = Request { seed: 7, count: 20, wish: "clues 30".to_string() };
        let wish = Arc::new(read(&request.wish).unwrap());
        let exec = GenerateExec::new(request, Arc::clone(&wish), vec![1, 3], 3).unwrap();
        let sent = serde_json::to_vec(&exec.shipped()).unwrap();
        let other = GenerateExec::unpacked(serde_json::from_slice(&sent).unwrap()).unwrap();
        assert_eq!((other.request, other.columns), (exec.request, exec.columns));
        assert_eq!(other.properties.partitioning.partition_count(), 3);
        assert_eq!(made(&wish, 7, 3..9).unwrap(), made(&wish, 7, 0..20).unwrap().slice(3, 6));
    }
}
