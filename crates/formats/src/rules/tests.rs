//! Every kind of rule on one grid: a rule that the grid satisfies and one that it breaks.

use super::{BoardRules, read_rules};
use ninefold::Limits;
use ninefold::grid::Digit;
use ninefold::search::rules::solve;
use serde_json::{Value, json};

const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn digits() -> Vec<Digit> {
    let number = |sign: u8| Digit::new(sign - b'0').expect("a digit");
    SOLUTION.bytes().map(number).collect()
}

fn rules(board: &Value) -> BoardRules {
    read_rules(9, board.as_object().expect("an object"), &[]).expect("a readable board")
}

fn lines(cells: &[&str]) -> Value {
    json!([{ "lines": [cells] }])
}

/// For each key a rule that the grid satisfies and, as second entry, one that it breaks.
#[test]
fn reads_every_kind_of_rule() {
    let cases = [
        ("killercage", json!([{ "cells": ["R1C1", "R1C2"], "value": "8" }]), true),
        ("killercage", json!([{ "cells": ["R1C1", "R1C2"], "value": "9" }]), false),
        ("killercage", json!([{ "cells": ["R1C1", "R3C7"] }]), false),
        ("thermometer", lines(&["R1C2", "R1C3", "R1C4", "R1C5"]), true),
        ("thermometer", lines(&["R1C5", "R1C4"]), false),
        ("slowthermometer", lines(&["R1C1", "R3C7", "R1C4"]), true),
        ("arrow", json!([{ "cells": ["R2C2"], "lines": [["R2C2", "R1C2", "R1C3"]] }]), true),
        ("arrow", json!([{ "cells": ["R2C1"], "lines": [["R2C1", "R1C2", "R1C3"]] }]), false),
        ("difference", json!([{ "cells": ["R1C2", "R1C3"] }]), true),
        ("difference", json!([{ "cells": ["R1C1", "R1C2"], "value": "1" }]), false),
        ("ratio", json!([{ "cells": ["R1C2", "R1C4"] }]), true),
        ("ratio", json!([{ "cells": ["R1C1", "R1C2"] }]), false),
        ("xv", json!([{ "cells": ["R1C3", "R1C4"], "value": "X" }]), true),
        ("xv", json!([{ "cells": ["R1C9", "R1C2"], "value": "v" }]), true),
        ("xv", json!([{ "cells": ["R1C1", "R1C2"], "value": "X" }]), false),
        (
            "quadruple",
            json!([{ "cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [3, 7] }]),
            true,
        ),
        ("quadruple", json!([{ "cells": ["R1C1", "R1C2"], "values": [1] }]), false),
        ("whispers", lines(&["R1C8", "R1C7"]), true),
        ("whispers", lines(&["R1C2", "R1C3"]), false),
        ("palindrome", lines(&["R1C1", "R1C2", "R3C7"]), true),
        ("palindrome", lines(&["R1C1", "R1C2", "R1C3"]), false),
        ("renban", lines(&["R1C1", "R1C3", "R1C2"]), true),
        ("renban", lines(&["R1C1", "R1C2"]), false),
        ("nabner", lines(&["R1C1", "R1C2"]), true),
        ("nabner", lines(&["R1C2", "R1C3"]), false),
        ("betweenline", lines(&["R1C2", "R1C1", "R1C7"]), true),
        ("betweenline", lines(&["R1C1", "R1C7", "R1C4"]), false),
        ("lockout", lines(&["R1C7", "R1C2", "R1C1"]), true),
        ("lockout", lines(&["R1C7", "R1C4", "R1C1"]), false),
        ("littlekillersum", json!([{ "cell": "R0C1", "direction": "DR", "value": 38 }]), true),
        ("littlekillersum", json!([{ "cell": "R0C1", "direction": "DR", "value": 37 }]), false),
        ("sandwichsum", json!([{ "cell": "R1C0", "value": "0" }]), true),
        ("sandwichsum", json!([{ "cell": "R1C0", "value": "5" }]), false),
        ("skyscraper", json!([{ "cell": "R1C0", "value": "5" }]), true),
        ("skyscraper", json!([{ "cell": "R1C10", "value": "5" }]), false),
        ("xsum", json!([{ "cell": "R1C0", "value": "25" }]), true),
        ("xsum", json!([{ "cell": "R1C0", "value": "24" }]), false),
        ("numberedroom", json!([{ "cell": "R1C0", "value": "7" }]), true),
        ("numberedroom", json!([{ "cell": "R1C0", "value": "6" }]), false),
        ("clone", json!([{ "cells": ["R1C1"], "cloneCells": ["R3C7"] }]), true),
        ("clone", json!([{ "cells": ["R1C1"], "cloneCells": ["R1C2"] }]), false),
        ("extraregion", json!([{ "cells": ["R1C1", "R1C2"] }]), true),
        ("extraregion", json!([{ "cells": ["R1C1", "R3C7"] }]), false),
        ("even", json!([{ "cell": "R1C3" }]), true),
        ("odd", json!([{ "cell": "R1C3" }]), false),
        ("givenPencilMarks", json!([{ "cell": "R1C1", "values": [5, 6] }]), true),
        ("givenPencilMarks", json!([{ "cell": "R1C1", "values": [6] }]), false),
        ("regionsumline", lines(&["R1C2", "R1C3", "R1C5"]), true),
        ("regionsumline", lines(&["R1C1", "R1C5"]), false),
        ("zipperline", lines(&["R1C2", "R1C5", "R1C3"]), true),
        ("zipperline", lines(&["R1C2", "R1C4", "R1C3"]), false),
        ("doublearrow", lines(&["R1C2", "R1C5", "R1C3"]), true),
        ("doublearrow", lines(&["R1C2", "R1C4", "R1C3"]), false),
        ("entropicline", lines(&["R1C1", "R1C2", "R1C5"]), true),
        ("entropicline", lines(&["R1C1", "R1C4"]), false),
        ("modularline", lines(&["R1C1", "R1C2", "R1C5"]), true),
        ("modularline", lines(&["R1C1", "R1C6"]), false),
        ("maximum", json!([{ "cell": "R1C7" }]), true),
        ("minimum", json!([{ "cell": "R1C8" }]), true),
        ("minimum", json!([{ "cell": "R1C7" }]), false),
        ("greaterthan", json!([{ "cells": ["R1C1", "R1C2"] }]), true),
        ("greaterthan", json!([{ "cells": ["R1C2", "R1C1"] }]), false),
        ("columnindexer", json!([{ "cells": ["R3C1"] }]), true),
        ("columnindexer", json!([{ "cells": ["R1C1"] }]), false),
        ("sum", json!([{ "cells": ["R1C1", "R1C2"], "coefficients": [2, 1], "value": 13 }]), true),
        ("sum", json!([{ "cells": ["R1C1", "R1C2"], "value": 9 }]), false),
        ("diagonal+", json!(true), false),
        ("diagonal-", json!(true), false),
        ("nonconsecutive", json!(true), false),
        ("negative", json!(["xv"]), false),
    ];
    let givens: Vec<Option<Digit>> = digits().into_iter().map(Some).collect();
    for (key, value, holds) in cases {
        let board = json!({ key: value });
        let read = rules(&board);
        assert!(read.unknown.is_empty(), "{key} is unknown");
        assert_eq!(read.rules.hold_for(&digits()), holds, "{board}");
        // The compiled form agrees with the check.
        let found = solve(&read.rules, &givens, 2, &Limits::none());
        assert_eq!(found.solutions.len(), usize::from(holds), "{board}");
    }
}

#[test]
fn reports_unknown_rules() {
    let board = json!({ "chromatic": [{ "cells": ["R1C1"] }], "antiking": false, "foo": [] });
    assert_eq!(rules(&board).unknown, ["chromatic"]);
    let board = json!({ "killercage": [{ "cells": ["R1C1"], "value": "many" }] });
    assert_eq!(rules(&board).unknown, ["killercage with \"many\""]);
    assert!(rules(&board).rules.constraints().is_empty());
    let drawn = json!({ "line": [{ "lines": [["R1C1", "R1C2"]], "fromConstraint": "Parity" }] });
    assert_eq!(rules(&drawn).unknown, ["Parity (drawn as line)"]);
    let board = json!({ "negative": ["sum"] });
    assert_eq!(rules(&board).unknown, ["negative \"sum\""]);
}

#[test]
fn names_the_rule_that_cannot_be_read() {
    let error = |board: Value| {
        read_rules(9, board.as_object().expect("an object"), &[]).unwrap_err().to_string()
    };
    assert_eq!(
        error(json!({ "killercage": [{ "cells": ["R1C1", "R1C10"], "value": 5 }] })),
        "killercage: R1C10 is outside a 9×9 grid"
    );
    assert_eq!(
        error(json!({ "killercage": [{ "cells": ["R1C1", "R1C2"], "value": 50 }] })),
        "killer cage of 50 at r1c1, r1c2: 2 different digits from 1 to 9 cannot have the sum 50"
    );
    assert_eq!(error(json!({ "xv": 5 })), "xv: expected a list, found 5");
    assert_eq!(
        error(json!({ "thermometer": [{ "lines": [["A1"]] }] })),
        "thermometer: expected a cell such as R3C7, found \"A1\""
    );
}
