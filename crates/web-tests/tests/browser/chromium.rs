//! A headless Chromium, controlled by the DevTools protocol over two pipes.
//!
//! Messages are JSON: a command has a number, its answer has the same number, and all other
//! messages are events. The tests need only a dozen commands, so they do not use one of the crates
//! that define types for the whole protocol.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, oneshot};

/// Makes both pipes the file descriptors 3 and 4, which Chromium expects.
const ON_PIPES: &str = "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

const OPTIONS: [&str; 19] = [
    "--remote-debugging-pipe",
    "--headless=new",
    "--no-sandbox",
    "--window-size=1200,900",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-extensions",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-dev-shm-usage",
    "--disable-default-apps",
    "--disable-features=Translate",
    "--metrics-recording-only",
    "--no-first-run",
    "--password-store=basic",
];

/// Receivers of messages from the browser.
#[derive(Default)]
struct Receivers {
    answers: HashMap<u64, oneshot::Sender<Result<Value, String>>>,
    events: Vec<mpsc::UnboundedSender<(String, Value)>>,
}

/// A browser with one page.
pub struct Chromium {
    child: Child,
    commands: tokio::sync::Mutex<ChildStdin>,
    next: AtomicU64,
    receivers: Arc<Mutex<Receivers>>,
    session: String,
}

impl Chromium {
    /// Starts the browser with an empty profile in this directory and opens an empty page.
    pub async fn start(executable: &Path, profile: &Path) -> Result<Chromium, String> {
        let mut child = Command::new("sh")
            .args(["-c", ON_PIPES, "sh"])
            .arg(executable)
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("the browser does not start: {error}"))?;
        let commands = child.stdin.take().ok_or("the browser has no ear")?;
        let messages = child.stdout.take().ok_or("the browser has no messages")?;
        let receivers = Arc::new(Mutex::new(Receivers::default()));
        tokio::spawn(listen(messages, Arc::clone(&receivers)));
        let commands = tokio::sync::Mutex::new(commands);
        let mut browser = Chromium {
            child,
            commands,
            next: AtomicU64::new(1),
            receivers,
            session: String::new(),
        };
        let page = browser.ask("Target.createTarget", json!({ "url": "about:blank" })).await?;
        let whole = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = browser.ask("Target.attachToTarget", whole).await?;
        browser.session =
            attached["sessionId"].as_str().ok_or("the page has no session")?.to_string();
        Ok(browser)
    }

    /// Sends a command to the browser and waits for the answer.
    pub async fn ask(&self, method: &str, params: Value) -> Result<Value, String> {
        self.send(json!({ "method": method, "params": params })).await
    }

    /// Sends a command to the page and waits for the answer.
    pub async fn ask_page(&self, method: &str, params: Value) -> Result<Value, String> {
        self.send(json!({ "method": method, "params": params, "sessionId": self.session })).await
    }

    async fn send(&self, mut command: Value) -> Result<Value, String> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (give, take) = oneshot::channel();
        self.receivers.lock().expect("no receiver panics").answers.insert(id, give);
        command["id"] = json!(id);
        let mut line = command.to_string().into_bytes();
        line.push(0);
        self.commands
            .lock()
            .await
            .write_all(&line)
            .await
            .map_err(|error| format!("the browser is gone: {error}"))?;
        take.await.unwrap_or_else(|_| Err("the browser is gone".into()))
    }

    /// All future events with their names.
    pub fn events(&self) -> mpsc::UnboundedReceiver<(String, Value)> {
        let (give, take) = mpsc::unbounded_channel();
        self.receivers.lock().expect("no receiver panics").events.push(give);
        take
    }

    /// The value of an expression in the page; promises are awaited.
    pub async fn evaluate(&self, expression: &str) -> Result<Value, String> {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.ask_page("Runtime.evaluate", params).await?;
        match answer.get("exceptionDetails") {
            Some(details) => Err(details.to_string()),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Opens an address and waits until it is loaded.
    pub async fn open(&self, address: &str) -> Result<(), String> {
        let answer = self.ask_page("Page.navigate", json!({ "url": address })).await?;
        if let Some(error) = answer.get("errorText") {
            return Err(format!("{address}: {error}"));
        }
        // While a page is loading it does not answer commands.
        while self.evaluate("document.readyState").await != Ok(json!("complete")) {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        Ok(())
    }

    /// The centre of the element with this index among those that match a selector, after scrolling
    /// it into view.
    pub async fn middle(&self, selector: &str, index: usize) -> Result<(f64, f64), String> {
        let place = "const { left, top, width, height } = element.getBoundingClientRect()";
        let seen = "const outside = left < 0 || top < 0 || left + width > innerWidth || top + height > innerHeight";
        let expression = format!(
            "(() => {{ const element = document.querySelectorAll({selector:?})[{index}]; if (!element) return null; \
             {{ {place}; {seen}; if (outside) element.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }}); }} \
             {place}; return width > 0 && height > 0 ? [left + width / 2, top + height / 2] : null; }})()"
        );
        let middle = self.evaluate(&expression).await?;
        match (middle[0].as_f64(), middle[1].as_f64()) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => Err(format!("{selector} cannot be seen on the page")),
        }
    }

    /// Moves, presses or releases the mouse.
    pub async fn mouse(&self, kind: &str, (x, y): (f64, f64), held: bool) -> Result<(), String> {
        let button = if held || kind == "mouseReleased" { "left" } else { "none" };
        let buttons = u8::from(held);
        let params = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
        self.ask_page("Input.dispatchMouseEvent", params).await.map(|_| ())
    }

    /// A screenshot as PNG: of the full page, or of the visible part.
    pub async fn picture(&self, whole: bool) -> Result<Vec<u8>, String> {
        let mut params = json!({ "format": "png", "captureBeyondViewport": whole });
        if whole {
            let size = &self.ask_page("Page.getLayoutMetrics", json!({})).await?["cssContentSize"];
            params["clip"] = json!({ "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1 });
        }
        let answer = self.ask_page("Page.captureScreenshot", params).await?;
        let data = answer["data"].as_str().ok_or("a picture without data")?;
        base64::Engine::decode(&base64::prelude::BASE64_STANDARD, data)
            .map_err(|error| error.to_string())
    }

    /// Closes the browser and waits until it has exited.
    pub async fn close(mut self) {
        // A closing browser may not answer.
        let _ = self.ask("Browser.close", json!({})).await;
        let _ = self.child.wait().await;
    }
}

/// Passes every message to its receiver until the browser exits.
async fn listen(messages: ChildStdout, receivers: Arc<Mutex<Receivers>>) {
    let mut messages = BufReader::new(messages);
    let mut message = Vec::new();
    while matches!(messages.read_until(0, &mut message).await, Ok(length) if length > 0) {
        message.pop();
        let mut received: Value = serde_json::from_slice(&message).expect("the browser sends JSON");
        message.clear();
        let mut receivers = receivers.lock().expect("no receiver panics");
        if let Some(id) = received["id"].as_u64() {
            let answer = match received.get("error") {
                Some(error) => {
                    Err(error["message"].as_str().unwrap_or("an error without words").to_string())
                }
                None => Ok(received["result"].take()),
            };
            if let Some(asked) = receivers.answers.remove(&id) {
                // The receiver may have stopped waiting.
                let _ = asked.send(answer);
            }
        } else if let Some(name) = received["method"].as_str().map(str::to_string) {
            let params = received["params"].take();
            receivers.events.retain(|events| events.send((name.clone(), params.clone())).is_ok());
        }
    }
    *receivers.lock().expect("no receiver panics") = Receivers::default();
}
