//! `cargo xtask eval`: evaluates runs that simulated weak models or a real model carry out.
//! `--adequacy` evaluates the findings in our own plans or a folder's, `--routing` what the
//! decision layer learns, and `--files` whether the file search finds a goal's files in third-party
//! repositories.
//!
//! `--real` gives small steps to real models with a few hundred million parameters; `--careless`
//! gives plans of small steps to a simulated model that makes content mistakes.
//!
//! Every evaluation except those of a folder is a test target, so every test run checks its
//! requirements.

use std::path::Path;

use crate::process::{Failure, build_planwright, cargo, run as start};

/// The evaluation to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Selection<'a> {
    /// The adequacy findings in our own plans.
    Adequacy,
    /// The adequacy findings in the plans of a folder.
    Corpus(&'a str),
    /// The file search on the git repositories of a folder; with the flag, each commit is printed.
    Files(&'a str, bool),
    /// Routing in a simulated world; the evaluation itself parses these arguments.
    Routing(&'a [&'a str]),
    /// Single-action steps by real models; the evaluation itself parses these arguments.
    Real(&'a [&'a str]),
    /// Plans of small steps by a careless model; the evaluation itself parses these arguments.
    Careless(&'a [&'a str]),
    /// Runs; the evaluation itself parses these arguments.
    Runs(&'a [&'a str]),
}

impl<'a> Selection<'a> {
    /// Parses the arguments after `eval`.
    ///
    /// # Errors
    /// If a mode option is not first or is combined with arguments it does not take.
    pub(crate) fn read(words: &'a [&'a str]) -> Result<Self, String> {
        match words {
            ["--adequacy"] => Ok(Self::Adequacy),
            ["--adequacy", "--corpus", folder] => Ok(Self::Corpus(folder)),
            words if words.contains(&"--adequacy") => {
                Err("--adequacy takes only --corpus FOLDER".to_owned())
            }
            ["--files", folder] => Ok(Self::Files(folder, false)),
            ["--files", folder, "--each"] => Ok(Self::Files(folder, true)),
            words if words.contains(&"--files") => Err("usage: --files FOLDER [--each]".to_owned()),
            ["--routing", words @ ..] => Ok(Self::Routing(words)),
            words if words.contains(&"--routing") => Err("--routing must come first".to_owned()),
            ["--real", words @ ..] => Ok(Self::Real(words)),
            words if words.contains(&"--real") => Err("--real must come first".to_owned()),
            ["--careless", words @ ..] => Ok(Self::Careless(words)),
            words if words.contains(&"--careless") => Err("--careless must come first".to_owned()),
            words => Ok(Self::Runs(words)),
        }
    }
}

/// Runs the evaluation and prints to the terminal.
pub(crate) fn run(root: &Path, selection: &Selection<'_>) -> Result<(), Failure> {
    let mut evaluation = cargo(root);
    if let Selection::Corpus(folder) = selection {
        evaluation.args(["run", "--quiet", "--locked", "--release"]);
        evaluation.args(["--package=planwright-adequacy", "--example=corpus", "--"]);
        return start(evaluation.arg(root.join(folder)));
    }
    if let Selection::Files(folder, is_each) = selection {
        evaluation.args(["run", "--quiet", "--locked", "--release"]);
        evaluation.args([
            "--package=xtask",
            "--features=file_search",
            "--example=file_search",
            "--",
        ]);
        evaluation.arg(root.join(folder));
        return start(evaluation.args(is_each.then_some("--each")));
    }
    evaluation.args(["test", "--quiet", "--locked"]);
    match selection {
        Selection::Corpus(_) | Selection::Files(..) => {}
        Selection::Adequacy => {
            evaluation.args(["--package=planwright-adequacy", "--test=evaluation"]);
            evaluation.args(["--", "--nocapture", "--test-threads=1"]);
        }
        Selection::Routing(words) => {
            evaluation.args(["--package=planwright-planning", "--test=simulate", "--"]);
            evaluation.args(*words);
        }
        Selection::Real(words) => {
            evaluation.env("PLANWRIGHT_TEST_BINARY", build_planwright(root)?);
            evaluation.args(["--package=planwright-tests", "--test=real", "--"]);
            evaluation.args(*words);
        }
        Selection::Careless(words) => {
            evaluation.env("PLANWRIGHT_TEST_BINARY", build_planwright(root)?);
            evaluation.args(["--package=planwright-tests", "--test=careless", "--"]);
            evaluation.args(*words);
        }
        Selection::Runs(words) => {
            // Commands in the runs are sandboxed by starting the `planwright` program.
            evaluation.env("PLANWRIGHT_TEST_BINARY", build_planwright(root)?);
            evaluation.args(["--package=planwright-tests", "--test=evaluate", "--"]);
            evaluation.args(*words);
        }
    }
    start(&mut evaluation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adequacy_is_asked_for_alone_routing_first_and_everything_else_is_about_runs() {
        assert_eq!(Selection::read(&["--adequacy"]), Ok(Selection::Adequacy));
        assert_eq!(Selection::read(&[]), Ok(Selection::Runs(&[])));
        let words = ["--seeds", "3"];
        assert_eq!(Selection::read(&words), Ok(Selection::Runs(&words)));
        assert!(Selection::read(&["--adequacy", "--json"]).is_err());
        let corpus = Selection::read(&["--adequacy", "--corpus", "plans"]);
        assert_eq!(corpus, Ok(Selection::Corpus("plans")));
        assert!(Selection::read(&["--adequacy", "--corpus"]).is_err());
        let files = ["--files", "repos", "--each"];
        assert_eq!(
            Selection::read(&files[..2]),
            Ok(Selection::Files("repos", false))
        );
        assert_eq!(Selection::read(&files), Ok(Selection::Files("repos", true)));
        assert!(Selection::read(&["--files"]).is_err());
        assert_eq!(
            Selection::read(&["--routing", "--json"]),
            Ok(Selection::Routing(&["--json"]))
        );
        assert!(Selection::read(&["--json", "--routing"]).is_err());
        assert_eq!(
            Selection::read(&["--real", "--only-main"]),
            Ok(Selection::Real(&["--only-main"]))
        );
        assert!(Selection::read(&["--json", "--real"]).is_err());
        assert_eq!(
            Selection::read(&["--careless", "--trials", "9"]),
            Ok(Selection::Careless(&["--trials", "9"]))
        );
        assert!(Selection::read(&["--json", "--careless"]).is_err());
    }
}
