//! A driver of the expansion loop that works without a model. It applies recommended fixes and
//! makes changes that follow from the plan and the workspace.
//!
//! Each proposal is tried on the plan and kept only if the loop itself would keep it: nothing is
//! lost, nothing gets worse, and something improves. The driver stops when no proposal helps. It
//! invents nothing: no steps, and no file, command or word that is not in the plan or the
//! workspace.

mod fixes;
mod links;
mod order;

use std::collections::{BTreeMap, HashSet};

use super::candidate::{Candidate, Judge};
use super::change::Change;
use super::merge::Edit;
use super::preserve::{Refusal, refusals};
use super::{Event, Expansion, Input, Outcome, ReplyForm, RoundRequest, Step};
use crate::report::Finding;

/// Answers one round with edits.
pub fn reply(request: &RoundRequest) -> Event {
    Event::Reply {
        reply: ReplyForm::Edits(edits(request)),
        tokens: 0,
    }
}

/// Runs a complete loop with this driver.
pub fn expand(input: Input) -> Outcome {
    let (mut expansion, mut step) = Expansion::start(input);
    loop {
        match step {
            Step::Ask(request) => step = expansion.handle(reply(&request)),
            Step::Stop(outcome) => return *outcome,
        }
    }
}

/// An edit to try.
struct Proposal {
    edit: Edit,
    /// Whether the edit is kept even if no metric improves, because it links an existing file.
    is_fact: bool,
}

impl Proposal {
    fn of(edit: Edit) -> Self {
        Self {
            edit,
            is_fact: false,
        }
    }
}

/// Maximum number of proposals tried in one round, and the minimum for huge plans.
const MAX_TRIES: usize = 96;
const MIN_TRIES: usize = 8;
/// Maximum total bytes of the texts tried in one round, so that a round stays fast.
const BYTES_OF_ALL_TRIES: usize = 6 << 20;

fn edits(request: &RoundRequest) -> Vec<Edit> {
    let input = Input {
        text: request.text.clone(),
        goal: request.goal.clone(),
        scope: request.scope.clone(),
        facts: std::sync::Arc::clone(&request.facts),
        has_model: request.has_model,
        settings: request.bounds.clone(),
        tokens_used: 0,
        has_gaps: false,
    };
    let judge = Judge::of(&input);
    let (original, problems) = plan::parse(&input.text);
    let mut best = judge.original(&original, &problems);
    let mut handles = 0;
    let mut left = (BYTES_OF_ALL_TRIES / request.text.len().max(1)).clamp(MIN_TRIES, MAX_TRIES);
    let mut tried: HashSet<String> = HashSet::new();
    while let Some(proposal) = next(request, &best, &mut tried) {
        if left == 0 {
            break;
        }
        left -= 1;
        let mut next_handles = handles;
        let Some(after) = judge.tried(&best, proposal.edit, &mut next_handles) else {
            continue;
        };
        let refused = refusals(&best, &after, false, input.settings.max_tasks);
        let is_kept = match refused.as_slice() {
            [] => true,
            [Refusal::NothingBetter] => proposal.is_fact && after.text != best.text,
            _ => false,
        };
        if is_kept {
            best = after;
            handles = next_handles;
        }
    }
    grouped(best.changes)
}

/// The next untried proposal for the most severe finding that has one; after the findings, the next
/// untried link to a workspace file that a step mentions.
fn next(request: &RoundRequest, best: &Candidate, tried: &mut HashSet<String>) -> Option<Proposal> {
    let input = RecipeInput { request, best };
    let open = best.report.findings.iter();
    let open = open.filter(|finding| finding.muted.is_none());
    for finding in open {
        for (nth, proposal) in input.proposals(finding).into_iter().enumerate() {
            if tried.insert(format!("{} {nth} {:?}", finding.id, proposal.edit.mends)) {
                return Some(proposal);
            }
        }
    }
    let mut facts = links::facts(&input).into_iter();
    facts.find(|proposal| tried.insert(format!("{:?}", proposal.edit.mends)))
}

/// Input of the recipes.
struct RecipeInput<'a> {
    request: &'a RoundRequest,
    best: &'a Candidate,
}

impl RecipeInput<'_> {
    /// Proposals for a finding, the best first: the finding's own fix, or else changes that follow
    /// from the plan and the workspace.
    fn proposals(&self, finding: &Finding) -> Vec<Proposal> {
        // A finding that has fixes needs no other proposal.
        if !finding.fixes.is_empty() {
            let fix = fixes::recommended(self, finding);
            return fix.into_iter().map(Proposal::of).collect();
        }
        let edges = order::edges(self, finding);
        edges.into_iter().map(Proposal::of).collect()
    }
}

/// Converts changes to edits; changes that depend on each other become one edit.
fn grouped(changes: Vec<Change>) -> Vec<Edit> {
    let mut group: BTreeMap<String, usize> = BTreeMap::new();
    for (at, change) in changes.iter().enumerate() {
        let tied = changes[..at]
            .iter()
            .find(|other| other.needs.contains(&change.id) && change.needs.contains(&other.id));
        let of = tied.and_then(|other| group.get(&other.id).copied());
        group.insert(change.id.clone(), of.unwrap_or(at));
    }
    let mut edits: BTreeMap<usize, Edit> = BTreeMap::new();
    for change in changes {
        let at = group.get(&change.id).copied().unwrap_or_default();
        match edits.get_mut(&at) {
            None => {
                edits.insert(
                    at,
                    Edit {
                        task: change.task,
                        why: change.why,
                        message: change.message,
                        mends: change.mends,
                    },
                );
            }
            Some(edit) => {
                edit.why.extend(change.why);
                edit.why.dedup();
                if !edit.message.contains(&change.message) {
                    edit.message = format!("{} {}", edit.message, change.message);
                }
                edit.mends.extend(change.mends);
            }
        }
    }
    edits.into_values().collect()
}
