//! The JSON API without a server: turns requests into answers.
//!
//! There is one file for each kind of request. The server in `crates/web` calls these functions and
//! adds queues, limits and cancellation. The WebAssembly module in `crates/wasm` calls them in a
//! browser. So the web page gets the same answers with and without a server. `openapi.json` in
//! `crates/web` describes requests and answers. [`call`] answers a request by its name, on the
//! calling thread.
//!
//! ```
//! let answer = ninefold_api::call("solve", r#"{ "puzzle": "1..4..1..3..4..3" }"#).unwrap();
//! assert!(answer.contains(r#""answer":"one""#));
//! ```
#![forbid(unsafe_code)]

pub mod check;
mod error;
pub mod explain;
pub mod game;
#[cfg(feature = "full")]
pub mod generate;
pub mod hint;
#[cfg(feature = "full")]
pub mod judge;
#[cfg(feature = "full")]
pub mod lessons;
pub mod limits;
mod pairs;
pub mod photo;
pub mod picture;
#[cfg(feature = "full")]
pub mod rate;
pub mod read;
pub mod solve;
#[cfg(feature = "full")]
pub mod study;
#[cfg(feature = "full")]
pub mod watch;
#[cfg(feature = "full")]
pub mod write;

pub use error::ApiError;

use game::GameRequest;
use limits::{Budget, MAX_SEARCH_TIME, MAX_TIME};
use ninefold::Limits;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
#[cfg(feature = "full")]
use {ninefold::logic, serde::Deserialize};

/// The names that [`call`] accepts, besides `lessons/{technique}`. Without the feature `full`,
/// `generate`, `judge`, `lessons`, `models`, `rate`, `study`, `techniques`, `watch` and `write` are
/// errors with status 501.
pub const REQUESTS: [&str; 16] = [
    "canonical",
    "check",
    "explain",
    "generate",
    "hint",
    "judge",
    "lessons",
    "models",
    "picture",
    "rate",
    "read",
    "solve",
    "study",
    "techniques",
    "watch",
    "write",
];

/// Answers a request, as `/api/<name>` of the server does.
///
/// Two answers differ in form from the server's: `picture` is the SVG as a JSON string, and `watch`
/// is one object with all `frames` instead of a stream of frames. The server has no `canonical`.
pub fn call(name: &str, request: &str) -> Result<String, ApiError> {
    let budget = || Budget::new(MAX_TIME, Limits::none());
    let search_budget = || Budget::new(MAX_SEARCH_TIME, Limits::none());
    Ok(match name {
        "solve" => {
            let game = parse::<GameRequest>(request)?.game()?;
            solve::solve(&game, &search_budget()).to_string()
        }
        "check" => {
            let game = parse::<GameRequest>(request)?.game()?;
            check::check(&game, &search_budget()).to_string()
        }
        "hint" => {
            let (position, language) = hint::position(&parse(request)?)?;
            to_json(&hint::view(&hint::hint(&position, &budget()), language))
        }
        "explain" => {
            let (position, language) = explain::position(&parse(request)?)?;
            to_json(&explain::explain(&position, &budget()).view(language))
        }
        "read" => parse::<read::ReadRequest>(request)?.read(&budget())?.to_string(),
        "picture" => to_json(&parse::<picture::PictureRequest>(request)?.svg(&budget())?),
        "canonical" => canonical(&parse(request)?)?.to_string(),
        _ => return call_full(name, request),
    })
}

/// Answers the requests of the feature `full`.
#[cfg(feature = "full")]
fn call_full(name: &str, request: &str) -> Result<String, ApiError> {
    let budget = Budget::new(MAX_TIME, Limits::none());
    Ok(match name {
        "rate" => rate::rate(&rate::start(&parse(request)?)?, &budget)?.to_string(),
        "generate" => {
            let generator = parse::<generate::GenerateRequest>(request)?.generator()?;
            generator.generate(&budget)?.to_string()
        }
        "judge" => {
            let deduction = parse::<judge::JudgeRequest>(request)?.deduction()?;
            judge::judge(&deduction, &budget)?.to_string()
        }
        "study" => parse::<study::StudyRequest>(request)?.study()?.answer(&budget)?.to_string(),
        "write" => parse::<write::WriteRequest>(request)?.write()?.to_string(),
        "techniques" => techniques().to_string(),
        "models" => watch::models().to_string(),
        "watch" => watch::record(&parse(request)?)?.to_string(),
        "lessons" => lessons::list().to_string(),
        _ => match name.strip_prefix("lessons/") {
            Some(technique) => {
                let LessonRequest { language } = parse(request)?;
                let (lesson, language) = lessons::find(technique, language.as_deref())?;
                lessons::view(lesson, language).to_string()
            }
            None => return Err(unknown(name)),
        },
    })
}

