//! `hook`: answers events from other agents, and installs, removes or checks the hook in their
//! settings.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use bridges::hooks::{self, Answer, Host, setup};
use bridges::review_wait::Waiter;
use workbench::{Code, Environment, Error, Result, Workbench};

use crate::args::{HookCommand, HookDoctorArgs, HookEventArgs, HookHost, HookSetupArgs};
use crate::exit::Outcome;
use crate::print::{self, Out, terminal};
use crate::window;

/// Exit code of a hook that refuses with a message on standard error, which the host passes to its
/// model.
const REFUSED: u8 = 2;

/// Runs `hook`.
///
/// # Errors
/// For `install`, `remove` and `doctor`, the same as [`setup`]. The hook itself reports errors to
/// its host instead.
pub(crate) fn run(command: &HookCommand, out: &mut Out) -> Result<ExitCode> {
    match command {
        HookCommand::Claude(args) => Ok(answer(Host::Claude, args, out)),
        HookCommand::Codex(args) => Ok(answer(Host::Codex, args, out)),
        HookCommand::Gemini(args) => Ok(answer(Host::Gemini, args, out)),
        HookCommand::Cursor(args) => Ok(answer(Host::Cursor, args, out)),
        HookCommand::Install(args) => {
            let done = set_up(args, out, |host, program, file| {
                setup::install(host, program, file)
            })?;
            if let Some(note) = Host::from(args.host).note() {
                out.line(note);
            }
            Ok(done)
        }
        HookCommand::Remove(args) => set_up(args, out, |host, _, file| setup::remove(host, file)),
        HookCommand::Doctor(args) => doctor(args, out),
    }
}

fn answer(host: Host, args: &HookEventArgs, out: &mut Out) -> ExitCode {
    // Hosts carry on with the action after any exit code but [`REFUSED`], so a panic must not end
    // the hook.
    let answer = std::panic::catch_unwind(|| answer_event(host, args)).unwrap_or_else(|_| {
        let message = "the hook failed; nothing was allowed. Please report this".to_owned();
        Answer::Refusal(message)
    });
    match answer {
        Answer::None => ExitCode::SUCCESS,
        Answer::Json(value) => {
            out.json(&value);
            ExitCode::SUCCESS
        }
        Answer::Refusal(message) => {
            print::warn(format_args!("planwright: {message}"));
            ExitCode::from(REFUSED)
        }
    }
}

fn answer_event(host: Host, args: &HookEventArgs) -> Answer {
    match hooks::read(host, std::io::stdin().lock()) {
        Err(message) => Answer::Refusal(message),
        Ok(None) => Answer::None,
        Ok(Some(event)) => {
            let answered = with_workbench(|bench| {
                let cancel = workbench::cancel_on_signals()?;
                let waiter = Waiter {
                    open_window: &|plan| window::open(Some(plan)),
                    is_cancelled: &|| cancel.is_cancelled(),
                    limit: Duration::from_secs(args.wait),
                };
                Ok(hooks::answer(host, &event, bench, &waiter))
            });
            answered.unwrap_or_else(|error| hooks::unavailable(host, &event, &error))
        }
    }
}

fn with_workbench<T>(work: impl FnOnce(&Workbench) -> Result<T>) -> Result<T> {
    let (bench, _) = Workbench::open(Environment::of_process()?)?;
    work(&bench)
}

impl From<HookHost> for Host {
    fn from(host: HookHost) -> Self {
        match host {
            HookHost::Claude => Self::Claude,
            HookHost::Codex => Self::Codex,
            HookHost::Gemini => Self::Gemini,
            HookHost::Cursor => Self::Cursor,
        }
    }
}

/// Resolves a folder that the person named, removing `.` and symlinks.
fn folder(environment: &Environment, named: &Path) -> Result<PathBuf> {
    let folder = environment.cwd.join(named).canonicalize();
    folder.map_err(|error| {
        let message = format!("can't open the folder {}: {error}", named.display());
        Error::new(Code::Usage, message)
    })
}

