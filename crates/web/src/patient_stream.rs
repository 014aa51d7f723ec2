//! A stream that does not wait for ever: a client that takes nothing of what is written to it is given up.

use crate::connections::Activity;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream whose writes fail when the other side does not take them in time.
///
/// The time runs from the moment when something did not fit into the system's buffers until all of one piece has, so
/// that a client cannot buy time byte by byte.
pub struct PatientStream<S> {
    inner: S,
    activity: Arc<Activity>,
    patience: Duration,
    /// Runs while something is left to be taken.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S: Unpin> PatientStream<S> {
    /// A stream with this patience, which tells of a client that takes nothing.
    pub fn new(inner: S, patience: Duration, activity: Arc<Activity>) -> PatientStream<S> {
        PatientStream { inner, activity, patience, waiting: None }
    }

    /// Watches over one write of so many bytes.
    fn watch(
        &mut self,
        offered: usize,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match write(Pin::new(&mut self.inner), context) {
            Poll::Ready(Ok(taken)) => {
                if taken == offered && self.waiting.take().is_some() {
                    self.activity.flows_again();
                }
                Poll::Ready(Ok(taken))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                self.activity.is_blocked();
                let patience = self.patience;
                let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
                ready!(waiting.as_mut().poll(context));
                Poll::Ready(Err(io::Error::new(
                    ErrorKind::TimedOut,
                    "the client does not take its answer",
                )))
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PatientStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PatientStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.watch(bytes.len(), context, |inner, context| inner.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let offered = pieces.iter().map(|piece| piece.len()).sum();
        self.watch(offered, context, |inner, context| inner.poll_write_vectored(context, pieces))
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
    async fn a_client_that_reads_nothing_is_given_up() {
        let place = Connections::new(Limits::DEFAULT).admit([127, 0, 0, 1].into()).unwrap();
        let (near, _far) = duplex(16);
        let mut stream = PatientStream::new(near, Duration::from_secs(15), place.activity.clone());
        let error = stream.write_all(&[0; 100]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_but_all_is_waited_for() {
        let place = Connections::new(Limits::DEFAULT).admit([127, 0, 0, 1].into()).unwrap();
        let (near, mut far) = duplex(16);
        let mut stream = PatientStream::new(near, Duration::from_secs(15), place.activity.clone());
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
            stream.write_all(&piece).await.expect("each piece is taken in time");
        }
        assert_eq!(reading.await.unwrap(), [7; 64]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_cannot_buy_time_byte_by_byte() {
        let place = Connections::new(Limits::DEFAULT).admit([127, 0, 0, 1].into()).unwrap();
        let (near, mut far) = duplex(16);
        let mut stream = PatientStream::new(near, Duration::from_secs(15), place.activity.clone());
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