#[cfg(not(feature = "full"))]
fn call_full(name: &str, _: &str) -> Result<String, ApiError> {
    if !REQUESTS.contains(&name) && !name.starts_with("lessons/") {
        return Err(unknown(name));
    }
    let error = format!("this engine is too small for {name:?}");
    Err(ApiError::new(501, error, "load the full engine"))
}

fn unknown(name: &str) -> ApiError {
    let hint = format!("use one of {}", REQUESTS.join(", "));
    ApiError::not_found(format!("unknown request {name:?}"), hint)
}

/// A request for a lesson.
#[cfg(feature = "full")]
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonRequest {
    language: Option<String>,
}

fn parse<T: DeserializeOwned>(request: &str) -> Result<T, ApiError> {
    serde_json::from_str(request).map_err(|error| ApiError::malformed(&error))
}

fn to_json(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).expect("an answer can be serialized")
}

/// The names of the techniques, in the order in which they are tried.
#[cfg(feature = "full")]
#[must_use]
pub fn techniques() -> Value {
    let name = |technique: &ninefold::Technique| json!({ "name": technique.to_string(), "names": lessons::names(|language| technique.name_in(language)), "slug": technique.slug() });
    json!({ "techniques": logic::default_order().iter().map(name).collect::<Vec<_>>() })
}

