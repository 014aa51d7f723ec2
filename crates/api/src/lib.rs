//! The JSON API without a server: this is where a request becomes an answer.
//!
//! One file for each question. The server of `crates/web` puts queues, limits and cancellation around these functions,
//! `crates/wasm` calls them in a browser; so a page reads the same answers with a server and without. `openapi.json` of
//! `crates/web` describes requests and answers. [`call`] answers a question by its name, at once and on this thread.
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
pub mod generate;
pub mod hint;
pub mod lessons;
pub mod limits;
mod pairs;
pub mod picture;
pub mod rate;
pub mod read;
pub mod solve;
pub mod watch;

pub use error::ApiError;

use game::Asked;
use limits::{LONGEST, LONGEST_SEARCH, Time, within};
use ninefold::{End, Hint, logic};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// What can be asked with [`call`]; `lessons/{technique}` as well.
pub const QUESTIONS: [&str; 13] = [
    "canonical",
    "check",
    "explain",
    "generate",
    "hint",
    "lessons",
    "models",
    "picture",
    "rate",
    "read",
    "solve",
    "techniques",
    "watch",
];

/// Answers the question of this name, as `/api/<name>` does.
///
/// Two answers differ in form from the server's: `picture` is the SVG as a JSON string, and `watch` one object with all
/// `frames` instead of a stream of them. `canonical` is asked here alone.
pub fn call(name: &str, request: &str) -> Result<String, ApiError> {
    let never = AtomicBool::new(false);
    let last = Time::Last(LONGEST);
    let bug = ApiError::bug;
    Ok(match name {
        "solve" => {
            let game = body::<Asked>(request)?.game()?;
            solve::solve(&game, &within(LONGEST_SEARCH, &never))
                .unwrap_or_else(solve::unfinished)
                .to_string()
        }
        "check" => {
            let game = body::<Asked>(request)?.game()?;
            check::check(&game, &within(LONGEST_SEARCH, &never))
                .unwrap_or_else(|_| check::unfinished())
                .to_string()
        }
        "hint" => {
            let asked: Asked = body(request)?;
            let (position, language) = (asked.game()?.position, asked.language()?);
            let hint = whole_hint(position, last, &never).ok_or_else(bug)?;
            written(&hint::view(&hint, language))
        }
        "explain" => {
            let (position, language) = explain::position(&body(request)?)?;
            written(&explain::explain(&position, last, &never).ok_or_else(bug)?.view(language))
        }
        "rate" => {
            rate::rate(&rate::start(&body(request)?)?, last, &never).ok_or_else(bug)??.to_string()
        }
        "generate" => {
            let wish = body::<generate::Wanted>(request)?.understood()?;
            wish.make(last, &never).ok_or_else(bug)??.to_string()
        }
        "read" => body::<read::Pasted>(request)?.read()?.to_string(),
        "picture" => {
            written(&body::<picture::Wanted>(request)?.svg(last, &never).ok_or_else(bug)??)
        }
        "canonical" => canonical(&body(request)?)?.to_string(),
        "techniques" => techniques().to_string(),
        "models" => watch::models().to_string(),
        "watch" => watch::recorded(&body(request)?, &never)?.to_string(),
        "lessons" => lessons::list().to_string(),
        _ => match name.strip_prefix("lessons/") {
            Some(technique) => {
                let Words { language } = body(request)?;
                let (lesson, language) = lessons::asked(technique, language.as_deref())?;
                lessons::tell(lesson, language).to_string()
            }
            None => {
                let names = format!("ask {}", QUESTIONS.join(", "));
                return Err(ApiError::not_found(format!("there is no question {name:?}"), names));
            }
        },
    })
}

/// The language in which a lesson is told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    language: Option<String>,
}

fn body<T: DeserializeOwned>(request: &str) -> Result<T, ApiError> {
    serde_json::from_str(request).map_err(|error| ApiError::malformed(&error))
}

fn written(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).expect("an answer can be written as JSON")
}

/// An easy step if there is one, else any; as the server does in two queues.
fn whole_hint(position: ninefold::Position, time: Time, gone: &AtomicBool) -> Option<Hint> {
    match hint::easy_hint(position, gone) {
        (hint, solutions, position) if *hint.end() == End::Stuck => {
            hint::any_hint(&position, solutions, time, gone)
        }
        (hint, ..) => Some(hint),
    }
}

/// The techniques by name, in the order in which they are tried.
#[must_use]
pub fn techniques() -> Value {
    let name = |technique: &ninefold::Technique| json!({ "name": technique.to_string(), "slug": technique.slug() });
    json!({ "techniques": logic::default_order().iter().map(name).collect::<Vec<_>>() })
}

/// The form that all images of a puzzle share, and a number for their class.
fn canonical(asked: &Asked) -> Result<Value, ApiError> {
    let canonical = ninefold::puzzles::canonical(asked.game()?.position.puzzle());
    let fingerprint = format!("{:032x}", canonical.fingerprint());
    Ok(json!({ "form": canonical.form.to_string(), "fingerprint": fingerprint }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn ask(name: &str, request: &Value) -> Value {
        serde_json::from_str(&call(name, &request.to_string()).expect("it is answered"))
            .expect("the answer is JSON")
    }

    #[test]
    fn every_question_is_answered() {
        let puzzle = json!({ "puzzle": PUZZLE });
        assert_eq!(ask("solve", &puzzle)["answer"], "one");
        assert_eq!(ask("check", &puzzle)["answer"], "right");
        assert_eq!(ask("hint", &puzzle)["answer"], "step");
        assert_eq!(ask("explain", &puzzle)["end"], "solved");
        assert_eq!(ask("rate", &puzzle)["scales"][0]["value"], "easy");
        assert_eq!(ask("read", &json!({ "text": PUZZLE }))["puzzles"][0]["puzzle"], PUZZLE);
        assert!(ask("picture", &puzzle).as_str().unwrap().starts_with("<svg"));
        let step = ask("picture", &json!({ "puzzle": PUZZLE, "step": 1 }));
        assert_ne!(step, ask("picture", &puzzle), "a step is drawn over the position");
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
    fn equal_seeds_make_equal_puzzles() {
        let wish = json!({ "seed": 7, "clues": [24, 26], "symmetry": "half-turn" });
        let made = ask("generate", &wish);
        assert_eq!(made, ask("generate", &wish));
        assert_eq!(
            ask("solve", &json!({ "puzzle": made["puzzle"] }))["solution"],
            made["solution"]
        );
    }

    #[test]
    fn what_cannot_be_answered_says_why() {
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
