//! Runs, skips or requires tests that need external resources, such as puzzle lists or a browser.
//!
//! | the resource is | and required | the test |
//! |---|---|---|
//! | available | yes or no | runs |
//! | missing | no | is listed as ignored, with the reason |
//! | missing | yes | fails |
//!
//! The environment variable `NINEFOLD_REQUIRE=shared,browser,axe` makes these three resources
//! required, as `.ci/run` does. Rust's test harness cannot ignore a test at run time, so these
//! tests are in test targets with `harness = false`. Their `main` function lists the tests with
//! [`tests!`] and passes them to [`run`]. The compiler reports a test that is missing in the list
//! as dead code. The usual filters and options of the test harness work.
#![forbid(unsafe_code)]

mod resource;
pub mod shared;

pub use libtest_mimic::Trial;
pub use resource::Resource;

use libtest_mimic::{Arguments, Conclusion, Failed};

/// A list of tests: `tests![[SharedData] levels_agree, lists::puzzles_with_one_solution]`. The name
/// of each test is its path.
#[macro_export]
macro_rules! tests {
    ([$($resource:ident),+] $($test:path),+ $(,)?) => {{
        let needs = [$($crate::Resource::$resource),+];
        vec![$($crate::test(stringify!($test), &needs, $test)),+]
    }};
}

/// Creates a test that needs these resources.
pub fn test(name: &str, needs: &[Resource], body: impl FnOnce() + Send + 'static) -> Trial {
    let required = resource::required().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        std::process::exit(2);
    });
    let missing = needs.iter().copied().filter(|resource| resource.path().is_none()).collect();
    trial(name, missing, &required, body)
}

fn trial(
    name: &str,
    missing: Vec<Resource>,
    required: &[Resource],
    body: impl FnOnce() + Send + 'static,
) -> Trial {
    if missing.is_empty() {
        return Trial::test(name, || {
            body();
            Ok(())
        });
    }
    let names: Vec<String> = missing.iter().map(Resource::to_string).collect();
    let hints = missing.iter().map(|resource| resource.hint()).collect::<Vec<_>>().join("; ");
    let is_required = missing.iter().any(|resource| required.contains(resource));
    let failed = format!("missing on this machine: {}\n\nhint: {hints}", names.join(", "));
    Trial::test(name, || Err(Failed::from(failed)))
        .with_kind(format!("no {}", names.join(", no ")))
        .with_ignored_flag(!is_required)
}

/// Runs the tests that the command line selects, then exits with the usual exit code.
pub fn run(tests: Vec<Trial>) -> ! {
    conclusion(&Arguments::from_args(), tests).exit()
}

fn conclusion(arguments: &Arguments, tests: Vec<Trial>) -> Conclusion {
    libtest_mimic::run(arguments, tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs one test with these options. The output goes to a file, because some tests must fail.
    fn run_one(test: Trial, options: &[&str]) -> Conclusion {
        let log = tempfile::NamedTempFile::new().expect("a temporary file can be created");
        let mut arguments = Arguments::from_iter(["test"].iter().chain(options));
        arguments.logfile = Some(log.path().display().to_string());
        conclusion(&arguments, vec![test])
    }

    fn check(missing: &[Resource], required: &[Resource], options: &[&str]) -> (u64, u64, u64) {
        let conclusion = run_one(trial("one", missing.to_vec(), required, || ()), options);
        (conclusion.num_passed, conclusion.num_ignored, conclusion.num_failed)
    }

    #[test]
    fn runs_tests_with_available_resources() {
        assert_eq!(check(&[], &[], &[]), (1, 0, 0));
        assert_eq!(check(&[], &[Resource::SharedData], &[]), (1, 0, 0));
    }

    #[test]
    fn missing_resources_ignore_or_fail_tests() {
        assert_eq!(check(&[Resource::Axe], &[], &[]), (0, 1, 0));
        assert_eq!(check(&[Resource::Axe], &[Resource::Chromium], &[]), (0, 1, 0));
        assert_eq!(check(&[Resource::Chromium, Resource::Axe], &[Resource::Axe], &[]), (0, 0, 1));
    }

    #[test]
    fn include_ignored_makes_tests_without_resources_fail() {
        assert_eq!(check(&[Resource::SharedData], &[], &["--include-ignored"]), (0, 0, 1));
    }

    #[test]
    fn a_test_that_panics_fails() {
        let failing = trial("one", Vec::new(), &[], || panic!("expected panic"));
        assert_eq!(run_one(failing, &[]).num_failed, 1);
    }

    #[test]
    fn tests_have_a_path_and_a_reason() {
        assert_eq!(
            tests![[SharedData] shared::tests::empty_test][0].name(),
            "shared::tests::empty_test"
        );
        let ignored = trial("one", vec![Resource::Chromium, Resource::Axe], &[], || ());
        assert_eq!(
            (ignored.kind(), ignored.has_ignored_flag()),
            ("no Chromium, no axe-core", true)
        );
    }
}