/// The canonical form, which all equivalent puzzles share, and its fingerprint.
fn canonical(request: &GameRequest) -> Result<Value, ApiError> {
    let game = request.game()?;
    let puzzle = game.position.puzzle();
    puzzle
        .require_classic("canonical forms are")
        .map_err(|error| ApiError::classic_only(&error))?;
    let canonical = ninefold::puzzles::canonical(puzzle);
    let fingerprint = format!("{:032x}", canonical.fingerprint());
    Ok(json!({ "form": canonical.form.to_string(), "fingerprint": fingerprint }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn ask(name: &str, request: &Value) -> Value {
        serde_json::from_str(&call(name, &request.to_string()).expect("the request succeeds"))
            .expect("the answer is JSON")
    }

    #[test]
    fn every_request_is_answered() {
        let puzzle = json!({ "puzzle": PUZZLE });
        assert_eq!(ask("solve", &puzzle)["answer"], "one");
        assert_eq!(ask("check", &puzzle)["answer"], "right");
        assert_eq!(ask("hint", &puzzle)["answer"], "step");
        assert_eq!(ask("explain", &puzzle)["end"], "solved");
        assert_eq!(ask("rate", &puzzle)["scales"][0]["value"], "easy");
        assert_eq!(ask("read", &json!({ "text": PUZZLE }))["puzzles"][0]["puzzle"], PUZZLE);
        assert!(ask("picture", &puzzle).as_str().unwrap().starts_with("<svg"));
        let step = ask("picture", &json!({ "puzzle": PUZZLE, "step": 1 }));
        assert_ne!(step, ask("picture", &puzzle), "the step is drawn");
        assert!(ask("techniques", &json!({}))["techniques"].as_array().unwrap().len() > 20);
        assert_eq!(ask("models", &json!({}))["models"][0]["name"], "logic");
        assert_eq!(ask("lessons/x-wing", &json!({ "language": "de" }))["slug"], "x-wing");
        assert!(ask("lessons", &json!({}))["tiers"].as_array().unwrap().len() > 2);
        let frames = ask("watch", &json!({ "system": "logic", "puzzle": PUZZLE }));
        assert_eq!(frames["frames"].as_array().unwrap().last().unwrap()["end"], "solved");
        let forms = [PUZZLE.to_string(), PUZZLE.chars().rev().collect()].map(|puzzle| {
            let answer = ask("canonical", &json!({ "puzzle": puzzle }));
            (answer["form"].clone(), answer["fingerprint"].clone())
        });
        assert_eq!(forms[0], forms[1]);
    }

    #[test]
    fn puzzles_with_rules_are_written_read_rated_and_explained() {
        let made = ask("generate", &json!({ "rules": "killer", "boxes": "2x3", "seed": 7 }));
        let puzzle = json!({ "puzzle": made["puzzle"] });
        for format in ["fpuzzles", "sudokupad", "json"] {
            let texts = json!({ "title": "Cages", "author": "A. Setter" });
            let mut request = json!({ "puzzle": made["puzzle"], "format": format });
            request.as_object_mut().unwrap().extend(texts.as_object().unwrap().clone());
            let written = ask("write", &request);
            let read = ask("read", &json!({ "text": written["text"], "accept_rules": true }));
            let [read] = &read["puzzles"].as_array().unwrap()[..] else { panic!("{read}") };
            assert_eq!(read["title"], "Cages", "{format}");
            assert_eq!(read["author"], "A. Setter", "{format}");
            let solved = ask("solve", &json!({ "puzzle": read["puzzle"] }));
            assert_eq!(solved["solution"], made["solution"], "{format}");
        }
        let rating = ask("rate", &puzzle);
        let scales = rating["scales"].as_array().unwrap();
        assert_eq!((scales.len(), &scales[0]["name"]), (1, &json!("effort")));
        assert_eq!(ask("hint", &puzzle)["answer"], "step");
        let explained = ask("explain", &puzzle);
        assert_eq!(explained["end"], "solved");
        assert_eq!(explained["steps"][0]["candidates"].as_array().unwrap().len(), 36);
        assert_eq!(
            ask("study", &json!({ "puzzle": made["puzzle"], "what": "solutions" }))["count"],
            1
        );
        let line = json!({ "puzzle": made["puzzle"], "format": "line" });
        assert_eq!(call("write", &line.to_string()).unwrap_err().status, 422);
    }

    /// Drawing a step about a region once asked for the cells of a box.
    #[test]
    fn steps_about_regions_are_drawn() {
        let regions = "112344444 112343445 112333345 112366775 122366775 822666775 828969775 888969975 888999955";
        let clues =
            "208509000094000000506000400003000000000000007020000040700000000800000036000200000";
        let puzzle = json!({ "puzzle": clues, "rules": { "size": 9, "regions": regions } });
        let explained = ask("explain", &json!({ "puzzle": puzzle.to_string() }));
        assert_eq!(explained["end"], "solved");
    }

    #[test]
    fn equal_seeds_give_equal_puzzles() {
        let request = json!({ "seed": 7, "clues": [24, 26], "symmetry": "half-turn" });
        let generated = ask("generate", &request);
        assert_eq!(generated, ask("generate", &request));
        assert_eq!(
            ask("solve", &json!({ "puzzle": generated["puzzle"] }))["solution"],
            generated["solution"]
        );
    }

    #[test]
    fn errors_have_a_status_a_message_and_a_hint() {
        let check = |name: &str, request: &str, status: u16, words: &str| {
            let error = call(name, request).unwrap_err();
            assert_eq!((error.status, error.error.contains(words)), (status, true), "{error:?}");
            assert!(!error.hint.is_empty());
        };
        check("solve", "{", 400, "does not have the expected form");
        check("solve", r#"{ "puzzle": "123" }"#, 422, "cells");
        check("solve", r#"{ "puzzles": "123" }"#, 400, "unknown field");
        check("explain", r#"{ "puzzle": "11..............", "language": "xx" }"#, 422, "xx");
        check("explain", r#"{ "puzzle": "11.............." }"#, 422, "1");
        check("rate", r#"{ "puzzle": "................" }"#, 422, "more than one solution");
        check("generate", r#"{ "clues": [3, 4] }"#, 422, "clues");
        check("lessons/no-such-thing", "{}", 404, "no such lesson");
        check(
            "watch",
            r#"{ "system": "cnn", "puzzle": "1..4..1..3..4..3" }"#,
            422,
            "cannot be watched",
        );
        check("picture", &json!({ "puzzle": PUZZLE, "step": 0 }).to_string(), 422, "no step 0");
        check("picture", &json!({ "puzzle": PUZZLE, "step": 999 }).to_string(), 422, "no step 999");
        check("dance", "{}", 404, "dance");
    }
}
