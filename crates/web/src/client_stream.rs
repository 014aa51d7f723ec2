//! The connection to a client, which can be watched for its end while bytes are unread.
//!
//! hyper reads nothing more while a request with further bytes behind it is answered, so it cannot
//! notice that such a client has left. [`ClientStream::until_gone`] notices it.

use crate::limits::MAX_BYTES_AHEAD;
use socket2::SockRef;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;

/// How often a connection with unread bytes is examined.
const INTERVAL: Duration = Duration::from_millis(100);

/// A TCP connection; clones share it.
#[derive(Clone)]
pub struct ClientStream(Arc<TcpStream>);

impl ClientStream {
    pub fn new(stream: TcpStream) -> ClientStream {
        ClientStream(Arc::new(stream))
    }

    /// Returns when, while `is_busy`, the client has closed its side or has sent more than
    /// [`MAX_BYTES_AHEAD`] bytes that nobody reads. Its end could hide behind them.
    pub async fn until_gone(&self, is_busy: impl Fn() -> bool) {
        loop {
            let ready = self.0.ready(Interest::READABLE).await;
            if is_busy() {
                let is_closed = ready.map_or(true, |ready| ready.is_read_closed());
                if is_closed || self.unread() >= MAX_BYTES_AHEAD {
                    return;
                }
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// The number of bytes that wait to be read, up to the limit.
    fn unread(&self) -> usize {
        let mut bytes = [MaybeUninit::uninit(); MAX_BYTES_AHEAD];
        SockRef::from(&*self.0).peek(&mut bytes).unwrap_or(0)
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.poll_read_ready(context))?;
            match self.0.try_read(buffer.initialize_unfilled()) {
                Ok(count) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl ClientStream {
    fn poll_try_write(
        &self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(context))?;
            match write(&self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_try_write(context, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_try_write(context, |stream| stream.try_write_vectored(pieces))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(SockRef::from(&*self.0).shutdown(std::net::Shutdown::Write))
    }
}
