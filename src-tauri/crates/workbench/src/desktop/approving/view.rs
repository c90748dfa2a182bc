//! What an approval would let run, as its dialog shows it.

use agent::micro_planning::RunChoice;
use gate::policy::Policy;
use plan::{By, Task, ToolName};
use tools::git;

use super::{check_upto, effort};
use crate::desktop::Shared;
use crate::desktop::document::{ParsedPlan, cut};
use crate::error::Result;
use crate::inspecting::meaning;
use crate::opening::{Opened, is_the_plan, open_steps, runnable};
use crate::wire::window::{ApprovalStep, ApprovalView, BlockedStep, GitView};
use crate::{Workbench, approval, checking};

/// Steps shown.
const MOST_STEPS: usize = 500;

/// Changed files named.
const MOST_DIRTY: usize = 50;

/// Characters of a title.
const LONGEST_TITLE: usize = 300;

/// From asking least often to asking most often, as a person reads them.
const POLICIES: [Policy; 3] = [Policy::Each, Policy::Risky, Policy::All];

pub(super) fn view(
    shared: &Shared,
    plan: &str,
    revision: &str,
    upto: Option<&str>,
) -> Result<ApprovalView> {
    let parsed = shared.parsed_at(plan, revision)?;
    check_upto(&parsed.plan, upto)?;
    // Git and the sandbox may take a moment, so the windows go on meanwhile.
    let workbench = shared.workbench().again()?;
    let opened = shared.opened_at(&workbench, &parsed)?;
    let key = opened.file.key();
    let steps = open_steps(&opened.plan, upto);
    let facts = shared.facts_of(&key);
    let report = checking::report(&opened.plan, &opened.problems, &facts);
    let holder = workbench.store.leases().holder(&key)?;
    let running = holder.filter(store::Holder::is_alive);
    let comments = workbench.store.comments().open(&key)?;
    let unsent = comments.iter().filter(|comment| comment.sent_ms.is_none());
    let allows = |policy: &Policy| opened.settings.policy_for(Some(*policy), *policy) == *policy;
    let has_model = workbench.has_model(&opened.settings);
    let tier = workbench.sandbox_for(&opened.settings).tier();
    Ok(ApprovalView {
        plan: key,
        revision: opened.content.revision.as_str().to_owned(),
        steps: steps
            .iter()
            .take(MOST_STEPS)
            .map(|index| step(&opened.plan.tasks[*index], has_model))
            .collect(),
        step_count: u32::try_from(steps.len()).unwrap_or(u32::MAX),
        reason_for: checking::objection(&opened.settings, &opened.file.relative, &report),
        blocked: blocked(&parsed, &opened, &steps),
        not_runnable: not_runnable(&workbench, &opened, upto)?,
        running: running.map(|holder| holder.run),
        unsent_comments: u32::try_from(unsent.count()).unwrap_or(u32::MAX),
        git: git_view(&workbench, &opened),
        policy: opened
            .settings
            .policy_for(None, Policy::All)
            .as_str()
            .to_owned(),
        policies: POLICIES
            .iter()
            .filter(|policy| allows(policy))
            .map(|policy| policy.as_str().to_owned())
            .collect(),
        sandbox: format!("{}: {}", tier.as_str(), meaning(tier)),
        effort: effort::view(
            &workbench,
            &opened.settings,
            &RunChoice::default(),
            opened.plan.front.strategy.as_deref(),
        ),
    })
}

fn step(task: &Task, has_model: bool) -> ApprovalStep {
    let calls = || task.calls.iter();
    let mut files = task.files.clone();
    let parsed = calls().filter_map(|call| call.parsed.as_ref().ok());
    for call in parsed.filter(|call| !call.tool.is_read_only() && call.tool != ToolName::RunCommand)
    {
        let path = call.path().unwrap_or_default().to_owned();
        if !files.contains(&path) {
            files.push(path);
        }
    }
    let commands = calls().map(|call| call.raw.trim().to_owned());
    let by = task.carried_out_by(has_model);
    let by_person = by == By::Person || (task.calls.is_empty() && !has_model);
    ApprovalStep {
        task: task.id.0.clone(),
        title: cut(&task.title, LONGEST_TITLE),
        by: if by_person { "person" } else { "agent" }.to_owned(),
        files,
        is_free: task.calls.is_empty() && task.carried_out_by(true) == By::Agent,
        commands: commands.chain(task.verify.iter().cloned()).collect(),
    }
}

fn blocked(parsed: &ParsedPlan, opened: &Opened, steps: &[usize]) -> Vec<BlockedStep> {
    let steps = steps.iter().filter_map(|index| {
        let findings = adequacy::gate::blocks(&opened.plan, parsed.graph(), *index, false);
        (!findings.is_empty()).then(|| BlockedStep {
            task: opened.plan.tasks[*index].id.0.clone(),
            codes: findings
                .iter()
                .map(|found| found.code.as_str().to_owned())
                .collect(),
            messages: findings.into_iter().map(|found| found.message).collect(),
        })
    });
    steps.take(MOST_STEPS).collect()
}

/// Why there is nothing that could run.
fn not_runnable(
    workbench: &Workbench,
    opened: &Opened,
    upto: Option<&str>,
) -> Result<Option<String>> {
    let key = opened.file.key();
    let Opened { plan, problems, .. } = opened;
    if let Err(error) = runnable(plan, problems, &opened.file.relative, upto) {
        return Ok(Some(error.message));
    }
    let revision = opened.content.revision.as_str();
    let approval = approval::resolve(&workbench.store, &key, revision, &opened.content)?;
    let is_over = workbench.is_carried_out(&key, &approval, plan, upto)?;
    Ok(is_over.then(|| "every step is done or skipped, so there is nothing to run".to_owned()))
}

/// The repository; what Git cannot say is left out, since the run does not depend on it.
fn git_view(workbench: &Workbench, opened: &Opened) -> Option<GitView> {
    let state = match git::state(&opened.workspace) {
        Ok(state) => state?,
        Err(error) => {
            tracing::info!(%error, "the state of the repository is not known");
            return None;
        }
    };
    let is_plan = |path: &str| is_the_plan(path, &opened.file.relative);
    let own = state
        .dirty
        .iter()
        .filter(|file| is_plan(&file.path))
        .count();
    let others = state.dirty.iter().filter(|file| !is_plan(&file.path));
    let runs = workbench.store.runs().of_plan(&opened.file.key());
    let number = runs.map_or(0, |runs| runs.len()) + 1;
    Some(GitView {
        offer: offer(&opened.file.relative, number, state.branch.as_deref()),
        branch: state.branch,
        head: state.head.map(|head| head.chars().take(7).collect()),
        dirty: others
            .take(MOST_DIRTY)
            .map(|file| file.path.clone())
            .collect(),
        dirty_count: u32::try_from(state.dirty_total.saturating_sub(own)).unwrap_or(u32::MAX),
    })
}

/// A branch named after the plan, with a number from its second run on.
fn offer(relative: &str, number: usize, branch: Option<&str>) -> String {
    let name = relative.rsplit('/').next().unwrap_or(relative);
    let name = name.strip_suffix(".md").unwrap_or(name).to_lowercase();
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let name = match words.is_empty() {
        true => "plan".to_owned(),
        false => words.join("-"),
    };
    let plain = format!("planwright/{name}");
    match number {
        0 | 1 if branch != Some(plain.as_str()) => plain,
        number => format!("{plain}-{}", number.max(2)),
    }
}
