//! Renamed settings: this is where we read experiments that were written with older names.
//!
//! Names of settings change as we find better ones, but files stay: experiments, and the weights and checkpoints that hold
//! one in their metadata. Whatever is read goes through [`to_current_names`] first, so all other code knows one name, and
//! none of a setting that is gone.

use serde_json::{Map, Value};

/// The table, the old name in it and the new one; a table is named by its current path. `stages` is a list of tables.
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
];

/// Settings that are gone: checkpoints are made by time.
const RETIRED: &[&str] = &["steps_per_checkpoint", "minutes_per_checkpoint"];

/// The old and the new name of ways to make examples.
const SOURCES: &[(&str, &str)] =
    &[("paper-two", "kocherzhenko"), ("paper-two-redrawn", "kocherzhenko-redrawn")];

/// Gives every setting of an experiment, or of a part of one, its current name.
///
/// Where the current name is there as well, the old one stays and is refused as unknown by whoever reads the experiment.
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

/// Calls a function for the table at this path, and for each of a list of tables.
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
    fn old_names_become_current_ones_and_current_ones_stay() {
        let mut old = json!({
            "batch": 8, "start": "a.safetensors", "steps_per_checkpoint": 1000, "minutes_per_checkpoint": 4.0,
            "restraint": { "decay": 0.1, "longest": 1.0 },
            "stages": [{ "epochs": 1, "rate": 0.1, "stays": 3 }, { "epochs": 2, "learning_rate": 0.2 }],
            "data": { "recipe": "paper-two-redrawn", "fresh": { "givens": [1, 2], "on_the_way": true } },
        });
        let current = json!({
            "batch_size": 8, "initial_weights": "a.safetensors",
            "optimizer": { "weight_decay": 0.1, "max_grad_norm": 1.0 },
            "stages": [{ "epochs": 1, "learning_rate": 0.1, "max_carry_steps": 3 }, { "epochs": 2, "learning_rate": 0.2 }],
            "data": { "source": "kocherzhenko-redrawn", "augmentation": { "givens": [1, 2], "on_solving_path": true } },
        });
        to_current_names(&mut old);
        assert_eq!(old, current);
        to_current_names(&mut old);
        assert_eq!(old, current);
    }

    #[test]
    fn a_setting_with_both_names_keeps_both_and_other_sources_stay() {
        let mut both = json!({ "batch": 8, "batch_size": 9, "data": { "recipe": { "multiverse": { "fold": 0 } } } });
        to_current_names(&mut both);
        assert_eq!(
            both,
            json!({ "batch": 8, "batch_size": 9, "data": { "source": { "multiverse": { "fold": 0 } } } })
        );
    }
}
