//! `planwright`, the terminal program.
//!
//! Parses the command line, calls one use case of the workbench, prints the result, and exits with
//! a code documented in the README. Contains no logic of its own and links no webview.

mod args;
mod exit;
mod follow;
mod hook;
mod mcp;
mod memory;
mod models;
mod new_plan;
mod print;
mod prompt;
mod shell_files;
mod talk;
mod typo;
mod window;

use std::process::ExitCode;

use clap::Parser;
use workbench::{CheckRequest, Environment, KnownWorkspaces, ModelChoice, Workbench};

use args::{Cli, Command};
use exit::Outcome;
use print::Out;

/// Faster than the system allocator for plans: thousands of short strings that several threads
/// allocate and free.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // This executable is also the helper process for a sandboxed command; see the tools crate.
    if let Some(code) = workbench::become_helper_if_asked() {
        return code;
    }
    print::show_panics();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let typo = typo::in_arguments(std::env::args_os());
            let Some(typo) = typo.filter(|_| error.use_stderr()) else {
                return exit::usage(&error);
            };
            let json = std::env::args_os().any(|argument| argument == "--json");
            Out::new().error(&typo, json);
            return exit::of_error(&typo);
        }
    };
    let mut out = Out::new();
    let json = cli.command.as_ref().is_some_and(Command::wants_json);
    // Hooks have their own exit codes, and open the user's data only for events that concern them.
    if let Some(Command::Hook(args)) = &cli.command {
        return hook::run(&args.command, &mut out).unwrap_or_else(|error| {
            out.error(&error, json);
            exit::of_error(&error)
        });
    }
    let outcome = match cli.command {
        Some(command) => dispatch(command, &mut out),
        None => window::open(cli.path.as_deref()).map(|()| Outcome::Fine),
    };
    match outcome {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            out.error(&error, json);
            exit::of_error(&error)
        }
    }
}

fn dispatch(command: Command, out: &mut Out) -> workbench::Result<Outcome> {
    match &command {
        Command::Settings(args) if args.schema => {
            out.text(workbench::SETTINGS_SCHEMA);
            return Ok(Outcome::Fine);
        }
        Command::Completions(args) => {
            shell_files::completions(args.shell, out);
            return Ok(Outcome::Fine);
        }
        Command::Manual => return shell_files::manual(out).map(|()| Outcome::Fine),
        _ => {}
    }
    let environment = Environment::of_process()?;
    let (mut bench, notices) = Workbench::open(environment)?;
    bench.set_agents(std::sync::Arc::new(
        bridges::acp_client::worker::StepWorkers,
    ));
    for notice in notices {
        out.notice(&notice);
    }
    let outcome = carry_out(command, &mut bench, out);
    if let Err(error) = bench.close() {
        out.notice(&error.message);
    }
    outcome
}

/// Converts the model options to a choice.
fn choice(model: Option<String>, offline: bool) -> ModelChoice {
    match model {
        Some(name) => ModelChoice::Named(name),
        None if offline => ModelChoice::None,
        None => ModelChoice::Configured,
    }
}

