//! A player at the page: a server, a browser, a keyboard and eyes.

use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, SetCpuThrottlingRateParams, SetDeviceMetricsOverrideParams, SetEmulatedMediaParams,
};
use chromiumoxide::cdp::browser_protocol::input::{
    DispatchKeyEventParams, DispatchKeyEventType, DispatchMouseEventParams, DispatchMouseEventType, MouseButton,
};
use chromiumoxide::cdp::browser_protocol::page::{AddScriptToEvaluateOnNewDocumentParams, CaptureScreenshotFormat};
use chromiumoxide::cdp::browser_protocol::target::SetAutoAttachParams;
use chromiumoxide::cdp::browser_protocol::tracing::{
    EndParams, EventDataCollected, EventTracingComplete, StartParams, TraceConfig,
};
use chromiumoxide::page::ScreenshotParams;
use chromiumoxide::{Browser, BrowserConfig, Page};
use futures_util::StreamExt;
use ninefold_test_support::Resource;
use ninefold_web::Networks;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};

/// One browser at a time: two cores are busy enough with one.
static TURN: Mutex<()> = Mutex::const_new(());

/// How often a page is looked at before it is said that something never happens.
const LOOKS: usize = 1200;

/// Held keys, as the browser's protocol counts them.
pub const ALT: i64 = 1;
/// The control key.
pub const CONTROL: i64 = 2;
/// The shift key.
pub const SHIFT: i64 = 8;

