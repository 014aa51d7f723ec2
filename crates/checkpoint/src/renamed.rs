//! Renamed settings: reads experiments that were written with older names.
//!
//! Experiments are stored in separate files, and in the metadata of weights and checkpoints. All
//! of them are passed through [`to_current_names`] when they are read, so other code only uses the
//! current names.

use serde_json::{Map, Value};

/// The path of a table, an old name in it and the current one. Paths use current names. `stages` is
/// a list of tables.
const KEYS: &[(&[&str], &str, &str)] = &[
    (&[], "batch", "batch_size"),
    (&[], "start", "initial_weights"),
    (&[], "restraint", "optimizer"),
    (&["optimizer"], "decay", "weight_decay"),
    (&["optimizer"], "longest", "max_grad_norm"),
    (&["stages"], "rate", "learning_rate"),
    (&["stages"], "stays", "max_carry_steps"),
    (&["data"], "recipe", "source"),
    (&["data"], "fresh", "augmentation"),
    (&["data", "augmentation"], "on_the_way", "on_solving_path"),
    (&["data", "augmentation"], "twins", "symmetries"),
    (&[], "leave", "replace_solved"),
    (&[], "final_rate", "final_learning_rate"),
    (&[], "mean_decay", "ema_decay"),
    (&[], "exams", "evaluation"),
    (&["evaluation"], "steps", "steps_between"),
    (&["model"], "looks", "readout_iterations"),
];

/// Removed settings, which are ignored.
const RETIRED: &[&str] = &["steps_per_checkpoint", "minutes_per_checkpoint"];

/// The old and the current names of sources.
const SOURCES: &[(&str, &str)] =
    &[("paper-two", "kocherzhenko"), ("paper-two-redrawn", "kocherzhenko-redrawn")];

/// Renames all settings of an experiment, or of a part of one, to their current names.
///
/// If both names are present, the old one is kept, and reading the experiment fails with an unknown
/// setting.
pub fn to_current_names(experiment: &mut Value) {
    for (path, old, new) in KEYS {
        in_tables(experiment, path, &mut |table| {
            if !table.contains_key(*new)
                && let Some(value) = table.remove(*old)
            {
                table.insert((*new).to_string(), value);
            }
        });
    }
    in_tables(experiment, &[], &mut |table| {
        table.retain(|name, _| !RETIRED.contains(&name.as_str()))
    });
    in_tables(experiment, &["data"], &mut |data| {
        let source = data.get_mut("source");
        let current = source
            .as_deref()
            .and_then(Value::as_str)
            .and_then(|name| SOURCES.iter().find_map(|(old, new)| (*old == name).then_some(*new)));
        if let (Some(source), Some(current)) = (source, current) {
            *source = Value::from(current);
        }
    });
}

/// Calls a function for the table at this path, or for each table of a list.
fn in_tables(value: &mut Value, path: &[&str], change: &mut dyn FnMut(&mut Map<String, Value>)) {
    match (value, path) {
        (Value::Array(list), _) => list.iter_mut().for_each(|value| in_tables(value, path, change)),
        (Value::Object(table), []) => change(table),
        (Value::Object(table), [name, rest @ ..]) => {
            if let Some(value) = table.get_mut(*name) {
                in_tables(value, rest, change);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn renames_old_names_and_keeps_current_ones() {
        let mut old = json!({
            "batch": 8, "start": "a.safetensors", "steps_per_checkpoint": 1000, "minutes_per_checkpoint": 4.0,
            "restraint": { "decay": 0.1, "longest": 1.0 },
            "stages": [{ "epochs": 1, "rate": 0.1, "stays": 3 }, { "epochs": 2, "learning_rate": 0.2 }],
            "data": { "recipe": "paper-two-redrawn", "fresh": { "givens": [1, 2], "twins": true, "on_the_way": true } },
            "leave": 0.5, "final_rate": 0.1, "mean_decay": 0.9, "exams": { "steps": 7 }, "model": { "looks": [1, 2] },
        });
        let current = json!({
            "batch_size": 8, "initial_weights": "a.safetensors",
            "optimizer": { "weight_decay": 0.1, "max_grad_norm": 1.0 },
            "stages": [{ "epochs": 1, "learning_rate": 0.1, "max_carry_steps": 3 }, { "epochs": 2, "learning_rate": 0.2 }],
            "data": { "source": "kocherzhenko-redrawn", "augmentation": { "givens": [1, 2], "symmetries": true, "on_solving_path": true } },
            "replace_solved": 0.5, "final_learning_rate": 0.1, "ema_decay": 0.9, "evaluation": { "steps_between": 7 },
            "model": { "readout_iterations": [1, 2] },
        });
        to_current_names(&mut old);
        assert_eq!(old, current);
        to_current_names(&mut old);
        assert_eq!(old, current);
    }

    #[test]
    fn keeps_both_names_if_both_are_present() {
        let mut both = json!({ "batch": 8, "batch_size": 9, "data": { "recipe": { "multiverse": { "fold": 0 } } } });
        to_current_names(&mut both);
        assert_eq!(
            both,
            json!({ "batch": 8, "batch_size": 9, "data": { "source": { "multiverse": { "fold": 0 } } } })
        );
    }
}
