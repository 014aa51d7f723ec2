//! A player at the page: a server, a browser, a keyboard and eyes.

use crate::chromium::Chromium;
use ninefold_test_support::Resource;
use ninefold_web::Networks;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Browsers at a time: one for each core of a small machine.
pub const BROWSERS: u32 = 2;
static TURNS: Semaphore = Semaphore::const_new(BROWSERS as usize);

/// How often a page is looked at before it is said that something never happens.
const LOOKS: usize = 1200;

/// Held keys, as the browser's protocol counts them.
pub const ALT: i64 = 1;
/// The control key.
pub const CONTROL: i64 = 2;
/// The shift key.
pub const SHIFT: i64 = 8;

/// A server that runs until it is stopped.
pub type Server = tokio::task::JoinHandle<std::io::Result<()>>;

/// Someone who plays.
pub struct Player {
    browser: Chromium,
    /// Where the page is.
    pub address: String,
    server: Server,
    _profile: tempfile::TempDir,
    _turn: SemaphorePermit<'static>,
}

impl Player {
    /// Opens the page at a place such as `/#p=…`; an empty place leaves the browser at its empty page.
    pub async fn open(place: &str) -> Player {
        Player::open_with(place, Networks::shipped()).await
    }

    /// The same while nobody else plays, for those who measure.
    pub async fn open_alone(place: &str) -> Player {
        let (address, server) = serve(Networks::shipped()).await;
        Player::open_at(address, server, place, BROWSERS).await
    }

    /// The same with these networks on the server.
    pub async fn open_with(place: &str, networks: Networks) -> Player {
        let (address, server) = serve(networks).await;
        Player::open_at(address, server, place, 1).await
    }

    /// The same on another server, in the place of so many browsers.
    pub async fn open_at(address: String, server: Server, place: &str, browsers: u32) -> Player {
        let executable =
            Resource::Chromium.path().expect("tests that play run only where there is a browser");
        let turn = TURNS.acquire_many(browsers).await.expect("there are always turns");
        let profile = tempfile::tempdir().expect("a folder for the browser");
        let browser =
            Chromium::start(&executable, profile.path()).await.expect("the browser starts");
        let player = Player { browser, address, server, _profile: profile, _turn: turn };
        if !place.is_empty() {
            player.go(place).await;
        }
        player
    }

    /// Opens another place of the page, as if in a new tab.
    pub async fn go(&self, place: &str) {
        self.browser.open("about:blank").await.expect("an empty page");
        self.browser.open(&format!("{}{place}", self.address)).await.expect("the page opens");
        // The other views come after the board.
        self.until("document.documentElement.dataset.views === 'all'").await;
    }

    /// Loads the page again, at once.
    pub async fn reload(&self) {
        self.see("window.isOld = true; location.reload(); true").await;
        self.until(
            "window.isOld === undefined && document.documentElement.dataset.views === 'all'",
        )
        .await;
    }

    /// Goes back as the browser does.
    pub async fn back(&self) {
        self.see("window.arrived = false; addEventListener('popstate', () => { window.arrived = true; }, { once: true }); history.back(); true").await;
        self.until("window.arrived === true").await;
    }

    /// Opens a puzzle as if its link was typed into the address of this page.
    pub async fn follow_link(&self, hash: &str) {
        self.see(&format!("window.arrived = false; addEventListener('popstate', () => {{ window.arrived = true; }}, {{ once: true }}); location.hash = {hash:?}; true")).await;
        self.until("window.arrived === true").await;
    }

    /// Leaves the page as a browser in which nothing is kept; the page that is open cannot keep anything any more.
    pub async fn forget_everything(&self) {
        self.see("localStorage.clear(); Storage.prototype.setItem = () => {}; true").await;
    }

    /// Pastes a text on the board.
    pub async fn paste(&self, text: &str) {
        let data = format!("const data = new DataTransfer(); data.setData('text', {text:?})");
        let event =
            "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })";
        self.see(&format!(
            "(() => {{ {data}; document.getElementById('board').dispatchEvent({event}); }})()"
        ))
        .await;
    }

    /// The label of a cell, as a screen reader says it.
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
            // While a page is being opened nothing can be asked of it.
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

    /// Waits until the message holds some words.
    pub async fn until_told(&self, words: &str) {
        self.until(&format!("document.getElementById('message').textContent.includes({words:?})"))
            .await;
    }

    /// Clicks on an element.
    pub async fn click(&self, selector: &str) {
        self.click_one(selector, 0).await;
    }

    /// Clicks on the element of this number among those that a selector names.
    async fn click_one(&self, selector: &str, index: usize) {
        let middle =
            self.browser.middle(selector, index).await.unwrap_or_else(|error| panic!("{error}"));
        for (kind, held) in
            [("mouseMoved", false), ("mousePressed", true), ("mouseReleased", false)]
        {
            self.mouse(kind, middle, held).await;
        }
    }