/// Someone who plays.
pub struct Player {
    browser: Browser,
    page: Page,
    /// Where the page is.
    pub address: String,
    server: tokio::task::JoinHandle<std::io::Result<()>>,
    events: tokio::task::JoinHandle<()>,
    _profile: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Player {
    /// Opens the page at a place such as `/#p=…`; an empty place leaves the browser at its empty page.
    pub async fn open(place: &str) -> Player {
        Player::open_with(place, Networks::shipped()).await
    }

    /// The same with these networks on the server.
    pub async fn open_with(place: &str, networks: Networks) -> Player {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let config = ninefold_web::Config { networks, ..ninefold_web::Config::default() };
        let server = tokio::spawn(ninefold_web::serve(listener, config));
        Player::open_at(address, server, place).await
    }

    /// The same on another server.
    pub async fn open_at(address: String, server: tokio::task::JoinHandle<std::io::Result<()>>, place: &str) -> Player {
        let executable = Resource::Chromium.path().expect("tests that play run only where there is a browser");
        let turn = TURN.lock().await;
        let profile = tempfile::tempdir().expect("a folder for the browser");
        let config = BrowserConfig::builder()
            .chrome_executable(executable)
            .user_data_dir(profile.path())
            .no_sandbox()
            .new_headless_mode()
            .viewport(None)
            .window_size(1200, 900)
            .launch_timeout(Duration::from_secs(120))
            .request_timeout(Duration::from_secs(120))
            .args(["disable-gpu", "disable-quic", "no-first-run", "disable-component-update", "disable-sync"])
            .build()
            .expect("a browser configuration");
        let (browser, mut handler) = Browser::launch(config).await.expect("the browser starts");
        let events = tokio::spawn(async move { while handler.next().await.is_some() {} });
        let page = browser.new_page("about:blank").await.expect("an empty page opens");
        // A service worker would wait for a debugger that never looks at it.
        page.execute(SetAutoAttachParams::new(false, false)).await.expect("workers start alone");
        let player = Player { browser, page, address, server, events, _profile: profile, _turn: turn };
        if !place.is_empty() {
            player.go(place).await;
        }
        player
    }

    /// Opens another place of the page, as if in a new tab.
    pub async fn go(&self, place: &str) {
        self.page.goto("about:blank").await.expect("an empty page");
        self.page.goto(format!("{}{place}", self.address)).await.expect("the page opens");
        // The other views come after the board.
        self.until("document.documentElement.dataset.views === 'all'").await;
    }

    /// Loads the page again, at once.
    pub async fn reload(&self) {
        self.see("window.isOld = true; location.reload(); true").await;
        self.until("window.isOld === undefined && document.documentElement.dataset.views === 'all'").await;
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
        let event = "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })";
        self.see(&format!("(() => {{ {data}; document.getElementById('board').dispatchEvent({event}); }})()")).await;
    }

    /// The label of a cell, as a screen reader says it.
    pub async fn label(&self, cell: usize) -> String {
        let label = format!("document.querySelector('#board [data-cell=\"{cell}\"]').ariaLabel");
        self.see(&label).await.as_str().unwrap_or("").to_string()
    }

    /// The value of an expression in the page.
    pub async fn see(&self, expression: &str) -> Value {
        let seen = self.page.evaluate(expression).await;
        seen.unwrap_or_else(|error| panic!("{expression}: {error}")).value().cloned().unwrap_or(Value::Null)
    }

    /// The text of an element.
    pub async fn text(&self, selector: &str) -> String {
        self.see(&format!("document.querySelector('{selector}').textContent")).await.as_str().unwrap_or("").to_string()
    }

    /// Waits until an expression becomes true.
    pub async fn until(&self, expression: &str) {
        for _ in 0..LOOKS {
            // While a page is being opened nothing can be asked of it.
            let seen = self.page.evaluate(expression).await.ok().and_then(|seen| seen.value().cloned());
            if seen == Some(Value::Bool(true)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.picture("never-happened").await;
        panic!("this never happens: {expression}; the message is {:?}", self.text("#message").await);
    }

    /// Waits until the message holds some words.
    pub async fn until_told(&self, words: &str) {
        self.until(&format!("document.getElementById('message').textContent.includes({words:?})")).await;
    }

    /// Clicks on an element.
    pub async fn click(&self, selector: &str) {
        let element = self.page.find_element(selector).await.unwrap_or_else(|_| panic!("{selector} is on the page"));
        element.click().await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Presses a button by its action; one that is in the menu of the game only, after opening it.
    pub async fn press(&self, action: &str) {
        let selector = format!("[data-do=\"{action}\"]");
        let visible = format!("[...document.querySelectorAll('{selector}')].findIndex((b) => b.checkVisibility())");
        let mut index = self.see(&visible).await.as_i64().expect("an index");
        let in_menu = format!(
            "document.querySelector('#menu {selector}') !== null && document.getElementById('menu').checkVisibility()"
        );
        if index < 0 && self.see(&in_menu).await == Value::Bool(true) {
            self.click("#menu summary").await;
            index = self.see(&visible).await.as_i64().expect("an index");
        }
        assert!(index >= 0, "no button {action} can be seen");
        let buttons = self.page.find_elements(&selector).await.expect("there are buttons");
        buttons[index as usize].click().await.unwrap_or_else(|error| panic!("{action}: {error}"));
    }

    /// Presses the mouse on a cell of the board, moves it over others and lets it go on the last.
    pub async fn drag(&self, cells: &[usize]) {
        let mut kind = DispatchMouseEventType::MousePressed;
        let mut at = None;
        for cell in cells {
            let selector = format!("#board .cell[data-cell=\"{cell}\"]");
            let element = self.page.find_element(&selector).await.expect("a cell is on the board");
            let point = element.clickable_point().await.expect("a cell can be seen");
            self.mouse(kind, (point.x, point.y)).await;
            kind = DispatchMouseEventType::MouseMoved;
            at = Some((point.x, point.y));
        }
        self.mouse(DispatchMouseEventType::MouseReleased, at.expect("a drag begins somewhere")).await;
    }

    async fn mouse(&self, kind: DispatchMouseEventType, (x, y): (f64, f64)) {
        let event = DispatchMouseEventParams::builder().r#type(kind).x(x).y(y).button(MouseButton::Left).buttons(1);
        self.page.execute(event.click_count(1).build().expect("a mouse event")).await.expect("the mouse moves");
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
        self.see(&format!("(() => {{ const value = {value:?}; {field}; {set}; {told}; }})()")).await;
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
        for kind in [DispatchKeyEventType::RawKeyDown, DispatchKeyEventType::KeyUp] {
            let event = DispatchKeyEventParams::builder().r#type(kind).key(key).code(&code).modifiers(held);
            self.page.execute(event.build().expect("a key event")).await.expect("a key is pressed");
        }
    }

    /// Types a whole grid from the first cell on; a dot leaves a cell as it is.
    pub async fn write_grid(&self, line: &str) {
        self.click(".cell[data-cell=\"0\"]").await;
        for (cell, symbol) in line.chars().enumerate() {
            if symbol != '.' {
                self.see(&format!("document.querySelector('.cell[data-cell=\"{cell}\"]').focus()")).await;
                self.key(&symbol.to_string(), 0).await;
            }
        }
    }

    /// The digits on the board as a line.
    pub async fn board(&self) -> String {
        let digit = "(cell) => cell.querySelector('.digit')?.textContent ?? '.'";
        let line = self.see(&format!("[...document.querySelectorAll('#board .cell')].map({digit}).join('')")).await;
        line.as_str().unwrap_or("").to_string()
    }

    /// Makes the screen so large.
    pub async fn screen(&self, width: i64, height: i64) {
        let small = width.min(height) < 500;
        let size = SetDeviceMetricsOverrideParams::new(width, height, if small { 2.0 } else { 1.0 }, small);
        self.page.execute(size).await.expect("another screen");
    }

    /// Makes the screen as large as a phone's.
    pub async fn on_a_phone(&self) {
        self.page.execute(SetDeviceMetricsOverrideParams::new(390, 844, 2.0, true)).await.expect("a small screen");
    }

    /// Becomes a slow phone on a slow line: a quarter of this machine's speed, 1.6 Mbit and 150 ms from here to there and
    /// back, as Lighthouse has it.
    #[allow(deprecated, reason = "what takes its place is experimental")]
    pub async fn on_a_slow_phone(&self) {
        use chromiumoxide::cdp::browser_protocol::network::EmulateNetworkConditionsParams;
        self.on_a_phone().await;
        self.page.execute(SetCpuThrottlingRateParams::new(4.0)).await.expect("a slow processor");
        let (latency, down, up) = (150.0, 1.6e6 / 8.0, 0.75e6 / 8.0);
        self.page.execute(EmulateNetworkConditionsParams::new(false, latency, down, up)).await.expect("a slow line");
    }

    /// Has this script run before anything else on every page that is opened from now on.
    pub async fn run_first(&self, script: &str) {
        self.page.execute(AddScriptToEvaluateOnNewDocumentParams::new(script)).await.expect("a script waits");
    }

    /// Makes the screen as large as a desk's again.
    pub async fn on_a_desk(&self) {
        self.page.execute(SetDeviceMetricsOverrideParams::new(1280, 900, 1.0, false)).await.expect("a large screen");
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
        assert_eq!(self.see(fits).await, Value::Bool(true), "{name} hangs over the edge of a phone");
        self.picture(&format!("{name}-phone")).await;
        self.on_a_desk().await;
    }

    /// Prefers dark colours, or looks at the page as it will be printed.
    pub async fn media(&self, print: bool, dark: bool) {
        let mut params = SetEmulatedMediaParams::builder().media(if print { "print" } else { "" });
        if dark {
            params = params.feature(MediaFeature::new("prefers-color-scheme", "dark"));
        }
        self.page.execute(params.build()).await.expect("another medium");
    }

    /// Takes a picture into `target/screenshots`, for people to look at.
    pub async fn picture(&self, name: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        let params = ScreenshotParams::builder().format(CaptureScreenshotFormat::Png).full_page(true).build();
        let picture = self.page.screenshot(params).await.expect("a picture");
        std::fs::write(folder.join(format!("{name}.png")), picture).expect("a picture is kept");
    }

    /// Takes a picture of what is on the screen now, and leaves the screen as it is.
    pub async fn snapshot(&self, name: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        let params = ScreenshotParams::builder().format(CaptureScreenshotFormat::Png).full_page(false).build();
        let picture = self.page.screenshot(params).await.expect("a picture");
        std::fs::write(folder.join(format!("{name}.png")), picture).expect("a picture is kept");
    }

    /// What the browser's own clock says about some work: the events of its timeline.
    pub async fn traced(&self, work: impl Future<Output = ()>) -> Vec<Value> {
        let listens = "the browser's events can be heard";
        let mut pieces = self.browser.event_listener::<EventDataCollected>().await.expect(listens);
        let mut complete = self.browser.event_listener::<EventTracingComplete>().await.expect(listens);
        let categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "cc"];
        let config = TraceConfig::builder().included_categories(categories).excluded_categories(["*"]).build();
        let start = StartParams::builder().trace_config(config).build();
        self.browser.execute(start).await.expect("a trace begins");
        work.await;
        self.browser.execute(EndParams::default()).await.expect("a trace ends");
        let mut events = Vec::new();
        loop {
            tokio::select! {
                biased;
                Some(piece) = pieces.next() => events.extend(piece.value.iter().cloned()),
                _ = complete.next() => return events,
            }
        }
    }

    /// Stops the server while the page stays open.
    pub fn stop_server(&self) {
        self.server.abort();
    }

    /// Closes the browser.
    pub async fn leave(mut self) {
        let _ = self.browser.close().await;
        let _ = self.browser.wait().await;
        self.server.abort();
        self.events.abort();
    }
}
