//! A player who uses the page: a server, a browser, and functions for input and observation.

use crate::chromium::Chromium;
use ninefold_test_support::Resource;
use ninefold_web::Networks;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

/// The number of concurrent browsers.
pub const BROWSERS: u32 = 2;
static TURNS: Semaphore = Semaphore::const_new(BROWSERS as usize);

/// The number of polls before a condition counts as failed.
const LOOKS: usize = 1200;

/// Modifier keys, as bits of the DevTools protocol.
pub const ALT: i64 = 1;
pub const CONTROL: i64 = 2;
pub const SHIFT: i64 = 8;

/// A running server.
pub type Server = tokio::task::JoinHandle<std::io::Result<()>>;

pub struct Player {
    browser: Chromium,
    /// The URL of the page.
    pub address: String,
    server: Server,
    _profile: tempfile::TempDir,
    _turn: SemaphorePermit<'static>,
}

impl Player {
    /// Opens the page at a path such as `/#p=…`; an empty path leaves the browser at its empty
    /// page.
    pub async fn open(place: &str) -> Player {
        Player::open_with(place, Networks::shipped()).await
    }

    /// Like `open`, but without other browsers at the same time, for measurements.
    pub async fn open_alone(place: &str) -> Player {
        let (address, server) = serve(Networks::shipped()).await;
        Player::open_at(address, server, place, BROWSERS).await
    }

    /// Like `open`, with these networks on the server.
    pub async fn open_with(place: &str, networks: Networks) -> Player {
        let (address, server) = serve(networks).await;
        Player::open_at(address, server, place, 1).await
    }

    /// Like `open`, on another server, counting as this many browsers.
    pub async fn open_at(address: String, server: Server, place: &str, browsers: u32) -> Player {
        let executable =
            Resource::Chromium.path().expect("these tests run only if there is a browser");
        let turn = TURNS.acquire_many(browsers).await.expect("the semaphore is never closed");
        let profile = tempfile::tempdir().expect("a directory for the profile");
        let browser =
            Chromium::start(&executable, profile.path()).await.expect("the browser starts");
        let player = Player { browser, address, server, _profile: profile, _turn: turn };
        if !place.is_empty() {
            player.go(place).await;
        }
        player
    }

    /// Opens another path of the page, as if in a new tab.
    pub async fn go(&self, place: &str) {
        self.browser.open("about:blank").await.expect("an empty page");
        self.browser.open(&format!("{}{place}", self.address)).await.expect("the page opens");
        // The other views are loaded after the board.
        self.until("document.documentElement.dataset.views === 'all'").await;
    }

    /// Reloads the page.
    pub async fn reload(&self) {
        self.see("window.isOld = true; location.reload(); true").await;
        self.until(
            "window.isOld === undefined && document.documentElement.dataset.views === 'all'",
        )
        .await;
    }

    /// Presses the Back button of the browser.
    pub async fn back(&self) {
        self.see("window.arrived = false; addEventListener('popstate', () => { window.arrived = true; }, { once: true }); history.back(); true").await;
        self.until("window.arrived === true").await;
    }

    /// Opens a link as if it was typed into the address bar.
    pub async fn follow_link(&self, hash: &str) {
        self.see(&format!("window.arrived = false; addEventListener('popstate', () => {{ window.arrived = true; }}, {{ once: true }}); location.hash = {hash:?}; true")).await;
        self.until("window.arrived === true").await;
    }

    /// Clears the storage; the open page cannot store anything any more.
    pub async fn clear_storage(&self) {
        self.see("localStorage.clear(); Storage.prototype.setItem = () => {}; true").await;
    }

    /// Pastes a text onto the board.
    pub async fn paste(&self, text: &str) {
        let data = format!("const data = new DataTransfer(); data.setData('text', {text:?})");
        let event =
            "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })";
        self.see(&format!(
            "(() => {{ {data}; document.getElementById('board').dispatchEvent({event}); }})()"
        ))
        .await;
    }

    /// The label of a cell for screen readers.
    pub async fn label(&self, cell: usize) -> String {
        let label = format!("document.querySelector('#board [data-cell=\"{cell}\"]').ariaLabel");
        self.see(&label).await.as_str().unwrap_or("").to_string()
    }