fn carry_out(command: Command, bench: &mut Workbench, out: &mut Out) -> workbench::Result<Outcome> {
    match command {
        Command::Check(args) => check(&args, bench, out),
        Command::Plan(args) => new_plan::plan(&args, bench, out),
        Command::Chat(args) => talk::chat(&args, bench, out),
        Command::Sessions(args) => {
            let sessions = bench.sessions()?;
            match args.json {
                true => sessions.iter().for_each(|session| out.json(session)),
                false => print::session::sessions(out, &sessions),
            }
            Ok(Outcome::Fine)
        }
        Command::Expand(args) => new_plan::expand(&args, bench, out),
        Command::Run(args) => follow::run(args, bench, out),
        Command::Resume(args) => follow::resume(args, bench, out),
        Command::Answer(args) => follow::answer(args, bench, out),
        Command::Discard(args) => {
            let discarded = bench.discard(&args.run, args.yes)?;
            match args.json {
                true => out.json(&discarded),
                false => print::run::discarded(out, &discarded),
            }
            Ok(match discarded.done {
                true => Outcome::Fine,
                false => Outcome::Waiting,
            })
        }
        Command::Brief(args) => {
            let brief = bench.brief(&args.file, &args.step)?;
            match args.json {
                true => out.json(&serde_json::json!({ "step": args.step, "brief": brief })),
                false => out.text(&brief),
            }
            Ok(Outcome::Fine)
        }
        Command::Runs(args) => {
            let runs = bench.runs()?;
            match args.json {
                true => runs.iter().for_each(|run| out.json(run)),
                false => print::run::runs(out, &runs),
            }
            Ok(Outcome::Fine)
        }
        Command::Receipt(args) => {
            let receipt = bench.receipt(&args.run)?;
            match args.json {
                true => out.json(&receipt),
                false => print::run::receipt(out, &receipt),
            }
            Ok(Outcome::Fine)
        }
        Command::Undo(args) => {
            let report = bench.undo_changes(&args.run, args.task.as_deref(), None)?;
            match args.json {
                true => out.json(&report),
                false => print::run::undo(out, &report),
            }
            Ok(if report.conflicts.is_empty() {
                Outcome::Fine
            } else {
                Outcome::Waiting
            })
        }
        Command::Models(args) => models::models(&args, bench, out),
        Command::Sandbox(args) => {
            let report = bench.sandbox()?;
            match args.json {
                true => out.json(&report),
                false => print::state_reports::sandbox(out, &report),
            }
            Ok(Outcome::Fine)
        }
        Command::Settings(args) => {
            let report = bench.settings(args.workspace.as_deref())?;
            match args.json {
                true => out.json(&report),
                false => print::state_reports::settings(out, &report),
            }
            Ok(Outcome::Fine)
        }
        Command::Permissions(args) => {
            if let Some(id) = &args.remove {
                bench.remove_permission(id)?;
            }
            let rules = bench.permissions(args.workspace.as_deref())?;
            match args.json {
                true => rules.iter().for_each(|rule| out.json(rule)),
                false => print::state_reports::permissions(out, &rules),
            }
            Ok(Outcome::Fine)
        }
        Command::Mcp(args) => {
            mcp::serve(args, bench, out)?;
            Ok(Outcome::Fine)
        }
        Command::Acp => {
            memory::give_back_at_once();
            bridges::acp_agent::serve_stdio(bench)?;
            Ok(Outcome::Fine)
        }
        // Handled before the user's data is opened; see `dispatch`.
        Command::Completions(_) | Command::Hook(_) | Command::Manual => Ok(Outcome::Fine),
    }
}

fn check(
    args: &args::CheckArgs,
    bench: &mut Workbench,
    out: &mut Out,
) -> workbench::Result<Outcome> {
    let mut outcome = Outcome::Fine;
    let mut known = KnownWorkspaces::default();
    for file in &args.files {
        let request = CheckRequest {
            file: file.clone(),
            goal: args.goal.clone(),
            requirements: args.requirements.clone(),
            depth: args.depth.into(),
            scope: args.scope.clone(),
            before: args.before.clone(),
        };
        match bench.check(&request, &mut known) {
            Ok(report) => {
                if report.adequacy.badge.is_weak() && (args.enforce || bench.enforces(file)) {
                    outcome = outcome.max(Outcome::Thin);
                }
                match args.json {
                    true => out.json(&report),
                    false => print::plan::check(out, &report),
                }
            }
            // One unusable file must not hide the results for the others.
            Err(error) if error.code == workbench::Code::UnusablePlan => {
                outcome = outcome.max(Outcome::Unusable);
                out.file_error(file, &error, args.json);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(outcome)
}
