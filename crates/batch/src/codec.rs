//! Serializes the table function `generate` in query plans, so that a cluster can send them between
//! its processes.
//!
//! A plan with `generate` is encoded as JSON after a unique prefix. All other plans are passed to
//! Ballista's codecs.

use crate::generate::{GenerateExec, GenerateExecMessage, GenerateRequest, GenerateTable};
use arrow::datatypes::SchemaRef;
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::catalog::TableProvider;
use datafusion::common::{DataFusionError, Result, TableReference};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

const PREFIX: &[u8] = b"\xffninefold generate\n";

fn encode(buffer: &mut Vec<u8>, value: &impl Serialize) -> Result<()> {
    buffer.extend_from_slice(PREFIX);
    serde_json::to_writer(buffer, value).map_err(|error| DataFusionError::External(Box::new(error)))
}

/// Decodes a message; `None` if it does not start with [`PREFIX`].
fn decode<T: DeserializeOwned>(buffer: &[u8]) -> Result<Option<T>> {
    let Some(rest) = buffer.strip_prefix(PREFIX) else { return Ok(None) };
    serde_json::from_slice(rest)
        .map(Some)
        .map_err(|error| DataFusionError::External(Box::new(error)))
}

/// Serializes logical plans, which a client sends to the scheduler.
#[derive(Debug, Default)]
pub struct LogicalCodec(BallistaLogicalExtensionCodec);

impl LogicalExtensionCodec for LogicalCodec {
    fn try_decode(
        &self,
        buffer: &[u8],
        inputs: &[LogicalPlan],
        context: &TaskContext,
    ) -> Result<Extension> {
        self.0.try_decode(buffer, inputs, context)
    }

    fn try_encode(&self, node: &Extension, buffer: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode(node, buffer)
    }

    fn try_decode_table_provider(
        &self,
        buffer: &[u8],
        name: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        match decode::<GenerateRequest>(buffer)? {
            Some(request) => Ok(Arc::new(GenerateTable::new(request)?.in_one_part())),
            None => self.0.try_decode_table_provider(buffer, name, schema, context),
        }
    }

    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        buffer: &mut Vec<u8>,
    ) -> Result<()> {
        match table.downcast_ref::<GenerateTable>() {
            Some(ours) => encode(buffer, &ours.request),
            None => self.0.try_encode_table_provider(name, table, buffer),
        }
    }

    fn try_decode_file_format(
        &self,
        buffer: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.0.try_decode_file_format(buffer, context)
    }

    fn try_encode_file_format(
        &self,
        buffer: &mut Vec<u8>,
        format: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.0.try_encode_file_format(buffer, format)
    }
}

/// Serializes physical plans, which the scheduler sends to the executors.
#[derive(Debug, Default)]
pub struct PhysicalCodec(BallistaPhysicalExtensionCodec);

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode(
        &self,
        buffer: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match decode::<GenerateExecMessage>(buffer)? {
            Some(message) => Ok(Arc::new(GenerateExec::from_message(message)?)),
            None => self.0.try_decode(buffer, inputs, context, converter),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buffer: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        match node.downcast_ref::<GenerateExec>() {
            Some(ours) => encode(buffer, &ours.to_message()),
            None => self.0.try_encode(node, buffer, converter),
        }
    }
}
