//! The dependencies in a [`Program`], computed independently of the graph under test.
//!
//! A step depends on the previous step at its level; the first step of a group depends on what the
//! group depends on. An explicit `depends:` replaces this, and a group's `depends:` applies to all
//! steps in it. The steps that a decision's option leads to depend on the decision.

use std::collections::BTreeSet;

use crate::program::{Kind, Leads, Program};

/// Dependencies between steps, without groups. Steps are identified by their position in the
/// program.
#[derive(Debug, Clone)]
pub struct Graph {
    /// Each step's direct dependencies.
    pub direct: Vec<BTreeSet<usize>>,
    /// Each step's transitive dependencies.
    pub all: Vec<BTreeSet<usize>>,
    /// For each step, the options that lead to it: the decision and the option's number.
    pub enabled_by: Vec<Vec<(usize, usize)>>,
}

impl Graph {
    /// Computes the graph of a program, in which steps depend only on earlier ones.
    pub fn of(program: &Program) -> Self {
        let steps = &program.steps;
        let mut enabled_by = vec![Vec::new(); steps.len()];
        for (decision, step) in steps.iter().enumerate() {
            for (option, (_, leads)) in step.options.iter().enumerate() {
                if let Leads::Branch(places) = leads {
                    let leaves = places.iter().flat_map(|place| leaves(program, *place));
                    leaves.for_each(|leaf| enabled_by[leaf].push((decision, option)));
                }
            }
        }
        let mut direct: Vec<BTreeSet<usize>> = Vec::with_capacity(steps.len());
        for place in 0..steps.len() {
            let mut waits = by_place(program, place);
            // A step that depends on the previous ones in its group also depends on what they
            // depend on.
            let group = steps[place]
                .parent
                .filter(|_| steps[place].depends.is_some());
            let depends = group
                .iter()
                .flat_map(|group| steps[*group].depends.iter().flatten());
            waits.extend(depends.flat_map(|on| leaves(program, *on)));
            waits.extend(enabled_by[place].iter().map(|(decision, _)| *decision));
            direct.push(waits);
        }
        let mut all: Vec<BTreeSet<usize>> = Vec::with_capacity(steps.len());
        for waits in &direct {
            let further = waits.iter().flat_map(|on| all[*on].iter().copied());
            let closure: BTreeSet<usize> = further.chain(waits.iter().copied()).collect();
            all.push(closure);
        }
        Self {
            direct,
            all,
            enabled_by,
        }
    }
}

/// A step's dependencies: those in its own `depends:`, or otherwise those that follow from its
/// position.
fn by_place(program: &Program, place: usize) -> BTreeSet<usize> {
    let step = &program.steps[place];
    if let Some(depends) = &step.depends {
        return depends.iter().flat_map(|on| leaves(program, *on)).collect();
    }
    let before = (0..place).rfind(|at| program.steps[*at].parent == step.parent);
    match (before, step.parent) {
        (Some(before), _) => leaves(program, before).into_iter().collect(),
        (None, Some(group)) => by_place(program, group),
        (None, None) => BTreeSet::new(),
    }
}

/// The steps of a group that are not groups themselves; a plain step is its own only leaf.
pub fn leaves(program: &Program, place: usize) -> Vec<usize> {
    if program.steps[place].kind != Kind::Group {
        return vec![place];
    }
    let children =
        (place + 1..program.steps.len()).filter(|at| program.steps[*at].parent == Some(place));
    children.flat_map(|child| leaves(program, child)).collect()
}
