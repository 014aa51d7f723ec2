//! Tests of the API through the router, without a socket: requests, status codes and answers.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt;
use ninefold_vision::synth::photo::{Scene, take};
use serde_json::{Value, json};
use tower::ServiceExt;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

async fn send(request: Request<Body>) -> Response {
    ninefold_web::router(ninefold_web::Networks::shipped())
        .oneshot(request)
        .await
        .expect("the router is infallible")
}

fn post(path: &str, body: impl Into<Body>) -> Request<Body> {
    let head = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    head.body(body.into()).expect("a request")
}

async fn ask(path: &str, question: Value) -> (StatusCode, Value) {
    let response = send(post(path, question.to_string())).await;
    let status = response.status();
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    (status, serde_json::from_slice(&bytes).expect("every answer is JSON"))
}

async fn answer(path: &str, question: Value) -> Value {
    let (status, answer) = ask(path, question).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

async fn get(path: &str) -> Value {
    let response = send(Request::get(path).body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    serde_json::from_slice(&bytes).expect("every answer is JSON")
}

async fn check_error(path: &str, question: Value, expected: StatusCode, words: &str) {
    let (status, answer) = ask(path, question).await;
    assert_eq!(status, expected, "{answer}");
    let error = answer["error"].as_str().expect("an error has a message");
    assert!(error.contains(words), "{error:?} does not contain {words:?}");
    assert!(!answer["hint"].as_str().expect("an error has a hint").is_empty());
}

#[tokio::test]
async fn a_puzzle_is_solved() {
    let solved = answer("/api/solve", json!({ "puzzle": PUZZLE })).await;
    assert_eq!((&solved["answer"], &solved["solution"]), (&json!("one"), &json!(SOLUTION)));
}

#[tokio::test]
async fn solve_uses_entries_and_names_wrong_ones() {
    let solved = answer("/api/solve", json!({ "puzzle": PUZZLE, "entries": [[2, 4]] })).await;
    assert_eq!(solved["answer"], "one");
    let solved =
        answer("/api/solve", json!({ "puzzle": PUZZLE, "entries": [[2, 4], [3, 2]] })).await;
    assert_eq!(solved["answer"], "none");
    assert_eq!(solved["wrong"], json!([[3, 2]]));
    assert!(solved["text"].as_str().unwrap().contains("the 2 in r1c4 is wrong"), "{solved}");
}

#[tokio::test]
async fn solve_returns_two_of_several_solutions() {
    let solved = answer("/api/solve", json!({ "puzzle": ".".repeat(81) })).await;
    assert_eq!(solved["answer"], "many");
    assert_ne!(solved["solution"], solved["second"]);
}

#[tokio::test]
async fn solve_and_check_report_conflicts() {
    let solved = answer("/api/solve", json!({ "puzzle": PUZZLE, "entries": [[2, 5]] })).await;
    assert_eq!(solved["conflict"]["cells"], json!([0, 2]));
    let checked = answer("/api/check", json!({ "puzzle": PUZZLE, "entries": [[2, 5]] })).await;
    assert_eq!(checked["answer"], "conflict");
}

#[tokio::test]
async fn check_distinguishes_right_wrong_and_solved() {
    let check = async |entries: Value| {
        answer("/api/check", json!({ "puzzle": PUZZLE, "entries": entries })).await
    };
    assert_eq!(check(json!([[2, 4]])).await["answer"], "right");
    let wrong = check(json!([[2, 1], [3, 6]])).await;
    assert_eq!((&wrong["answer"], &wrong["wrong"]), (&json!("wrong"), &json!([[2, 1]])));
    let all: Vec<(usize, u8)> = (PUZZLE.bytes().zip(SOLUTION.bytes()).enumerate())
        .filter(|(_, (clue, _))| *clue == b'.')
        .map(|(cell, (_, digit))| (cell, digit - b'0'))
        .collect();
    assert_eq!(check(json!(all)).await["answer"], "solved");
}

#[tokio::test]
async fn a_hint_has_three_stages_and_follows_the_players_grid() {
    let hint = answer("/api/hint", json!({ "puzzle": PUZZLE })).await;
    assert_eq!(hint["answer"], "step");
    assert_eq!(hint["stages"].as_array().map(Vec::len), Some(3));
    assert_eq!(hint["step"]["places"], json!([{ "cell": "r1c6", "index": 5, "digit": 8 }]));
    let next = answer("/api/hint", json!({ "puzzle": PUZZLE, "entries": [[5, 8]] })).await;
    assert_ne!(next["step"]["places"], hint["step"]["places"]);
    let wrong = answer("/api/hint", json!({ "puzzle": PUZZLE, "entries": [[2, 1]] })).await;
    assert_eq!((&wrong["answer"], &wrong["cells"]), (&json!("mistake"), &json!([2])));
}

#[tokio::test]
async fn hints_are_in_the_requested_language() {
    let stages = |language: &'static str| async move {
        answer("/api/hint", json!({ "puzzle": PUZZLE, "language": language })).await["stages"]
            .clone()
    };
    assert_eq!(stages("en").await[0], "Where can 8 go in box 2?");
    assert_eq!(stages("de").await[0], "Wo kann in Block 2 die 8 stehen?");
    assert_eq!(stages("es").await[0], "¿Dónde puede ir el 8 en el bloque 2?");
}

#[tokio::test]
async fn the_steps_of_an_explanation_give_the_solution() {
    let explained = answer("/api/explain", json!({ "puzzle": PUZZLE })).await;
    assert_eq!(explained["end"], "solved");
    let mut grid = PUZZLE.to_string().into_bytes();
    for step in explained["steps"].as_array().unwrap() {
        for place in step["places"].as_array().unwrap() {
            grid[place["index"].as_u64().unwrap() as usize] =
                b'0' + place["digit"].as_u64().unwrap() as u8;
        }
    }
    assert_eq!(String::from_utf8(grid).unwrap(), SOLUTION);
}

#[tokio::test]
async fn every_size_on_the_page_can_be_generated_solved_and_hinted() {
    for boxes in ["2x2", "2x3", "3x3", "4x4"] {
        let generated = answer("/api/generate", json!({ "boxes": boxes, "seed": 7 })).await;
        let question = json!({ "puzzle": generated["puzzle"], "boxes": boxes });
        let solved = answer("/api/solve", question.clone()).await;
        assert_eq!(
            (&solved["answer"], &solved["solution"]),
            (&json!("one"), &generated["solution"]),
            "{boxes}"
        );
        assert_eq!(answer("/api/hint", question).await["answer"], "step", "{boxes}");
    }
}

#[tokio::test]
async fn generated_puzzles_have_the_requested_difficulty_and_equal_seeds_give_equal_puzzles() {
    let request = json!({ "dupree": "hard", "symmetry": "half-turn", "seed": 5 });
    let (first, again) =
        (answer("/api/generate", request.clone()).await, answer("/api/generate", request).await);
    assert_eq!(first["puzzle"], again["puzzle"]);
    let rated = answer("/api/rate", json!({ "puzzle": first["puzzle"] })).await;
    assert_eq!(rated["dupree"]["level"], "hard");
    for (difficulty, seed) in [("easy", 1), ("hard", 2)] {
        let generated =
            answer("/api/generate", json!({ "difficulty": difficulty, "seed": seed })).await;
        let rated = answer("/api/rate", json!({ "puzzle": generated["puzzle"] })).await;
        assert_eq!(
            (&rated["scales"][0]["name"], &rated["scales"][0]["value"]),
            (&json!("effort"), &json!(difficulty))
        );
    }
    let generated = answer("/api/generate", json!({ "er": [2.6, 4.4], "seed": 3 })).await;
    let rated = answer("/api/rate", json!({ "puzzle": generated["puzzle"] })).await;
    let er: f64 = rated["scales"][1]["value"].as_str().unwrap().parse().unwrap();
    assert!((2.6..=4.4).contains(&er), "{er}");
    let trained = answer("/api/generate", json!({ "technique": "naked-pair", "seed": 5 })).await;
    let explained = answer("/api/explain", json!({ "puzzle": trained["puzzle"] })).await;
    assert!(explained["steps"].as_array().unwrap().iter().any(|step| step["slug"] == "naked-pair"));
}

#[tokio::test]
async fn generated_puzzles_have_the_requested_clue_counts_and_techniques() {
    let request =
        json!({ "clues": [30, 32], "minimal": false, "symmetry": "half-turn", "seed": 2 });
    let generated = answer("/api/generate", request).await;
    assert!((30..=32).contains(&generated["clues"].as_u64().unwrap()), "{generated}");
    let generated = answer(
        "/api/generate",
        json!({ "needs": ["naked-pair"], "avoids": ["locked-pair"], "seed": 3 }),
    )
    .await;
    let rated = answer("/api/rate", json!({ "puzzle": generated["puzzle"] })).await;
    assert_eq!(rated["logic"], "solved");
    let minimal =
        answer("/api/generate", json!({ "boxes": "2x2", "minimal": true, "seed": 1 })).await;
    let puzzle: ninefold::grid::Grid = minimal["puzzle"].as_str().unwrap().parse().unwrap();
    assert_eq!(ninefold::generate::is_minimal(&puzzle), Ok(true));
    let invalid = StatusCode::UNPROCESSABLE_ENTITY;
    check_error("/api/generate", json!({ "clues": [40, 30] }), invalid, "40-30").await;
    check_error("/api/generate", json!({ "clues": [0, 1_000_000] }), invalid, "1000000").await;
    check_error("/api/generate", json!({ "needs": ["magic"] }), invalid, "magic").await;
}

#[tokio::test]
async fn a_rating_contains_every_scale() {
    let rated = answer("/api/rate", json!({ "puzzle": PUZZLE })).await;
    let scale = |rated: &Value, name: &str| {
        let scales = rated["scales"].as_array().unwrap();
        scales
            .iter()
            .find(|scale| scale["name"] == name)
            .unwrap_or_else(|| panic!("no scale {name}: {rated}"))
            .clone()
    };
    assert_eq!(scale(&rated, "dupree")["words"], "51 points, trivial");
    assert_eq!(scale(&rated, "consistency")["value"], "AC");
    assert_eq!(scale(&rated, "effort")["value"], "easy");
    assert_eq!(scale(&rated, "se")["value"], "1.2");
    assert_eq!(scale(&rated, "hodoku")["value"], "204");
    let four = answer("/api/rate", json!({ "puzzle": "1..4..1..3..4..3" })).await;
    assert_eq!(scale(&four, "dupree")["value"], Value::Null, "DuPree's scale is for 9×9");
}

#[tokio::test]
async fn every_lesson_can_be_read() {
    let list = get("/api/lessons").await;
    let tiers = list["tiers"].as_array().unwrap();
    let slugs: Vec<&str> = tiers
        .iter()
        .flat_map(|tier| tier["lessons"].as_array().unwrap())
        .map(|l| l["slug"].as_str().unwrap())
        .collect();
    assert_eq!(slugs[..3], ["full-house", "naked-single", "hidden-single"]);
    for slug in ["x-wing", "aic", "bug-1", "2-string-kite"] {
        assert!(slugs.contains(&slug));
        let lesson = get(&format!("/api/lessons/{slug}")).await;
        let step = &lesson["boards"][0]["steps"][0];
        assert_eq!(step["slug"], slug);
        assert!(!step["picture"]["candidates"].as_array().unwrap().is_empty());
    }
    let missing = send(Request::get("/api/lessons/magic").body(Body::empty()).unwrap()).await;
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_picture_shows_entries_and_marks() {
    let question = json!({ "puzzle": "1..4..1..3..4..3", "entries": [[1, 2]], "marks": [[], [], [3], [], [2]] });
    let response = send(post("/api/picture", question.to_string())).await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "image/svg+xml");
    let drawn = response.into_body().collect().await.unwrap().to_bytes();
    let drawn = String::from_utf8(drawn.to_vec()).unwrap();
    assert!(drawn.starts_with("<svg "), "{drawn}");
    assert_eq!(
        drawn.matches("<text class=\"label\"").count(),
        4 + 4,
        "numbers of rows and columns"
    );
    assert_eq!(drawn.matches("<text").count(), 8 + 6 + 1 + 2, "numbers, clues, an entry, marks");
}

#[tokio::test]
async fn pasted_text_of_several_formats_is_read() {
    let read = answer("/api/read", json!({ "text": format!("{PUZZLE}\n{SOLUTION}\n") })).await;
    assert_eq!(read["puzzles"].as_array().map(Vec::len), Some(2));
    let drawn = "1 . | . 4\n. . | 1 .\n----+----\n. 3 | . .\n4 . | . 3\n";
    assert_eq!(
        answer("/api/read", json!({ "text": drawn })).await["puzzles"][0]["puzzle"],
        "1..4..1..3..4..3"
    );
    check_error("/api/read", json!({ "text": "no puzzle" }), StatusCode::UNPROCESSABLE_ENTITY, "")
        .await;
}

#[tokio::test]
async fn invalid_requests_get_an_error_and_a_hint() {
    let solve = "/api/solve";
    let invalid = StatusCode::UNPROCESSABLE_ENTITY;
    check_error(solve, json!({ "puzzle": "12" }), invalid, "found 2").await;
    check_error(solve, json!({ "puzzle": PUZZLE, "boxes": "99x99" }), invalid, "99").await;
    check_error(solve, json!({ "puzzle": ".".repeat(4096), "boxes": "8x8" }), invalid, "larger")
        .await;
    check_error(
        solve,
        json!({ "puzzle": PUZZLE, "entries": [[0, 5]] }),
        invalid,
        "r1c1 contains a clue",
    )
    .await;
    check_error(solve, json!({ "puzzle": PUZZLE, "entries": [[81, 5]] }), invalid, "no cell 81")
        .await;
    check_error(solve, json!({ "puzzle": PUZZLE, "entries": [[2, 10]] }), invalid, "no digit 10")
        .await;
    check_error(
        solve,
        json!({ "puzzle": PUZZLE, "entries": [[2, 1], [2, 4]] }),
        invalid,
        "two entries",
    )
    .await;
    check_error(solve, json!({ "puzzel": PUZZLE }), StatusCode::BAD_REQUEST, "puzzel").await;
    check_error("/api/rate", json!({ "puzzle": ".".repeat(81) }), invalid, "more than one").await;
    check_error("/api/generate", json!({ "dupree": "nice" }), invalid, "nice").await;
    check_error("/api/generate", json!({ "difficulty": "diabolical" }), invalid, "diabolical")
        .await;
    check_error(
        "/api/generate",
        json!({ "difficulty": "expert", "boxes": "4x4" }),
        invalid,
        "16×16",
    )
    .await;
    check_error("/api/generate", json!({ "boxes": "5x5" }), invalid, "25×25").await;
}

#[tokio::test]
async fn malformed_bodies_are_rejected() {
    let status = async |request| send(request).await.status();
    assert_eq!(
        status(post("/api/solve", vec![b' '; 10_000_000])).await,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    assert_eq!(status(post("/api/solve", vec![0xff, 0xfe, 0x22])).await, StatusCode::BAD_REQUEST);
    assert_eq!(status(post("/api/solve", "[".repeat(100_000))).await, StatusCode::BAD_REQUEST);
    let plain = Request::post("/api/solve").body(Body::from("{}")).unwrap();
    assert_eq!(status(plain).await, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let get = Request::get("/api/solve").body(Body::empty()).unwrap();
    assert_eq!(status(get).await, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn only_listed_files_are_served() {
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/ui/main.js",
        "/main.js/",
        "/.git/config",
    ] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        assert_eq!(send(request).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_page_loads_nothing_from_other_sites() {
    let response = send(Request::get("/").body(Body::empty()).unwrap()).await;
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_string();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    // WebAssembly may be compiled; inline scripts and styles and `eval` stay forbidden.
    assert!(!policy.replace("'wasm-unsafe-eval'", "").contains("unsafe"), "{policy}");
    let page = response.into_body().collect().await.unwrap().to_bytes();
    let page = String::from_utf8(page.to_vec()).unwrap();
    assert!(!page.contains("http://") && !page.contains("https://"));
}

#[tokio::test]
async fn other_sites_may_show_only_one_puzzle_in_a_frame() {
    let policy = async |path: &str| {
        let response = send(Request::get(path).body(Body::empty()).unwrap()).await;
        response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_string()
    };
    for path in ["/", "/?embedded", "/?x&embed", "/main.js", "/api/status?embed", "/none?embed"] {
        assert!(policy(path).await.contains("frame-ancestors 'none'"), "{path}");
    }
    let embedded = policy("/?embed").await;
    assert!(embedded.starts_with("default-src 'none'") && !embedded.contains("frame-ancestors"));
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let first = send(Request::get("/main.js").body(Body::empty()).unwrap()).await;
    let tag = first.headers()[header::ETAG].clone();
    let again = send(
        Request::get("/main.js").header(header::IF_NONE_MATCH, tag).body(Body::empty()).unwrap(),
    )
    .await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn openapi_json_describes_existing_paths() {
    let response = send(Request::get("/openapi.json").body(Body::empty()).unwrap()).await;
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let described: Value = serde_json::from_slice(&bytes).unwrap();
    for (path, methods) in described["paths"].as_object().unwrap() {
        let path = path.replace("{technique}", "x-wing");
        for method in methods.as_object().unwrap().keys() {
            let request = Request::builder().method(method.to_uppercase().as_str()).uri(&path);
            let request = request
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from("null"))
                .unwrap();
            let status = send(request).await.status();
            assert!(
                status != StatusCode::NOT_FOUND && status != StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn the_server_answers_like_the_engine_in_the_browser() {
    let game = json!({ "puzzle": PUZZLE, "entries": [[2, 4]], "language": "de" });
    for (name, question) in [
        ("solve", json!({ "puzzle": PUZZLE })),
        ("solve", json!({ "puzzle": "11.............." })),
        ("check", game.clone()),
        ("hint", game.clone()),
        ("explain", game),
        ("rate", json!({ "puzzle": PUZZLE })),
        ("rate", json!({ "puzzle": "................" })),
        ("generate", json!({ "seed": 5, "clues": [25, 27] })),
        ("judge", json!({ "puzzle": PUZZLE, "places": [[40, 5]] })),
        ("judge", json!({ "puzzle": PUZZLE, "places": [[2, 1]], "language": "es" })),
        ("judge", json!({ "puzzle": PUZZLE })),
        ("study", json!({ "puzzle": PUZZLE, "what": "solutions" })),
        ("study", json!({ "puzzle": PUZZLE, "what": "redundant" })),
        ("write", json!({ "puzzle": PUZZLE, "format": "fpuzzles", "title": "A title" })),
        ("write", json!({ "puzzle": PUZZLE, "format": "no such thing" })),
        ("read", json!({ "text": PUZZLE })),
        ("read", json!({ "text": "" })),
    ] {
        let (status, served) = ask(&format!("/api/{name}"), question.clone()).await;
        let called = ninefold_api::call(name, &question.to_string());
        let called = called.map(|text| (200, serde_json::from_str(&text).unwrap()));
        let called: (u16, Value) = called.unwrap_or_else(|error| (error.status, error.body()));
        assert_eq!((status.as_u16(), served), called, "{name} {question}");
    }
    for name in ["techniques", "lessons", "lessons/x-wing"] {
        let called: Value = serde_json::from_str(&ninefold_api::call(name, "{}").unwrap()).unwrap();
        assert_eq!(get(&format!("/api/{name}")).await, called, "{name}");
    }
}

/// The answer to an image file.
async fn read_photo(media_type: &str, bytes: Vec<u8>) -> (StatusCode, Value) {
    let request = Request::post("/api/photo").header(header::CONTENT_TYPE, media_type);
    let response = send(request.body(Body::from(bytes)).unwrap()).await;
    let status = response.status();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&bytes).expect("every answer is JSON"))
}

#[tokio::test]
async fn a_photo_is_read() {
    let digits: Vec<u8> =
        PUZZLE.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    let scene = Scene { roughness: 0.3, ..Scene::printed(&digits) };
    let png = ninefold_vision::draw::png(&take(&scene, 7).image, None);
    let (status, reading) = read_photo("image/png", png).await;
    assert_eq!(status, StatusCode::OK, "{reading}");
    assert_eq!((&reading["outcome"], &reading["puzzle"]), (&json!("read"), &json!(PUZZLE)));
    assert_eq!(reading["solution"], SOLUTION);
    assert_eq!(reading["cells"].as_array().unwrap().len(), 81);
}

#[tokio::test]
async fn bad_photos_get_one_message() {
    let blank = ninefold_vision::GreyImage::new(200, 200, vec![230; 40_000]).unwrap();
    let blank = ninefold_vision::draw::png(&blank, None);
    let mut large = blank.clone();
    large[16..24].copy_from_slice(&[0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10]);
    let mut damaged = blank.clone();
    damaged.truncate(60);
    for (media_type, bytes, status, words) in [
        ("image/png", b"no image".to_vec(), 422, "not an image"),
        ("image/png", damaged, 422, "damaged"),
        ("image/png", large, 422, ""),
        ("image/png", blank.clone(), 422, "no Sudoku grid"),
        ("image/heic", b"\0\0\0\x18ftypheic\0\0\0\0".to_vec(), 422, "HEIC"),
        ("application/json", b"{}".to_vec(), 415, "content type"),
        ("image/png", vec![0; 17 << 20], 413, "longer than"),
    ] {
        let (found, answer) = read_photo(media_type, bytes).await;
        assert_eq!(found.as_u16(), status, "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(words), "{answer}");
        assert!(!answer["hint"].as_str().unwrap().is_empty(), "{answer}");
    }
}
