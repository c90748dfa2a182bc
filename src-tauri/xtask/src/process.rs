//! Runs other programs: always from the repository root, never through a shell.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The reasons for a failed step: one sentence for each problem, with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure(pub(crate) Vec<String>);

impl Failure {
    /// A failure with a single message.
    pub(crate) fn one(sentence: impl Into<String>) -> Self {
        Self(vec![sentence.into()])
    }

    /// Returns `Ok` if there are no messages, otherwise a failure with all of them.
    pub(crate) fn unless_empty(sentences: Vec<String>) -> Result<(), Self> {
        if sentences.is_empty() {
            Ok(())
        } else {
            Err(Self(sentences))
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

/// The cargo that started this program, so that all steps use the same toolchain.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// A command that runs another program.
pub(crate) fn program(root: &Path, name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root);
    command
}

/// Runs the command in the caller's terminal. Fails with the command line if the exit code is not
/// 0.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    println!("$ {}", shown(command));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::one(format!(
            "`{}` exited with {status}",
            shown(command)
        ))),
        Err(error) => Err(not_started(command, &error)),
    }
}

/// Runs the command and returns its standard output; standard error goes to the terminal.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        let line = shown(command);
        return Err(Failure::one(format!(
            "`{line}` exited with {}",
            output.status
        )));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::one(format!("`{}` printed invalid UTF-8", shown(command))))
}

/// Whether the command exits with 0; prints nothing.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Whether a program with this name can be started.
pub(crate) fn on_path(name: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
}

/// Paths of the built programs.
pub(crate) struct Programs {
    /// The terminal program.
    pub(crate) planwright: PathBuf,
    /// The desktop program.
    pub(crate) desktop: PathBuf,
}

/// Builds both programs and returns their paths.
pub(crate) fn build_programs(root: &Path) -> Result<Programs, Failure> {
    // Builds the whole workspace at once, so that dependencies get the same features as in the
    // tests and are not built twice.
    let mut build = cargo(root);
    build.args(["build", "--locked", "--workspace", "--bins"]);
    let built = built(build)?;
    Ok(Programs {
        planwright: find(&built, "planwright")?,
        desktop: find(&built, "planwright-desktop")?,
    })
}

/// Builds only the terminal program, in the tests' profile.
pub(crate) fn build_planwright(root: &Path) -> Result<PathBuf, Failure> {
    let mut build = cargo(root);
    build.args(["build", "--locked", "--package=planwright-cli"]);
    find(&built(build)?, "planwright")
}

/// Builds only the terminal program, in the release profile.
pub(crate) fn build_release_planwright(root: &Path) -> Result<PathBuf, Failure> {
    let mut build = cargo(root);
    build.args(["build", "--locked", "--release", "--package=planwright-cli"]);
    find(&built(build)?, "planwright")
}

/// Builds the release window, and the bare window that it is benchmarked against.
pub(crate) fn build_release_windows(root: &Path) -> Result<(PathBuf, PathBuf), Failure> {
    let mut build = cargo(root);
    build.args([
        "build",
        "--locked",
        "--release",
        "--package=planwright-desktop",
    ]);
    build.args(["--bins", "--example=bare"]);
    let built = built(build)?;
    Ok((find(&built, "planwright-desktop")?, find(&built, "bare")?))
}

/// The built programs by name, with the paths that cargo reports.
fn built(mut build: Command) -> Result<Vec<(String, PathBuf)>, Failure> {
    build.arg("--message-format=json-render-diagnostics");
    println!("$ {}", shown(&build));
    let messages = output(&mut build)?;
    Ok(messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| {
            let name = message["target"]["name"].as_str()?.to_owned();
            Some((name, PathBuf::from(message["executable"].as_str()?)))
        })
        .collect())
}

fn find(built: &[(String, PathBuf)], name: &str) -> Result<PathBuf, Failure> {
    built
        .iter()
        .find(|(found, _)| found == name)
        .map(|(_, path)| path.clone())
        .ok_or_else(|| Failure::one(format!("the build produced no binary `{name}`")))
}

fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    let words: Vec<_> = std::iter::once(name)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    words.join(" ")
}

fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    let name = command.get_program().to_string_lossy().into_owned();
    Failure::one(format!("couldn't start `{name}`: {error}"))
}
