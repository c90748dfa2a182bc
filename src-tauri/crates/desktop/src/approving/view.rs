//! Data for the approval dialog: the steps that an approval would allow, their effects, and the
//! suggested branch.

use std::collections::BTreeMap;

use agent::journal::Evidence;
use agent::micro_planning::RunChoice;
use gate::policy::Policy;
use plan::{By, Task};
use tools::git;

use super::{check_upto, effort};
use crate::Desktop;
use crate::document::{ParsedPlan, cut};
use crate::step_effects::{Effects, is_for_person, is_there, why_left_out};
use crate::wire::{ApprovalStep, ApprovalView, BlockedStep, GitView, LeftOutStep, StepEffect};
use workbench::error::Result;
use workbench::opening::{Opened, is_same_file, open_steps, runnable};
use workbench::reports::meaning;
use workbench::{Workbench, approval, checking};

/// Maximum steps shown.
const MAX_STEPS: usize = 500;

/// Maximum uncommitted files listed.
const MAX_DIRTY: usize = 50;

/// Maximum characters in a title.
const MAX_TITLE_LEN: usize = 300;

/// From strictest to most permissive, as shown in the dialog.
const POLICIES: [Policy; 3] = [Policy::Each, Policy::Risky, Policy::All];

impl Desktop {
    /// Shows what approving this revision would allow to run.
    ///
    /// # Errors
    /// [`workbench::Code::PlanGone`] if the file is missing; [`workbench::Code::Usage`] for an
    /// unknown revision or an unknown last step.
    pub fn approval(&self, plan: &str, revision: &str, upto: Option<&str>) -> Result<ApprovalView> {
        let shared = &self.shared;
        let parsed = shared.parsed_at(plan, revision)?;
        check_upto(&parsed.plan, upto)?;
        // Git and the sandbox can be slow, so use a separate workbench that blocks no other calls.
        let workbench = shared.workbench().again()?;
        let opened = shared.opened_at(&workbench, &parsed)?;
        let key = opened.file.key();
        let (found, not_runnable) = recorded(&workbench, &opened, upto)?;
        let (mut steps, mut left_out) = (Vec::new(), Vec::new());
        for (index, _) in opened.plan.leaves() {
            match why_left_out(&opened.plan, parsed.graph(), index, upto, &found) {
                None => steps.push(index),
                Some(reason) => left_out.push((index, reason)),
            }
        }
        let facts = shared.facts_of(&key);
        let report = checking::report(&opened.plan, &opened.problems, &facts);
        let holder = workbench.store.leases().holder(&key)?;
        let running = holder.filter(store::Holder::is_alive);
        let comments = workbench.store.comments().open(&key)?;
        let unsent = comments.iter().filter(|comment| comment.sent_ms.is_none());
        let allows =
            |policy: &Policy| opened.settings.policy_for(Some(*policy), *policy) == *policy;
        let has_model = workbench.has_model();
        let tier = workbench.sandbox_for(&opened.settings).tier();
        let exists = |path: &str| is_there(&opened.workspace, path);
        let mut effects = Effects::new(&opened.plan, parsed.graph(), has_model, &exists);
        let shown = steps.iter().take(MAX_STEPS).map(|index| {
            let task = &opened.plan.tasks[*index];
            step(task, has_model, effects.of(*index))
        });
        Ok(ApprovalView {
            plan: key,
            revision: opened.content.revision.as_str().to_owned(),
            steps: shown.collect(),
            step_count: u32::try_from(steps.len()).unwrap_or(u32::MAX),
            left_out_count: u32::try_from(left_out.len()).unwrap_or(u32::MAX),
            left_out: left_out
                .into_iter()
                .take(MAX_STEPS)
                .map(|(index, reason)| LeftOutStep {
                    task: opened.plan.tasks[index].id.0.clone(),
                    title: cut(&opened.plan.tasks[index].title, MAX_TITLE_LEN),
                    reason,
                })
                .collect(),
            reason_for: checking::objection(&opened.settings, &opened.file.relative, &report),
            blocked: blocked(&parsed, &opened, &open_steps(&opened.plan, upto)),
            not_runnable,
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
}

fn step(task: &Task, has_model: bool, effects: Vec<StepEffect>) -> ApprovalStep {
    let by_person = is_for_person(task, has_model);
    ApprovalStep {
        task: task.id.0.clone(),
        title: cut(&task.title, MAX_TITLE_LEN),
        by: if by_person { "person" } else { "agent" }.to_owned(),
        effects,
        is_free: task.calls.is_empty() && task.carried_out_by(true) == By::Agent,
    }
}

fn blocked(parsed: &ParsedPlan, opened: &Opened, steps: &[usize]) -> Vec<BlockedStep> {
    let steps = steps.iter().filter_map(|index| {
        let findings = adequacy::step_gate::blocks(&opened.plan, parsed.graph(), *index, false);
        (!findings.is_empty()).then(|| BlockedStep {
            task: opened.plan.tasks[*index].id.0.clone(),
            messages: findings.into_iter().map(|found| found.message).collect(),
        })
    });
    steps.take(MAX_STEPS).collect()
}

/// The results of earlier runs for each step, and the reason if nothing can run.
fn recorded(
    workbench: &Workbench,
    opened: &Opened,
    upto: Option<&str>,
) -> Result<(BTreeMap<String, Evidence>, Option<String>)> {
    let key = opened.file.key();
    let Opened { plan, problems, .. } = opened;
    if let Err(error) = runnable(plan, problems, &opened.file.relative, upto) {
        return Ok((BTreeMap::new(), Some(error.message)));
    }
    let revision = opened.content.revision.as_str();
    let approval = approval::resolve(&workbench.store, &key, revision, &opened.content)?;
    let found = workbench.earlier(opened, &approval)?.evidence;
    let is_over = workbench.is_carried_out(opened, &approval, upto)?;
    let why =
        is_over.then(|| "every step is done or skipped, so there is nothing to run".to_owned());
    Ok((found, why))
}

/// The state of the repository. Parts that Git fails to report are omitted, since the run doesn't
/// depend on them.
fn git_view(workbench: &Workbench, opened: &Opened) -> Option<GitView> {
    let state = match git::state(&opened.workspace) {
        Ok(state) => state?,
        Err(error) => {
            tracing::info!(%error, "couldn't read the repository's state");
            return None;
        }
    };
    let is_plan = |path: &str| is_same_file(path, &opened.file.relative);
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
            .take(MAX_DIRTY)
            .map(|file| file.path.clone())
            .collect(),
        dirty_count: u32::try_from(state.dirty_total.saturating_sub(own)).unwrap_or(u32::MAX),
    })
}

/// Suggests a branch named after the plan, numbered from its second run on.
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
