//! Write timeout: drops clients that stop reading.

use crate::connections::Activity;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream whose writes fail if the other side does not read in time.
///
/// The timeout starts when a write does not fit into the buffers of the operating system and ends
/// only when a write fits completely, so that a client cannot extend it byte by byte.
pub struct TimeoutStream<S> {
    inner: S,
    activity: Arc<Activity>,
    timeout: Duration,
    /// Runs while a write is blocked.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S: Unpin> TimeoutStream<S> {
    pub fn new(inner: S, timeout: Duration, activity: Arc<Activity>) -> TimeoutStream<S> {
        TimeoutStream { inner, activity, timeout, waiting: None }
    }

    /// Applies the timeout to one write of this many bytes.
    fn write(
        &mut self,
        offered: usize,
        context: &mut Context<'_>,
        poll_write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match poll_write(Pin::new(&mut self.inner), context) {
            Poll::Ready(Ok(taken)) => {
                if taken == offered && self.waiting.take().is_some() {
                    self.activity.write_unblocked();
                }
                Poll::Ready(Ok(taken))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                self.activity.write_blocked();
                let timeout = self.timeout;
                let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(timeout)));
                ready!(waiting.as_mut().poll(context));
                Poll::Ready(Err(io::Error::new(
                    ErrorKind::TimedOut,
                    "the client does not read its answer",
                )))
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.write(bytes.len(), context, |inner, context| inner.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let offered = pieces.iter().map(|piece| piece.len()).sum();
        self.write(offered, context, |inner, context| inner.poll_write_vectored(context, pieces))
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connections::Connections;
    use crate::limits::Limits;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_times_out() {
        let place = Connections::new(Limits::DEFAULT).admit([127, 0, 0, 1].into(), false).unwrap();
        let (near, _far) = duplex(16);
        let mut stream = TimeoutStream::new(near, Duration::from_secs(15), place.activity.clone());
        let error = stream.write_all(&[0; 100]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_does_not_time_out() {
        let place = Connections::new(Limits::DEFAULT).admit([127, 0, 0, 1].into(), false).unwrap();
        let (near, mut far) = duplex(16);
        let mut stream = TimeoutStream::new(near, Duration::from_secs(15), place.activity.clone());
        let reading = tokio::spawn(async move {
            let mut taken = Vec::new();
            while taken.len() < 64 {
                sleep(Duration::from_secs(5)).await;
                let mut piece = [0; 16];
                far.read_exact(&mut piece).await.unwrap();
                taken.extend(piece);
            }
            taken
        });
        for piece in [[7; 16]; 4] {
            stream.write_all(&piece).await.expect("each piece is read in time");
        }
        assert_eq!(reading.await.unwrap(), [7; 64]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_cannot_extend_the_timeout_byte_by_byte() {
        let place = Connections::new(Limits::DEFAULT).admit([127, 0, 0, 1].into(), false).unwrap();
        let (near, mut far) = duplex(16);
        let mut stream = TimeoutStream::new(near, Duration::from_secs(15), place.activity.clone());
        tokio::spawn(async move {
            loop {
                sleep(Duration::from_secs(5)).await;
                if far.read_u8().await.is_err() {
                    break;
                }
            }
        });
        assert_eq!(stream.write_all(&[0; 100]).await.unwrap_err().kind(), ErrorKind::TimedOut);
    }
}
