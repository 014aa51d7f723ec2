//! Files on web servers and in object stores: `https://…` and `s3://…`, with the feature `remote`.
//!
//! A store is created when a query uses it for the first time. The settings of S3, such as
//! `AWS_ACCESS_KEY_ID`, `AWS_REGION` and `AWS_ENDPOINT`, come from the environment of each process.

use crate::error::BatchError;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionContext;

/// Whether the name of a file is an address.
pub fn is_address(name: &str) -> bool {
    name.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// A runtime whose queries can read and write remote files, if this build supports them.
pub fn runtime() -> RuntimeEnvBuilder {
    let builder = RuntimeEnvBuilder::new();
    #[cfg(feature = "remote")]
    let builder =
        builder.with_object_store_registry(std::sync::Arc::new(stores::Stores::default()));
    builder
}

/// Files at an address.
#[derive(Debug)]
pub struct RemoteFiles {
    /// The address, which may contain a pattern.
    pub url: ListingTableUrl,
    /// The decompressed beginning of the first file, without a line that is not complete.
    pub beginning: Vec<u8>,
}

impl RemoteFiles {
    /// Finds the files at an address with this extension.
    pub async fn find(
        context: &SessionContext,
        address: &str,
        ending: &str,
    ) -> Result<RemoteFiles, BatchError> {
        // The engine parses patterns in local paths only.
        let url = match address.find(['*', '?', '[']) {
            None => ListingTableUrl::parse(address)?,
            Some(wildcard) => {
                let start = address[..wildcard].rfind('/').map_or(0, |slash| slash + 1);
                ListingTableUrl::parse(&address[..start])?.with_glob(&address[start..])?
            }
        };
        let beginning = beginning(context, address, &url, ending).await?;
        Ok(RemoteFiles { url, beginning })
    }
}

#[cfg(feature = "remote")]
async fn beginning(
    context: &SessionContext,
    address: &str,
    url: &ListingTableUrl,
    ending: &str,
) -> Result<Vec<u8>, BatchError> {
    use datafusion::object_store::{GetOptions, GetRange, ObjectStoreExt};
    use futures::TryStreamExt;
    use std::io::{BufReader, Cursor, Read};

    /// Enough for a thousand rows.
    const BYTES: u64 = 1 << 18;
    let cannot_read = |error: String| {
        BatchError::new(format!("cannot read {address}: {error}"))
            .hint("check the address, and for s3 the variables AWS_REGION, AWS_ENDPOINT and AWS_ACCESS_KEY_ID")
    };
    let store = context.runtime_env().object_store(url)?;
    let state = context.state();
    let mut files = url.list_all_files(&state, store.as_ref(), ending).await?;
    let first = files.try_next().await.map_err(|error| cannot_read(error.to_string()))?;
    let first = first.ok_or_else(|| cannot_read("no file matches".to_string()))?;
    let range = Some(GetRange::Bounded(0..first.size.min(BYTES)));
    let bytes = async {
        if first.size <= BYTES {
            store.get(&first.location).await?.bytes().await
        } else {
            let options = GetOptions { range, ..GetOptions::default() };
            store.get_opts(&first.location, options).await?.bytes().await
        }
    };
    let bytes = bytes.await.map_err(|error| cannot_read(error.to_string()))?;
    let (_, mut reader) = ninefold_formats::decompress(BufReader::new(Cursor::new(bytes)))
        .map_err(|error| cannot_read(error.to_string()))?;
    let mut text = Vec::new();
    // The end of a compressed file is missing, which is an error after the last complete block.
    let is_complete = reader.read_to_end(&mut text).is_ok() && first.size <= BYTES;
    if !is_complete {
        let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        text.truncate(end);
    }
    Ok(text)
}

/// The error of a build without support for remote files.
#[cfg(not(feature = "remote"))]
async fn beginning(
    _: &SessionContext,
    address: &str,
    _: &ListingTableUrl,
    _: &str,
) -> Result<Vec<u8>, BatchError> {
    Err(BatchError::new(format!("cannot read {address}: this build reads local files only"))
        .hint("build with --features remote, or copy the file to this machine"))
}

#[cfg(feature = "remote")]
mod stores {
    use datafusion::common::exec_err;
    use datafusion::error::Result;
    use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
    use datafusion::object_store::aws::AmazonS3Builder;
    use datafusion::object_store::http::HttpBuilder;
    use datafusion::object_store::{ClientOptions, ObjectStore};
    use std::sync::Arc;
    use url::{Position, Url};

    /// Creates the store of an address when it is used for the first time.
    #[derive(Debug, Default)]
    pub struct Stores(DefaultObjectStoreRegistry);

    impl ObjectStoreRegistry for Stores {
        fn register_store(
            &self,
            url: &Url,
            store: Arc<dyn ObjectStore>,
        ) -> Option<Arc<dyn ObjectStore>> {
            self.0.register_store(url, store)
        }

        fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
            self.0.deregister_store(url)
        }

        fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
            if let Ok(store) = self.0.get_store(url) {
                return Ok(store);
            }
            let store: Arc<dyn ObjectStore> = match url.scheme() {
                "http" | "https" => {
                    let options = ClientOptions::new().with_allow_http(true);
                    let server = &url[..Position::BeforePath];
                    let builder = HttpBuilder::new().with_url(server);
                    Arc::new(builder.with_client_options(options).build()?)
                }
                "s3" => {
                    let bucket = url.host_str().unwrap_or_default();
                    Arc::new(AmazonS3Builder::from_env().with_bucket_name(bucket).build()?)
                }
                scheme => {
                    return exec_err!("unknown scheme {scheme:?}, expected http, https or s3");
                }
            };
            self.0.register_store(url, Arc::clone(&store));
            Ok(store)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_scheme() {
        assert!(is_address("https://example.org/a.csv") && is_address("s3://bucket/a.parquet"));
        assert!(!is_address("lists/a.csv") && !is_address("://a.csv") && !is_address("C:\\a.csv"));
    }
}