    /// The value of an expression in the page.
    pub async fn see(&self, expression: &str) -> Value {
        self.browser
            .evaluate(expression)
            .await
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The text of an element.
    pub async fn text(&self, selector: &str) -> String {
        self.see(&format!("document.querySelector('{selector}').textContent"))
            .await
            .as_str()
            .unwrap_or("")
            .to_string()
    }

    /// Waits until an expression becomes true.
    pub async fn until(&self, expression: &str) {
        for _ in 0..LOOKS {
            // While a page is loading it does not answer.
            if self.browser.evaluate(expression).await == Ok(Value::Bool(true)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.picture("never-happened").await;
        panic!(
            "this never happens: {expression}; the message is {:?}",
            self.text("#message").await
        );
    }

    /// Waits until the message contains a text.
    pub async fn until_message(&self, words: &str) {
        self.until(&format!("document.getElementById('message').textContent.includes({words:?})"))
            .await;
    }

    /// Clicks on an element.
    pub async fn click(&self, selector: &str) {
        self.click_one(selector, 0).await;
    }

    /// Clicks on the element with this index among those that match a selector.
    async fn click_one(&self, selector: &str, index: usize) {
        let middle =
            self.browser.middle(selector, index).await.unwrap_or_else(|error| panic!("{error}"));
        for (kind, held) in
            [("mouseMoved", false), ("mousePressed", true), ("mouseReleased", false)]
        {
            self.mouse(kind, middle, held).await;
        }
    }

    /// Presses a button by its action. Opens the menu of the game first if the button is only
    /// there.
    pub async fn press(&self, action: &str) {
        let selector = format!("[data-do=\"{action}\"]");
        let visible = format!(
            "[...document.querySelectorAll('{selector}')].findIndex((b) => b.checkVisibility())"
        );
        let mut index = self.see(&visible).await.as_i64().expect("an index");
        let in_menu = format!(
            "document.querySelector('#menu {selector}') !== null && document.getElementById('menu').checkVisibility()"
        );
        if index < 0 && self.see(&in_menu).await == Value::Bool(true) {
            self.click("#menu summary").await;
            index = self.see(&visible).await.as_i64().expect("an index");
        }
        assert!(index >= 0, "no visible button {action}");
        self.click_one(&selector, index as usize).await;
    }

    /// Presses the mouse on a cell of the board, moves it over others and releases it on the last.
    pub async fn drag(&self, cells: &[usize]) {
        self.drag_on("#board", cells).await;
    }

    /// Like `drag`, on another board.
    pub async fn drag_on(&self, board: &str, cells: &[usize]) {
        let mut kind = "mousePressed";
        let mut at = None;
        for cell in cells {
            let selector = format!("{board} .cell[data-cell=\"{cell}\"]");
            let middle = self.browser.middle(&selector, 0).await.expect("a cell is on the board");
            self.mouse(kind, middle, true).await;
            kind = "mouseMoved";
            at = Some(middle);
        }
        self.mouse("mouseReleased", at.expect("a drag begins somewhere"), false).await;
    }

    /// Like `drag_on`, with a finger.
    pub async fn touch_drag_on(&self, board: &str, cells: &[usize]) {
        let mut kind = "touchStart";
        for cell in cells {
            let selector = format!("{board} .cell[data-cell=\"{cell}\"]");
            let (x, y) = self.browser.middle(&selector, 0).await.expect("a cell is on the board");
            let points = json!([{ "x": x, "y": y }]);
            self.command(
                "Input.dispatchTouchEvent",
                json!({ "type": kind, "touchPoints": points }),
            )
            .await;
            kind = "touchMove";
        }
        self.command("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }))
            .await;
    }

    async fn mouse(&self, kind: &str, at: (f64, f64), held: bool) {
        self.browser.mouse(kind, at, held).await.expect("the mouse moves");
    }

    /// Sends a command of the DevTools protocol to the page.
    pub async fn command(&self, method: &str, params: Value) {
        self.browser
            .ask_page(method, params)
            .await
            .unwrap_or_else(|error| panic!("{method}: {error}"));
    }

    /// Selects a value in a field.
    pub async fn choose(&self, id: &str, value: &str) {
        let field = format!("const field = document.getElementById({id:?})");
        let changed = "['input', 'change'].forEach((name) => field.dispatchEvent(new Event(name, { bubbles: true })))";
        self.see(&format!("(() => {{ {field}; field.value = {value:?}; {changed}; }})()")).await;
    }

    /// Changes a setting.
    pub async fn settle(&self, name: &str, value: &str) {
        let field = format!("const field = document.getElementById('settings').elements[{name:?}]");
        let set = "if (field.type === 'checkbox') field.checked = value === 'true'; else field.value = value";
        let told = "field.dispatchEvent(new Event('change', { bubbles: true }))";
        self.see(&format!("(() => {{ const value = {value:?}; {field}; {set}; {told}; }})()"))
            .await;
    }

    /// Presses keys one after the other, by the names of the browser.
    pub async fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.key(key, 0).await;
        }
    }

    /// Presses a key with modifiers.
    pub async fn key(&self, key: &str, held: i64) {
        let code = match key.as_bytes() {
            [digit @ b'0'..=b'9'] => format!("Digit{}", char::from(*digit)),
            [letter] if letter.is_ascii_alphabetic() => format!("Key{}", key.to_uppercase()),
            _ => key.to_string(),
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": code, "modifiers": held });
            self.command("Input.dispatchKeyEvent", event).await;
        }
    }

    /// Presses a key as a keyboard does, so that the browser does what it does by itself: Tab moves
    /// the focus, and Enter and Space press buttons.
    pub async fn press_key(&self, key: &str, held: i64) {
        let (code, number, text) = match key {
            "Tab" => ("Tab", 9, ""),
            "Enter" => ("Enter", 13, "\r"),
            "Escape" => ("Escape", 27, ""),
            " " => ("Space", 32, " "),
            "Home" => ("Home", 36, ""),
            "ArrowLeft" => ("ArrowLeft", 37, ""),
            "ArrowUp" => ("ArrowUp", 38, ""),
            "ArrowRight" => ("ArrowRight", 39, ""),
            "ArrowDown" => ("ArrowDown", 40, ""),
            "7" => ("Digit7", 55, "7"),
            _ => panic!("the key {key:?}"),
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let event = json!({ "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number, "text": text, "modifiers": held });
            self.command("Input.dispatchKeyEvent", event).await;
        }
    }

    /// From now on the screen reacts to fingers.
    pub async fn touch(&self) {
        self.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await;
    }

    /// Taps on a place of the screen.
    pub async fn tap(&self, (x, y): (f64, f64)) {
        let points = json!([{ "x": x, "y": y }]);
        for (kind, points) in [("touchStart", points), ("touchEnd", json!([]))] {
            self.command(
                "Input.dispatchTouchEvent",
                json!({ "type": kind, "touchPoints": points }),
            )
            .await;
        }
    }

    /// Types a complete grid from the first cell on; a dot leaves a cell unchanged.
    pub async fn write_grid(&self, line: &str) {
        self.click(".cell[data-cell=\"0\"]").await;
        for (cell, symbol) in line.chars().enumerate() {
            if symbol != '.' {
                self.see(&format!("document.querySelector('.cell[data-cell=\"{cell}\"]').focus()"))
                    .await;
                self.key(&symbol.to_string(), 0).await;
            }
        }
    }

    /// The digits on the board as a line.
    pub async fn board(&self) -> String {
        let digit = "(cell) => cell.querySelector('.digit')?.textContent ?? '.'";
        let line = self
            .see(&format!("[...document.querySelectorAll('#board .cell')].map({digit}).join('')"))
            .await;
        line.as_str().unwrap_or("").to_string()
    }

    /// Sets the size of the screen.
    pub async fn screen(&self, width: i64, height: i64) {
        let small = width.min(height) < 500;
        self.device(width, height, small).await;
    }

    async fn device(&self, width: i64, height: i64, phone: bool) {
        let pixels = if phone { 2 } else { 1 };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": pixels, "mobile": phone });
        self.command("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Sets the screen size of a phone.
    pub async fn on_a_phone(&self) {
        self.device(390, 844, true).await;
    }

    /// Emulates a slow phone on a slow connection: a quarter of this machine's speed, 1.6 Mbit/s
    /// and 150 ms round trip, as in Lighthouse.
    pub async fn on_a_slow_phone(&self) {
        self.on_a_phone().await;
        self.command("Emulation.setCPUThrottlingRate", json!({ "rate": 4 })).await;
        let (down, up) = (1.6e6 / 8.0, 0.75e6 / 8.0);
        let line = json!({ "offline": false, "latency": 150, "downloadThroughput": down, "uploadThroughput": up });
        // Without this the connection is not throttled.
        self.command("Network.enable", json!({})).await;
        self.command("Network.emulateNetworkConditions", line).await;
    }

    /// Runs this script before anything else on every page that is opened from now on.
    pub async fn run_on_every_page(&self, script: &str) {
        self.command("Page.enable", json!({})).await;
        self.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    }

    /// Sets the screen size of a desktop computer.
    pub async fn on_a_desk(&self) {
        self.device(1280, 900, false).await;
    }

    /// Takes screenshots on a desktop in light and dark mode and on a phone.
    pub async fn pictures(&self, name: &str) {
        self.on_a_desk().await;
        self.picture(name).await;
        self.media(false, true).await;
        self.picture(&format!("{name}-dark")).await;
        self.media(false, false).await;
        self.on_a_phone().await;
        let fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
        assert_eq!(
            self.see(fits).await,
            Value::Bool(true),
            "{name} hangs over the edge of a phone"
        );
        self.picture(&format!("{name}-phone")).await;
        self.on_a_desk().await;
    }

    /// Selects dark mode or print layout.
    pub async fn media(&self, print: bool, dark: bool) {
        let features = if dark {
            json!([{ "name": "prefers-color-scheme", "value": "dark" }])
        } else {
            json!([])
        };
        let medium = json!({ "media": if print { "print" } else { "" }, "features": features });
        self.command("Emulation.setEmulatedMedia", medium).await;
    }

    /// Saves a screenshot of the full page to `target/screenshots`.
    pub async fn picture(&self, name: &str) {
        self.keep_picture(name, true).await;
    }

    /// Saves a screenshot of the visible part of the page.
    pub async fn snapshot(&self, name: &str) {
        self.keep_picture(name, false).await;
    }

    async fn keep_picture(&self, name: &str, whole: bool) {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
        std::fs::create_dir_all(&directory).expect("a directory for screenshots");
        let picture = self.browser.picture(whole).await.expect("a picture");
        std::fs::write(directory.join(format!("{name}.png")), picture)
            .expect("the screenshot is written");
    }

    /// The events of the browser's timeline during some work.
    pub async fn traced(&self, work: impl Future<Output = ()>) -> Vec<Value> {
        let mut heard = self.browser.events();
        let categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "cc"];
        let config = json!({ "includedCategories": categories, "excludedCategories": ["*"] });
        self.browser
            .ask("Tracing.start", json!({ "traceConfig": config }))
            .await
            .expect("a trace begins");
        work.await;
        self.browser.ask("Tracing.end", json!({})).await.expect("a trace ends");
        let mut events = Vec::new();
        while let Some((name, mut params)) = heard.recv().await {
            match (name.as_str(), params["value"].take()) {
                ("Tracing.dataCollected", Value::Array(piece)) => events.extend(piece),
                ("Tracing.tracingComplete", _) => return events,
                _ => {}
            }
        }
        panic!("the browser exited before the end of the trace");
    }

    /// Stops the server while the page stays open.
    pub fn stop_server(&self) {
        self.server.abort();
    }

    /// Closes the browser.
    pub async fn leave(self) {
        self.browser.close().await;
        self.server.abort();
    }
}

/// Starts a server with these networks and returns its URL.
async fn serve(networks: Networks) -> (String, Server) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let config = ninefold_web::Config { networks, ..ninefold_web::Config::default() };
    (address, tokio::spawn(ninefold_web::serve(listener, config)))
}