fn settings_file(environment: &Environment, host: Host, project: Option<&Path>) -> PathBuf {
    let variable = |name: &str| environment.variable(name);
    host.settings_file(&environment.home(), variable, project)
}

type NextChange<'a> = &'a dyn Fn(Host, &Path, &Path) -> Result<Option<setup::Change>>;

fn set_up(
    args: &HookSetupArgs,
    out: &mut Out,
    next: impl Fn(Host, &Path, &Path) -> Result<Option<setup::Change>>,
) -> Result<ExitCode> {
    let environment = Environment::of_process()?;
    let project = args.project.as_ref().map(|dir| folder(&environment, dir));
    let project = project.transpose()?;
    let file = settings_file(&environment, args.host.into(), project.as_deref());
    change(args, &environment.program, &file, &next, out)
}

fn change(
    args: &HookSetupArgs,
    program: &Path,
    file: &Path,
    next: NextChange<'_>,
    out: &mut Out,
) -> Result<ExitCode> {
    let Some(change) = next(args.host.into(), program, file)? else {
        out.line(format!("Nothing to change in {}.", file.display()));
        return Ok(Outcome::Fine.into());
    };
    out.line(format!("{}:", file.display()));
    out.text(&change.diff());
    if !args.yes && !confirmed()? {
        out.line("Nothing was changed.");
        return Ok(Outcome::Waiting.into());
    }
    setup::write(&change)?;
    out.line(format!("Changed {}.", file.display()));
    Ok(Outcome::Fine.into())
}

/// Asks for confirmation at the terminal; only `y` and `yes` confirm.
fn confirmed() -> Result<bool> {
    if !terminal::has_person() {
        return Err(Error::new(
            Code::Usage,
            "nothing was changed: pass --yes to change the file without being asked",
        ));
    }
    print::ask("Change the file? [y/N] ");
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.map_err(|error| Error::from_cause(Code::Failed, error))?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn doctor(args: &HookDoctorArgs, out: &mut Out) -> Result<ExitCode> {
    let environment = Environment::of_process()?;
    let host = Host::from(args.host);
    let project = folder(&environment, &args.project)?;
    let files =
        [None, Some(project.as_path())].map(|project| settings_file(&environment, host, project));
    let mut checks: Vec<setup::Checkup> = files
        .iter()
        .map(|file| setup::check(host, &environment.program, file))
        .collect();
    let installed = checks.iter().filter(|check| check.is_installed).count();
    let mut general = Vec::new();
    if installed == 0 {
        let name = host.name();
        general.push(format!(
            "the hook isn't installed: run `planwright hook install {name}`"
        ));
    }
    if checks[0].file == checks[1].file {
        checks.truncate(1);
    }
    if installed == 2 && checks.len() == 2 {
        checks[1]
            .problems
            .push("the hook is also installed for all projects; remove one of the two".to_owned());
    }
    if let Err(error) = window::check() {
        general.push(error.message);
    }
    let is_fine = general.is_empty() && checks.iter().all(|check| check.problems.is_empty());
    if args.json {
        out.json(&serde_json::json!({
            "host": host.name(), "ok": is_fine, "problems": general, "files": checks,
        }));
    } else {
        for check in &checks {
            let state = if check.is_installed {
                "installed"
            } else {
                "not installed"
            };
            out.line(format!("{}: {state}", check.file.display()));
            for problem in &check.problems {
                out.line(format!("  {problem}"));
            }
        }
        for problem in &general {
            out.line(problem);
        }
        if is_fine {
            out.line(match host.has_plans() {
                true => format!(
                    "Plans from {} open in Planwright, and its changes are held to the approved plan.",
                    host.title()
                ),
                false => format!(
                    "Changes by {} are held to the plan that it got approved over MCP.",
                    host.title()
                ),
            });
        }
        if installed > 0
            && let Some(note) = host.note()
        {
            out.line(note);
        }
    }
    Ok(match is_fine {
        true => ExitCode::SUCCESS,
        false => Outcome::Thin.into(),
    })
}
