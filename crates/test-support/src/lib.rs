//! Tests that need something which is not part of the repository: this is where we say what becomes of them without it.
//!
//! | the resource is | and required | the test |
//! |---|---|---|
//! | here | or not | runs |
//! | absent | no | is listed as ignored, with the reason |
//! | absent | yes | fails |
//!
//! `NINEFOLD_REQUIRE=shared,browser,axe` requires all three, as `.ci/run` does. Rust's own harness cannot ignore a test at
//! run time, so these tests live in targets with `harness = false`, whose `main` hands its [`tests!`] to [`run`]. A test
//! that is written but not listed there is dead code, which the compiler reports. Filters and options are the usual ones.
#![forbid(unsafe_code)]

mod resource;
pub mod shared;

pub use libtest_mimic::Trial;
pub use resource::Resource;

use libtest_mimic::{Arguments, Conclusion, Failed};

/// A list of tests: `tests![[SharedData] levels_agree, lists::puzzles_with_one_solution]`. Each is named by its path.
#[macro_export]
macro_rules! tests {
    ([$($resource:ident),+] $($test:path),+ $(,)?) => {{
        let needs = [$($crate::Resource::$resource),+];
        vec![$($crate::test(stringify!($test), &needs, $test)),+]
    }};
}

/// A test that needs these resources.
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
    let reason = missing.iter().map(Resource::to_string).collect::<Vec<_>>().join(", no ");
    let ways_on = missing.iter().map(|resource| resource.way_on()).collect::<Vec<_>>().join("; ");
    let is_required = missing.iter().any(|resource| required.contains(resource));
    let failed = format!("there is no {reason} on this machine\n\nhint: {ways_on}");
    Trial::test(name, || Err(Failed::from(failed)))
        .with_kind(format!("no {reason}"))
        .with_ignored_flag(!is_required)
}

/// Runs the tests that the command line asks for, and ends the process with the usual exit code.
pub fn run(tests: Vec<Trial>) -> ! {
    conclusion(&Arguments::from_args(), tests).exit()
}

fn conclusion(arguments: &Arguments, tests: Vec<Trial>) -> Conclusion {
    libtest_mimic::run(arguments, tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs one test with these options, out of sight: some of them shall fail.
    fn concluded(test: Trial, options: &[&str]) -> Conclusion {
        let unseen = tempfile::NamedTempFile::new().expect("a file for what the harness prints");
        let mut arguments = Arguments::from_iter(["test"].iter().chain(options));
        arguments.logfile = Some(unseen.path().display().to_string());
        conclusion(&arguments, vec![test])
    }

    fn check(missing: &[Resource], required: &[Resource], options: &[&str]) -> (u64, u64, u64) {
        let conclusion = concluded(trial("one", missing.to_vec(), required, || ()), options);
        (conclusion.num_passed, conclusion.num_ignored, conclusion.num_failed)
    }

    #[test]
    fn with_its_resource_a_test_runs() {
        assert_eq!(check(&[], &[], &[]), (1, 0, 0));
        assert_eq!(check(&[], &[Resource::SharedData], &[]), (1, 0, 0));
    }

    #[test]
    fn without_its_resource_a_test_is_ignored_or_fails_where_that_is_required() {
        assert_eq!(check(&[Resource::Axe], &[], &[]), (0, 1, 0));
        assert_eq!(check(&[Resource::Axe], &[Resource::Chromium], &[]), (0, 1, 0));
        assert_eq!(check(&[Resource::Chromium, Resource::Axe], &[Resource::Axe], &[]), (0, 0, 1));
    }

    #[test]
    fn whoever_asks_for_ignored_tests_sees_them_fail() {
        assert_eq!(check(&[Resource::SharedData], &[], &["--include-ignored"]), (0, 0, 1));
    }

    #[test]
    fn a_test_that_panics_fails() {
        let failing = trial("one", Vec::new(), &[], || panic!("as this test wants"));
        assert_eq!(concluded(failing, &[]).num_failed, 1);
    }

    #[test]
    fn a_test_is_named_by_its_path_and_a_reason_stands_beside_it() {
        assert_eq!(tests![[SharedData] shared::tests::a_body][0].name(), "shared::tests::a_body");
        let ignored = trial("one", vec![Resource::Chromium, Resource::Axe], &[], || ());
        assert_eq!(
            (ignored.kind(), ignored.has_ignored_flag()),
            ("no Chromium, no axe-core", true)
        );
    }
}
