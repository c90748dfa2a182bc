//! Run options: the defaults from settings and the model's profile, and what a user chose for one
//! run.

use agent::context;
use agent::micro_planning::{HandOverChoice, MAX_LOOK_AHEAD, RunChoice, Strategy, look_ahead};
use agent::run_limits::RunLimits;
use model::profile::{EditForm, Profile, ToolChannel};

use crate::Shared;
use crate::run_views::RunRead;
use crate::wire::{EffortView, ExecutorView, RunEffort};
use workbench::Workbench;
use workbench::error::{Code, Error, Result};
use workbench::settings::Settings;
use workbench::settings::executors::Executor;
use workbench::step_agents::{AgentInfo, PREFIX};

/// The default options, overridden by the user's choice. `of_plan` is the strategy named in the
/// plan.
pub(crate) fn view(
    bench: &Workbench,
    settings: &Settings,
    choice: &RunChoice,
    of_plan: Option<&str>,
) -> EffortView {
    let planning = &settings.planning;
    let caps: RunLimits = choice.caps(planning.caps);
    let profile = bench.profile_of_run(choice);
    let named = of_plan.and_then(Strategy::read);
    let usual = profile
        .as_ref()
        .map_or_else(Default::default, |(_, profile)| {
            planning.usual(profile.recommended_strategy)
        });
    let (strategy, from) = match (choice.strategy, named) {
        (Some(chosen), _) => (chosen, "choice"),
        (None, Some(named)) => (named, "plan"),
        (None, None) if planning.is_by_profile() => (usual, "profile"),
        (None, None) => (usual, "settings"),
    };
    let ahead = profile.as_ref().map_or(1, |(_, profile)| {
        look_ahead(
            choice.look_ahead.or(planning.look_ahead),
            profile.max_tasks_per_plan,
            profile.needs_simplified_prompts,
        )
    });
    EffortView {
        model: profile.as_ref().map(|(name, _)| name.clone()),
        profile: profile.map_or_else(Vec::new, |(_, profile)| in_words(&profile)),
        strategy: strategy.as_str().to_owned(),
        strategy_from: from.to_owned(),
        look_ahead: u32::from(ahead),
        context: choice
            .context
            .unwrap_or(planning.context)
            .as_str()
            .to_owned(),
        steps: caps.steps,
        calls: caps.calls,
        tokens: caps.tokens,
        seconds: caps.seconds,
        executors: settings
            .executors
            .iter()
            .map(executor)
            .chain(
                bench
                    .installed_agents(&settings.agents)
                    .into_iter()
                    .map(agent),
            )
            .collect(),
        hand_over: choice.hand_over.as_ref().map(|over| over.name.clone()),
    }
}

fn executor(executor: &Executor) -> ExecutorView {
    ExecutorView {
        name: executor.name.clone(),
        line: executor.line(),
        network: executor.network,
        timeout_s: executor.timeout_s,
        env: executor.env.clone(),
    }
}

fn agent(agent: AgentInfo) -> ExecutorView {
    ExecutorView {
        name: format!("{PREFIX}{}", agent.name),
        line: agent.line,
        network: agent.network,
        timeout_s: agent.timeout_s,
        env: agent.env,
    }
}

/// Describes a profile's effects on a run.
fn in_words(profile: &Profile) -> Vec<String> {
    let calls = match profile.tool_channel {
        ToolChannel::Native => "native tool calls",
        ToolChannel::JsonText => "tool calls as text",
    };
    let edits = match profile.edit_form {
        EditForm::Replace => "find-and-replace edits",
        EditForm::WholeFile => "whole-file edits",
    };
    let prompts = match profile.needs_simplified_prompts {
        true => "short prompts",
        false => "full prompts",
    };
    vec![
        format!("window {}", grouped(profile.context_window)),
        calls.to_owned(),
        prompts.to_owned(),
        edits.to_owned(),
    ]
}

/// Formats a number with thousands separators: `16,384`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Validates a user's choice of options.
pub(super) fn choice(chosen: RunEffort) -> Result<RunChoice> {
    let bad = |message: &str| Error::new(Code::Usage, message.to_owned());
    let strategy = chosen.strategy.map(|name| {
        Strategy::read(&name).ok_or_else(|| bad("strategy must be upfront, iterative or hybrid"))
    });
    let context = chosen.context.map(|name| {
        let named = context::Strategy::from_name(&name);
        named.ok_or_else(|| bad("context must be minimal, relevant or full"))
    });
    let ahead = chosen.look_ahead.map(|ahead| {
        let ahead = u8::try_from(ahead).ok();
        let ahead = ahead.filter(|ahead| (1..=MAX_LOOK_AHEAD).contains(ahead));
        ahead.ok_or_else(|| bad("look-ahead must be 1, 2 or 3 steps"))
    });
    if [chosen.steps, chosen.calls].contains(&Some(0))
        || [chosen.tokens, chosen.seconds].contains(&Some(0))
    {
        return Err(bad("limits must be 1 or more"));
    }
    Ok(RunChoice {
        strategy: strategy.transpose()?,
        look_ahead: ahead.transpose()?,
        context: context.transpose()?,
        steps: chosen.steps,
        calls: chosen.calls,
        tokens: chosen.tokens,
        seconds: chosen.seconds,
        model: chosen.model.map(|model| model.trim().to_owned()),
        hand_over: chosen.hand_over.map(|name| HandOverChoice {
            name: name.trim().to_owned(),
            tasks: Vec::new(),
        }),
        host: None,
    })
}

impl Shared {
    /// The options of a run; `None` if it uses neither a model nor a command.
    pub(crate) fn effort_of(&self, read: &RunRead) -> Option<EffortView> {
        let started = &read.state.started;
        let bench = self.workbench();
        let workspace = bench
            .open_workspace(std::path::Path::new(&read.row.workspace))
            .ok();
        let (settings, _) = bench.settings_for(workspace.as_ref());
        let parsed = read.parsed.as_ref();
        let of_plan = parsed.and_then(|parsed| parsed.plan.front.strategy.clone());
        let mut view = view(&bench, &settings, &started.choice, of_plan.as_deref());
        // Show the recorded model, even if another one is configured now.
        if started.model.is_some() && view.model != started.model {
            view.model.clone_from(&started.model);
            view.profile.clear();
        }
        (view.model.is_some() || view.hand_over.is_some()).then_some(view)
    }
}
