//! Permits like those that the gate issues for approved actions.

#![allow(dead_code, unreachable_pub, reason = "no test needs all of it")]

use std::collections::BTreeSet;

use gate::{Act, Action, Bearer, Cage, Case, Decision, Permit, decide, own_act};
use plan::{CommandLine, ToolCall};
use tools::sandbox::{CommandSpec, Mode};

fn permit(action: Action, cage: Cage) -> Permit {
    let case = Case {
        bearer: Bearer::Run {
            run: "r1".to_owned(),
            step: Some("T1".to_owned()),
        },
        action,
        cage,
        plan: None,
        rules: &[],
        granted: &BTreeSet::new(),
        is_sandboxed: true,
        is_named: true,
        may_have_happened: false,
        checkpoints: None,
    };
    match decide(case) {
        Decision::Permit(permit) => permit,
        decision => panic!("{decision:?}"),
    }
}

/// A permit for one call of an approved step.
pub fn for_call(call: &ToolCall) -> Permit {
    permit(Action::Call(call.clone()), Cage::Workspace)
}

/// A permit for exactly this command; if it may use the network, the permit is for a hand-over.
pub fn for_command(spec: &CommandSpec) -> Permit {
    let line = match &spec.line {
        CommandLine::Shell(line) => line.clone(),
        CommandLine::Argv(words) => {
            let words = words.iter().map(|word| format!("'{word}'"));
            words.collect::<Vec<_>>().join(" ")
        }
    };
    let cage = match spec.mode {
        Mode::Plan => Cage::ReadOnly,
        Mode::Exec => Cage::Workspace,
    };
    let check = Action::Check { line };
    match check.call() {
        Some(call) if spec.network => permit(Action::HandOver(call), cage),
        _ => permit(check, cage),
    }
}

pub fn to_write(path: &str) -> Permit {
    let path = path.to_owned();
    own_act(Bearer::Person, Act::WriteDocument { path })
}

pub fn to_take_back() -> Permit {
    own_act(Bearer::Person, Act::TakeBack)
}

pub fn to_start_branch(name: &str) -> Permit {
    let name = name.to_owned();
    own_act(Bearer::Person, Act::StartBranch { name })
}
