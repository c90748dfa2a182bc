//! A plan's task graph, laid out. Read-only.
//!
//! States come from the file: checkboxes, `skipped` and recorded answers. The state of a running
//! run is part of the run's view. Only the first [`MAX_NODES`] tasks are drawn.

use plan::graph::LinkKind;
use plan::layout::{Item, Place, Spacing, layered};

use crate::Desktop;
use crate::document::{ParsedPlan, by, cut, kind_of};
use crate::wire::{GraphEdge, GraphNode, GraphView};
use workbench::error::Result;

/// Maximum tasks drawn.
const MAX_NODES: usize = 2_000;

/// Maximum characters in a title or label.
const MAX_TITLE_LEN: usize = 120;

/// Width of a task's box. All sizes here are in pixels at 100 %.
const WIDTH: u32 = 148;

/// Characters per title line; wide characters count twice.
const LINE: usize = 22;

/// Maximum lines in a title.
const MAX_LINES: u32 = 3;

/// Height of a title line.
const LINE_HEIGHT: u32 = 14;

/// Height of a box without its title.
const FRAME: u32 = 34;

/// Height of a group's header.
const GROUP_HEAD: u32 = 36;

const SPACING: Spacing = Spacing {
    layers: 34,
    siblings: 40,
    padding: 20,
    max_per_layer: 12,
};

impl Desktop {
    /// The tasks of a revision and their dependencies, laid out.
    pub fn graph(&self, plan: &str, revision: &str) -> Result<GraphView> {
        Ok(view(&*self.shared.parsed_at(plan, revision)?))
    }
}

fn view(parsed: &ParsedPlan) -> GraphView {
    let (plan, graph) = (&parsed.plan, parsed.graph());
    let tasks = plan.tasks.get(..MAX_NODES).unwrap_or(&plan.tasks);
    let links = graph.links(plan, tasks.len());
    let is_settled = settled(parsed);
    let unblocks = graph.waiting(|leaf| !is_settled[leaf], tasks.len());
    let places = places(parsed, tasks.len(), &links);
    let nodes = tasks.iter().enumerate().map(|(at, task)| {
        let findings = parsed.findings_of(&task.id);
        let found = findings
            .iter()
            .filter_map(|at| parsed.report.findings.get(*at));
        let Place {
            x,
            y,
            width,
            height,
        } = places[at];
        GraphNode {
            id: task.id.to_string(),
            kind: kind_of(task, task.is_group()).to_owned(),
            title: cut(&task.title, MAX_TITLE_LEN),
            group: task.parent.map(|parent| plan.tasks[parent].id.to_string()),
            by: by(task).to_owned(),
            state: state(parsed, at, &is_settled).to_owned(),
            unblocks: unblocks[at],
            findings: u32::try_from(findings.len()).unwrap_or(u32::MAX),
            severity: found
                .map(|found| found.severity)
                // Severities are ordered from most to least severe.
                .min()
                .map(|severity| severity.as_str().to_owned()),
            x,
            y,
            width,
            height,
        }
    });
    let edges = links.iter().map(|link| {
        let (kind, label) = match link.kind {
            LinkKind::Depends => ("depends", None),
            LinkKind::Order => ("order", None),
            LinkKind::Branch(option) => {
                let option = plan.tasks[link.before].options.get(option);
                (
                    "branch",
                    option.map(|option| cut(&option.label, MAX_TITLE_LEN)),
                )
            }
        };
        GraphEdge {
            from: plan.tasks[link.before].id.to_string(),
            to: plan.tasks[link.after].id.to_string(),
            kind: kind.to_owned(),
            label,
        }
    });
    GraphView {
        revision: parsed.revision().as_str().to_owned(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        more: u32::try_from(plan.tasks.len() - tasks.len()).unwrap_or(u32::MAX),
    }
}

/// For every task, whether its dependents no longer wait for it: it is done, or skipped by a person
/// or by the recorded answer to a decision.
fn settled(parsed: &ParsedPlan) -> Vec<bool> {
    let (plan, graph) = (&parsed.plan, parsed.graph());
    let mut settled: Vec<bool> = plan
        .tasks
        .iter()
        .map(|task| task.done || is_left_out(parsed, task.parent) || task.skipped.is_some())
        .collect();
    for record in &plan.decisions {
        let Some(answer) = &record.answer else {
            continue;
        };
        let Some(at) = parsed.index_of(record.task.as_str()) else {
            continue;
        };
        let options = plan.tasks[at].options.iter();
        let Some(chosen) = options.clone().position(|option| option.label == *answer) else {
            continue;
        };
        let branches = graph.branches(at);
        let enabled = branches.get(chosen).map_or(&[][..], Vec::as_slice);
        for leaf in branches.iter().flatten() {
            settled[*leaf] |= !enabled.contains(leaf);
        }
    }
    // A group is settled once all its leaves are.
    for at in 0..plan.tasks.len() {
        if plan.tasks[at].is_group() {
            settled[at] = graph.leaves_of(at).iter().all(|leaf| settled[*leaf]);
        }
    }
    settled
}

/// Whether any enclosing group is skipped.
fn is_left_out(parsed: &ParsedPlan, mut group: Option<usize>) -> bool {
    while let Some(at) = group {
        let task = &parsed.plan.tasks[at];
        if task.skipped.is_some() {
            return true;
        }
        group = task.parent.filter(|parent| *parent < at);
    }
    false
}

fn state(parsed: &ParsedPlan, at: usize, is_settled: &[bool]) -> &'static str {
    let (plan, graph) = (&parsed.plan, parsed.graph());
    let is_ready = |leaf: usize| {
        let before = graph.waits_for(leaf).iter();
        !is_settled[leaf] && before.into_iter().all(|before| is_settled[*before])
    };
    let leaves = graph.leaves_of(at);
    if is_settled[at] {
        let is_done = leaves.iter().any(|leaf| plan.tasks[*leaf].done);
        return if is_done { "done" } else { "skipped" };
    }
    match leaves.iter().any(|leaf| is_ready(*leaf)) {
        true => "ready",
        false => "waiting",
    }
}

