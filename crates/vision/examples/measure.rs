//! Reads the labelled photos of a list and prints what was right: the tables of
//! `ninefold evaluate vision`, for weights in a file and for one part of the groups.
//!
//! ```text
//! measure LABELS.csv [--weights FILE] [--part PART/PARTS] [--role dev] [--failures]
//! ```

use ninefold_vision::evaluate::{evaluate, report};
use ninefold_vision::labels;
use ninefold_vision::network::{Network, Weights};
use ninefold_vision::reading::Reader;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let list = arguments.next().ok_or("usage: measure LABELS.csv [options]")?;
    let (mut reader, mut part, mut role, mut failures) = (Reader::default(), None, None, false);
    while let Some(option) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{option} needs a value"));
        match option.as_str() {
            "--weights" => {
                let weights = Weights::from_bytes(&std::fs::read(value()?)?)?;
                reader = Reader { network: Network::new(weights) };
            }
            "--part" => {
                let text = value()?;
                let (index, parts) = text.split_once('/').ok_or("--part needs PART/PARTS")?;
                part = Some((index.parse::<u64>()?, parts.parse::<u64>()?));
            }
            "--role" => role = Some(value()?),
            "--failures" => failures = true,
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    let mut results = Vec::new();
    for label in labels::read(Path::new(&list))? {
        let is_in_part =
            part.is_none_or(|(index, parts)| labels::part_of(&label.group, parts) == index);
        let has_role = role.as_ref().is_none_or(|role| label.role == *role);
        if !is_in_part || !has_role || label.role == "nonpuzzle" {
            continue;
        }
        let result = evaluate(&reader, &label);
        if failures && !(result.is_exact && result.is_found) {
            let outcome = result.outcome.map_or("no grid", |outcome| outcome.name());
            let wrong = result.cells.iter().filter(|(_, is_right)| !is_right).count();
            let (file, found) = (&result.file, result.is_found);
            println!("{file}: {outcome}, found {found}, {wrong} wrong, {:.3}", result.confidence);
        }
        results.push(result);
    }
    print!("{}", report(&results));
    Ok(())
}