    /// Presses a button by its action; one that is in the menu of the game only, after opening it.
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
        assert!(index >= 0, "no button {action} can be seen");
        self.click_one(&selector, index as usize).await;
    }

    /// Presses the mouse on a cell of the board, moves it over others and lets it go on the last.
    pub async fn drag(&self, cells: &[usize]) {
        let mut kind = "mousePressed";
        let mut at = None;
        for cell in cells {
            let selector = format!("#board .cell[data-cell=\"{cell}\"]");
            let middle = self.browser.middle(&selector, 0).await.expect("a cell is on the board");
            self.mouse(kind, middle, true).await;
            kind = "mouseMoved";
            at = Some(middle);
        }
        self.mouse("mouseReleased", at.expect("a drag begins somewhere"), false).await;
    }

    async fn mouse(&self, kind: &str, at: (f64, f64), held: bool) {
        self.browser.mouse(kind, at, held).await.expect("the mouse moves");
    }

    /// Gives the page a command of the browser's protocol.
    async fn order(&self, method: &str, params: Value) {
        self.browser
            .ask_page(method, params)
            .await
            .unwrap_or_else(|error| panic!("{method}: {error}"));
    }

    /// Chooses a value in a field, as a person would.
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

    /// Presses keys one after the other, named as the browser names them.
    pub async fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.key(key, 0).await;
        }
    }

    /// Presses a key while others are held.
    pub async fn key(&self, key: &str, held: i64) {
        let code = match key.as_bytes() {
            [digit @ b'0'..=b'9'] => format!("Digit{}", char::from(*digit)),
            [letter] if letter.is_ascii_alphabetic() => format!("Key{}", key.to_uppercase()),
            _ => key.to_string(),
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": code, "modifiers": held });
            self.order("Input.dispatchKeyEvent", event).await;
        }
    }

    /// Types a whole grid from the first cell on; a dot leaves a cell as it is.
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

    /// Makes the screen so large.
    pub async fn screen(&self, width: i64, height: i64) {
        let small = width.min(height) < 500;
        self.device(width, height, small).await;
    }

    async fn device(&self, width: i64, height: i64, phone: bool) {
        let pixels = if phone { 2 } else { 1 };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": pixels, "mobile": phone });
        self.order("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Makes the screen as large as a phone's.
    pub async fn on_a_phone(&self) {
        self.device(390, 844, true).await;
    }

    /// Becomes a slow phone on a slow line: a quarter of this machine's speed, 1.6 Mbit and 150 ms from here to there and
    /// back, as Lighthouse has it.
    pub async fn on_a_slow_phone(&self) {
        self.on_a_phone().await;
        self.order("Emulation.setCPUThrottlingRate", json!({ "rate": 4 })).await;
        let (down, up) = (1.6e6 / 8.0, 0.75e6 / 8.0);
        let line = json!({ "offline": false, "latency": 150, "downloadThroughput": down, "uploadThroughput": up });
        // Without this the line stays as fast as it is.
        self.order("Network.enable", json!({})).await;
        self.order("Network.emulateNetworkConditions", line).await;
    }

    /// Has this script run before anything else on every page that is opened from now on.
    pub async fn run_first(&self, script: &str) {
        self.order("Page.enable", json!({})).await;
        self.order("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    }

    /// Makes the screen as large as a desk's again.
    pub async fn on_a_desk(&self) {
        self.device(1280, 900, false).await;
    }

    /// Takes pictures of what is seen on a desk in the light, on a desk in the dark and on a phone.
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

    /// Prefers dark colours, or looks at the page as it will be printed.
    pub async fn media(&self, print: bool, dark: bool) {
        let features = if dark {
            json!([{ "name": "prefers-color-scheme", "value": "dark" }])
        } else {
            json!([])
        };
        let medium = json!({ "media": if print { "print" } else { "" }, "features": features });
        self.order("Emulation.setEmulatedMedia", medium).await;
    }

    /// Takes a picture of all the page into `target/screenshots`, for people to look at.
    pub async fn picture(&self, name: &str) {
        self.keep_picture(name, true).await;
    }

    /// Takes a picture of what is on the screen now.
    pub async fn snapshot(&self, name: &str) {
        self.keep_picture(name, false).await;
    }

    async fn keep_picture(&self, name: &str, whole: bool) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        let picture = self.browser.picture(whole).await.expect("a picture");
        std::fs::write(folder.join(format!("{name}.png")), picture).expect("a picture is kept");
    }

    /// What the browser's own clock says about some work: the events of its timeline.
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
        panic!("the browser ends before its trace does");
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

/// Our own server with these networks, and where it is.
async fn serve(networks: Networks) -> (String, Server) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let config = ninefold_web::Config { networks, ..ninefold_web::Config::default() };
    (address, tokio::spawn(ninefold_web::serve(listener, config)))
}
