//! Runs the commands of a recipe in its directory, and notes which ones are done.

use crate::error::CliError;
use crate::reproduce::lists::{self, List, Lists, Origin};
use crate::reproduce::recipe::{Command, Mode, Recipe};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The commands that are done.
const PROGRESS: &str = "progress.json";

/// Time between two looks at a running command.
const POLL: Duration = Duration::from_millis(20);
/// The time that a stopped command gets to write its checkpoint.
const GRACE: Duration = Duration::from_secs(60);

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Progress {
    result: String,
    done: Vec<Done>,
}

/// A command that is done, with the experiment that it trained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Done {
    command: String,
    config: Option<String>,
}

impl Done {
    fn new(command: &Command) -> Done {
        Done {
            command: command.shown(),
            config: command.config.as_ref().map(|(_, text)| text.clone()),
        }
    }
}

/// Runs everything that is not done yet.
pub fn run(
    recipe: &Recipe,
    commands: &[Command],
    mode: Mode,
    lists: &Lists<'_>,
    directory: &Path,
) -> Result<(), CliError> {
    handle_signals()?;
    let cannot_write = |error| CliError::cannot_write(directory.display(), error);
    let mut progress = read_progress(recipe, directory)?;
    let missing = missing_lists(recipe, directory);
    let origins = lists.origins(&missing, mode)?;
    for part in ["lists", "data", "configs", "outputs"] {
        std::fs::create_dir_all(directory.join(part)).map_err(cannot_write)?;
    }
    for (list, origin) in missing.iter().zip(origins) {
        prepare_list(list, origin, directory)?;
    }
    for (index, command) in commands.iter().enumerate() {
        let done = Done::new(command);
        let prefix = format!("[{}/{}]", index + 1, commands.len());
        if progress.done.get(index) == Some(&done) {
            eprintln!("{prefix} is done: {}", command.shown());
            continue;
        }
        progress.done.truncate(index);
        eprintln!("{prefix} {}", command.shown());
        let started = Instant::now();
        take(command, directory)?;
        eprintln!("{prefix} took {:.1} s", started.elapsed().as_secs_f64());
        progress.done.push(done);
        let text = serde_json::to_string_pretty(&progress).expect("the progress is valid JSON");
        let path = directory.join(PROGRESS);
        ninefold_files::write(&path, text)
            .map_err(|error| CliError::cannot_write(path.display(), error))?;
    }
    Ok(())
}

fn read_progress(recipe: &Recipe, directory: &Path) -> Result<Progress, CliError> {
    let path = directory.join(PROGRESS);
    let new = Progress { result: recipe.name.to_string(), done: Vec::new() };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(new),
        Err(error) => return Err(CliError::cannot_read(path.display(), error)),
    };
    let hint = "choose another directory with --out, or delete this one";
    let progress: Progress = serde_json::from_str(&text)
        .map_err(|error| CliError::cannot_read(path.display(), error).hint(hint))?;
    if progress.result != recipe.name {
        let message = format!("{} belongs to {}", directory.display(), progress.result);
        return Err(CliError::new(message).hint(hint));
    }
    Ok(progress)
}

/// The lists that are not in the directory yet.
fn missing_lists(recipe: &Recipe, directory: &Path) -> Vec<&'static List> {
    let lists = recipe.lists.iter().map(|name| lists::named(name));
    lists.filter(|list| !directory.join(list.path()).exists()).collect()
}

/// Copies or generates a list.
fn prepare_list(list: &List, origin: Origin, directory: &Path) -> Result<(), CliError> {
    let path = directory.join(list.path());
    match origin {
        Origin::Copy(from) => {
            let bytes = std::fs::read(&from)
                .map_err(|error| CliError::cannot_read(from.display(), error))?;
            ninefold_files::write(&path, bytes)
                .map_err(|error| CliError::cannot_write(path.display(), error))
        }
        Origin::Generate(arguments) => {
            let command = Command { arguments, config: None, run: None, save: None };
            eprintln!("[lists] {}", command.shown());
            take(&command, directory)
        }
    }
}

/// Runs a command to its end. Its output becomes a file.
fn take(command: &Command, directory: &Path) -> Result<(), CliError> {
    let cannot_write = |path: &Path| {
        let path = path.display().to_string();
        move |error| CliError::cannot_write(path, error)
    };
    let mut arguments = command.arguments.clone();
    if let Some((path, text)) = &command.config {
        let path = directory.join(path);
        ninefold_files::write(&path, text).map_err(cannot_write(&path))?;
    }
    if let Some(run) = &command.run {
        // The run continues if it has the same settings, and starts again otherwise.
        let settings = directory.join(format!("{run}.started"));
        let run = directory.join(run);
        let text = serde_json::to_string(&Done::new(command)).expect("a command is valid JSON");
        let is_same = std::fs::read_to_string(&settings).is_ok_and(|old| old == text);
        if is_same && has_checkpoint(&run) {
            arguments.push("--resume".to_string());
        } else {
            match std::fs::remove_dir_all(&run) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(cannot_write(&run)(error));
                }
                _ => {}
            }
            std::fs::create_dir_all(settings.parent().expect("a run is in the directory"))
                .map_err(cannot_write(&settings))?;
            ninefold_files::write(&settings, text).map_err(cannot_write(&settings))?;
        }
    }
    let output = match &command.save {
        Some(path) => {
            let path = directory.join(path);
            File::create(&path).map_err(cannot_write(&path))?.into()
        }
        None => Stdio::null(),
    };
    let program = std::env::current_exe()
        .map_err(|error| CliError::new(format!("cannot find this program: {error}")))?;
    let child = std::process::Command::new(program)
        .args(&arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(output)
        .spawn();
    let cannot_run = |error| CliError::new(format!("cannot run {}: {error}", command.shown()));
    let status = wait(child.map_err(cannot_run)?).map_err(cannot_run)?;
    if STOP.load(Ordering::Relaxed) {
        return Err(CliError::new("stopped").hint("the same command continues"));
    }
    // Exit code 1 is an answer: some puzzles are not solved.
    match status.code() {
        Some(0 | 1) => Ok(()),
        _ => Err(CliError::new(format!("a step failed: {} ({status})", command.shown()))
            .hint("the same command continues with this step")),
    }
}

fn has_checkpoint(run: &Path) -> bool {
    run.join(ninefold_neural::training::run::CHECKPOINT).exists()
}

/// True after Ctrl+C or SIGTERM.
static STOP: AtomicBool = AtomicBool::new(false);

/// The running command gets Ctrl+C, too, and stops with a checkpoint.
fn handle_signals() -> Result<(), CliError> {
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))
        .map_err(|error| CliError::new(format!("cannot install a signal handler: {error}")))
}

fn wait(mut child: std::process::Child) -> std::io::Result<ExitStatus> {
    let mut stopped: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if STOP.load(Ordering::Relaxed)
            && stopped.get_or_insert_with(Instant::now).elapsed() > GRACE
        {
            child.kill()?;
        }
        std::thread::sleep(POLL);
    }
}
