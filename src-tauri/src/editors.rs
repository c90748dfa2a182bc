//! Opens a file in the user's editor, at a line if the editor supports that.
//!
//! The user's setting `editor` and `$VISUAL` decide which editor is used, never a workspace. A
//! program is started directly, without a shell, and the file is its last argument as an absolute
//! path, so a name can't act as an option or a command. By default, every file is opened in the
//! desktop's editor for plain text, because opening a file by its own type could start a program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use workbench::settings::Editor;
use workbench::{Code, Error, Result};

/// How a line number is passed to an editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineStyle {
    /// `-g file:line`.
    Goto,
    /// `file:line`.
    Colon,
    /// `+line file`.
    Plus,
    /// `--line line file`.
    Option,
    /// The editor can't open a file at a line.
    None,
}

/// Graphical editors.
const WINDOWED: [(&str, LineStyle); 25] = [
    ("code", LineStyle::Goto),
    ("code-insiders", LineStyle::Goto),
    ("code-oss", LineStyle::Goto),
    ("codium", LineStyle::Goto),
    ("cursor", LineStyle::Goto),
    ("windsurf", LineStyle::Goto),
    ("zed", LineStyle::Colon),
    ("zeditor", LineStyle::Colon),
    ("subl", LineStyle::Colon),
    ("gvim", LineStyle::Plus),
    ("gedit", LineStyle::Plus),
    ("pluma", LineStyle::Plus),
    ("xed", LineStyle::Plus),
    ("emacs", LineStyle::Plus),
    ("emacsclient", LineStyle::Plus),
    ("kate", LineStyle::Option),
    ("kwrite", LineStyle::Option),
    ("mousepad", LineStyle::Option),
    ("idea", LineStyle::Option),
    ("clion", LineStyle::Option),
    ("pycharm", LineStyle::Option),
    ("rustrover", LineStyle::Option),
    ("webstorm", LineStyle::Option),
    ("gnome-text-editor", LineStyle::None),
    ("geany", LineStyle::Plus),
];

/// Editors that need a terminal, which this program doesn't have.
const IN_TERMINAL: [&str; 14] = [
    "vi", "vim", "nvim", "view", "ex", "ed", "nano", "pico", "micro", "hx", "helix", "kak", "joe",
    "ne",
];

/// Options that make a graphical editor run in the terminal.
const STAY_IN_TERMINAL: [&str; 5] = ["-nw", "-t", "-tty", "--tty", "--no-window-system"];

/// How long to watch a started editor for an early failure.
const FAILS_WITHIN: Duration = Duration::from_millis(600);

/// How to open a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// Start a program with these arguments.
    Start {
        program: PathBuf,
        arguments: Vec<OsString>,
    },
    /// Use the desktop's editor for plain text.
    Default,
}

/// Decides how to open a file. `find` looks up a program on the search path.
///
/// # Errors
/// [`Code::Usage`] if the chosen editor isn't installed or isn't graphical.
pub(crate) fn choose(
    editor: Editor,
    visual: Option<&str>,
    find: impl Fn(&str) -> Option<PathBuf>,
    file: &Path,
    line: Option<u32>,
) -> Result<Opening> {
    let first_of = |names: &[&str]| {
        let found = names
            .iter()
            .find_map(|name| find(name).map(|path| (*name, path)));
        found.map(|(name, program)| start(name, program, &[], file, line))
    };
    let vs_code = || first_of(&["code", "codium", "code-oss", "code-insiders"]);
    let zed = || first_of(&["zed", "zeditor"]);
    match editor {
        Editor::Auto => Ok(from_visual(visual, &find, file, line)
            .ok()
            .filter(|_| is_windowed(visual))
            .or_else(vs_code)
            .or_else(zed)
            .unwrap_or(Opening::Default)),
        Editor::Visual => from_visual(visual, &find, file, line),
        Editor::VsCode => vs_code().ok_or_else(|| missing("VS Code (`code`)")),
        Editor::Zed => zed().ok_or_else(|| missing("Zed (`zed`)")),
        Editor::Desktop => Ok(Opening::Default),
    }
}

/// Whether `$VISUAL` names a known graphical editor.
fn is_windowed(visual: Option<&str>) -> bool {
    let program = visual.and_then(|visual| visual.split_whitespace().next());
    program.is_some_and(|program| WINDOWED.iter().any(|(name, _)| *name == name_of(program)))
}

