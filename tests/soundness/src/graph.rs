//! What waits for what in a [`Program`], written apart from the graph under test.
//!
//! A step waits for the one above it at its level, the first of a group for what the group waits for;
//! `depends:` replaces that, and `depends:` of a group holds for all in it. What an option of a decision
//! leads to waits for the decision.

use std::collections::BTreeSet;

use crate::program::{Kind, Leads, Program};

/// What waits for what; all by places of the program, and of steps that are no groups.
#[derive(Debug, Clone)]
pub struct Graph {
    /// What each step waits for directly.
    pub direct: Vec<BTreeSet<usize>>,
    /// The same, directly or not.
    pub all: Vec<BTreeSet<usize>>,
    /// The options that lead to a step: decision and number of the option.
    pub enabled_by: Vec<Vec<(usize, usize)>>,
}

impl Graph {
    /// Reads it out of a program, in which a step only depends on earlier ones.
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
            // One that waits for those before it in its group waits for what they waited for.
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

/// What a step waits for by its own `depends:`, else by where it stands.
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

/// The steps of a group that are no groups; a step's are itself.
pub fn leaves(program: &Program, place: usize) -> Vec<usize> {
    if program.steps[place].kind != Kind::Group {
        return vec![place];
    }
    let children =
        (place + 1..program.steps.len()).filter(|at| program.steps[*at].parent == Some(place));
    children.flat_map(|child| leaves(program, child)).collect()
}