fn places(parsed: &ParsedPlan, count: usize, links: &[plan::graph::Link]) -> Vec<Place> {
    let tasks = &parsed.plan.tasks[..count];
    let items: Vec<Item> = tasks
        .iter()
        .map(|task| Item {
            width: WIDTH,
            height: match task.is_group() {
                true => GROUP_HEAD,
                false => FRAME + LINE_HEIGHT * lines(&task.title),
            },
            group: task.parent,
        })
        .collect();
    let links: Vec<(usize, usize)> = links.iter().map(|link| (link.before, link.after)).collect();
    layered(&items, &links, &SPACING)
}

/// Number of lines that a title needs, from 1 to [`MAX_LINES`].
fn lines(title: &str) -> u32 {
    let mut lines = 1;
    let mut used = 0;
    for word in title.split_whitespace() {
        let long: usize = word
            .chars()
            .map(|c| if c >= '\u{1100}' { 2 } else { 1 })
            .sum();
        if used > 0 && used + 1 + long > LINE {
            lines += 1;
            used = 0;
        } else if used > 0 {
            used += 1;
        }
        used += long;
        while used > LINE {
            lines += 1;
            used -= LINE;
        }
        if lines >= MAX_LINES {
            return MAX_LINES;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_takes_the_lines_that_its_words_need() {
        let titles = [
            "",
            "Short",
            "Find where the report rows are built",
            "one two three four five six seven eight nine ten eleven twelve thirteen",
            "Supercalifragilisticexpialidocious",
            "計画を読んで検査する手順を書く",
        ];
        assert_eq!(titles.map(lines), [1, 1, 2, 3, 2, 2]);
    }
}