fn from_visual(
    visual: Option<&str>,
    find: &impl Fn(&str) -> Option<PathBuf>,
    file: &Path,
    line: Option<u32>,
) -> Result<Opening> {
    let mut words = visual.unwrap_or_default().split_whitespace();
    let Some(program) = words.next() else {
        return Err(refusal("$VISUAL isn't set"));
    };
    let options: Vec<&str> = words.collect();
    let name = name_of(program);
    let needs_terminal = IN_TERMINAL.contains(&name)
        || options
            .iter()
            .any(|option| STAY_IN_TERMINAL.contains(option));
    if needs_terminal {
        return Err(refusal(&format!("`{name}` from $VISUAL needs a terminal")));
    }
    let found = find(program).ok_or_else(|| missing(&format!("`{program}` from $VISUAL")))?;
    Ok(start(name, found, &options, file, line))
}

fn start(
    name: &str,
    program: PathBuf,
    options: &[&str],
    file: &Path,
    line: Option<u32>,
) -> Opening {
    let style = WINDOWED
        .iter()
        .find_map(|(known, style)| (*known == name).then_some(*style));
    let mut arguments: Vec<OsString> = options.iter().map(Into::into).collect();
    let mut at_line = file.as_os_str().to_owned();
    if let (Some(line), Some(LineStyle::Goto | LineStyle::Colon)) = (line, style) {
        at_line.push(format!(":{line}"));
    }
    match (line, style) {
        (Some(_), Some(LineStyle::Goto)) => arguments.push("-g".into()),
        (Some(line), Some(LineStyle::Plus)) => arguments.push(format!("+{line}").into()),
        (Some(line), Some(LineStyle::Option)) => {
            arguments.extend(["--line".into(), line.to_string().into()]);
        }
        _ => {}
    }
    arguments.push(at_line);
    Opening::Start { program, arguments }
}

fn name_of(program: &str) -> &str {
    Path::new(program)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(program)
}

fn missing(what: &str) -> Error {
    refusal(&format!("{what} wasn't found"))
}

fn refusal(why: &str) -> Error {
    let hint = "Choose another editor in Settings";
    Error::new(Code::Usage, format!("{why}. {hint}."))
}

/// Looks up a program: an absolute path, or a name in the absolute folders of `PATH`.
pub(crate) fn find_program(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.is_absolute() && can_run(path));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(program))
        .find(|path| can_run(path))
}

fn can_run(path: &Path) -> bool {
    let Ok(found) = path.metadata() else {
        return false;
    };
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 == 0 {
        return false;
    }
    found.is_file()
}

/// Opens a file as decided by [`choose`]. Waits a moment to see whether the editor fails, so don't
/// call it on the UI thread.
///
/// # Errors
/// [`Code::Failed`] if the editor can't be started, or fails at once.
pub(crate) fn open(opening: &Opening, file: &Path) -> Result<()> {
    match opening {
        Opening::Start { program, arguments } => run(program, arguments),
        Opening::Default => open_by_default(file),
    }
}

fn run(program: &Path, arguments: &[OsString]) -> Result<()> {
    let failed = |why: &dyn std::fmt::Display| {
        let program = program.display();
        let hint = "Choose another editor in Settings";
        Error::new(
            Code::Failed,
            format!("{program} didn't start: {why}. {hint}."),
        )
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // In its own process group, so that Ctrl+C in this program's terminal doesn't end it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    let begun = Instant::now();
    while begun.elapsed() < FAILS_WITHIN {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(failed(&status)),
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(failed(&error)),
        }
    }
    // Collects its exit status, so that it doesn't become a zombie.
    std::thread::spawn(move || child.wait());
    Ok(())
}

#[cfg(target_os = "linux")]
fn open_by_default(file: &Path) -> Result<()> {
    use gtk::gio::prelude::{AppInfoExt, FileExt};
    use gtk::gio::{AppInfo, AppLaunchContext, File};

    let editor = AppInfo::default_for_type("text/plain", false)
        .ok_or_else(|| refusal("This desktop has no editor for text files"))?;
    let file = File::for_path(file);
    editor
        .launch(std::slice::from_ref(&file), None::<&AppLaunchContext>)
        .map_err(|error| {
            let (name, uri) = (editor.name(), file.uri());
            Error::new(Code::Failed, format!("{name} didn't open {uri}: {error}."))
        })
}

#[cfg(target_os = "macos")]
fn open_by_default(file: &Path) -> Result<()> {
    run(
        Path::new("/usr/bin/open"),
        &["-t".into(), file.as_os_str().to_owned()],
    )
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn open_by_default(_: &Path) -> Result<()> {
    Err(refusal("This desktop has no editor for text files"))
}

#[cfg(test)]
mod tests;
