//! Data for drawing the graph: its links without the redundant ones, and how many tasks wait
//! for each task.
//!
//! Both compute reachability for many pairs of tasks by propagating bit sets through the graph,
//! [`COLUMNS`] tasks at a time: memory stays small, and time grows with tasks × references / 64.

use std::collections::BTreeSet;

use super::nodes::{Nodes, Part};
use super::{Graph, Relations, cycles};
use crate::model::Plan;

/// The number of words in a bit set.
const WORDS: usize = 8;

/// The number of tasks processed at once.
const COLUMNS: usize = WORDS * 64;

type Set = [u64; WORDS];

/// A direct dependency between two tasks or groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The dependency, a leaf or a group: its index in [`Plan::tasks`].
    pub before: usize,
    /// The dependent task: its index in [`Plan::tasks`].
    pub after: usize,
    /// Why it waits.
    pub kind: LinkKind,
}

/// Why one task waits for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// `depends:` names the dependency.
    Depends,
    /// The dependency is the previous task, and no other is specified.
    Order,
    /// The dependency is a decision, and its option with this index names the task.
    Branch(usize),
}

impl Graph {
    /// The links among the first `limit` tasks, including groups. Omits links implied by others,
    /// except those of branches and of cycles. Sorted by the waiting task, in document order.
    pub fn links(&self, plan: &Plan, limit: usize) -> Vec<Link> {
        let links = direct_links(plan, limit);
        let order = Order::of(&self.nodes);
        let mut follows = vec![false; links.len()];
        let deciders: Vec<usize> = (0..links.len())
            .filter(|at| !matches!(links[*at].kind, LinkKind::Branch(_)))
            .collect();
        for deciders in deciders.chunks(COLUMNS) {
            let mut sets = vec![[0; WORDS]; self.nodes.len()];
            for (column, at) in deciders.iter().enumerate() {
                let end = Nodes::node(links[*at].before, Part::End);
                put(&mut sets[end], column);
            }
            order.gather(&self.nodes, &mut sets);
            for (column, at) in deciders.iter().enumerate() {
                let Link { before, after, .. } = links[*at];
                let end = Nodes::node(before, Part::End);
                let start = Nodes::node(after, Part::Start);
                let mut others = self.nodes.named_by(start);
                let in_circle = order.component[start] == order.component[end];
                follows[*at] = !in_circle
                    && others.any(|other| {
                        order.component[other] != order.component[end] && has(&sets[other], column)
                    });
            }
        }
        let links = links.into_iter().zip(follows);
        links
            .filter(|(_, follows)| !follows)
            .map(|(link, _)| link)
            .collect()
    }

    /// For each of the first `limit` tasks, the number of leaves that wait for it, directly or
    /// indirectly, and for which `counts` is true. A group's own leaves don't count.
    pub fn waiting(&self, counts: impl Fn(usize) -> bool, limit: usize) -> Vec<u32> {
        let limit = limit.min(self.own_leaves.len());
        let order = Order::of(&self.nodes);
        let mut waiting = vec![0; limit];
        for first in (0..self.leaves.len()).step_by(COLUMNS) {
            let columns = COLUMNS.min(self.leaves.len() - first);
            let mut sets = vec![[0; WORDS]; self.nodes.len()];
            for column in 0..columns {
                let leaf = self.leaves[first + column];
                if counts(leaf) {
                    put(&mut sets[Nodes::node(leaf, Part::End)], column);
                }
            }
            order.propagate(&self.nodes, &mut sets);
            for (at, waiting) in waiting.iter_mut().enumerate() {
                let set = &mut sets[Nodes::node(at, Part::End)];
                let own = &self.own_leaves[at];
                let own = own.start.max(first)..own.end.min(first + columns);
                own.for_each(|leaf| take(set, leaf - first));
                *waiting += set.iter().map(|word| word.count_ones()).sum::<u32>();
            }
        }
        waiting
    }
}

fn direct_links(plan: &Plan, limit: usize) -> Vec<Link> {
    let Relations {
        depends,
        order,
        options,
        ..
    } = Relations::of(plan);
    let limit = limit.min(plan.tasks.len());
    let mut branches: Vec<Vec<(usize, usize)>> = vec![Vec::new(); limit];
    for (decision, named) in &options {
        for (option, named) in named.iter().enumerate() {
            for task in named.iter().filter(|task| **task < limit) {
                branches[*task].push((*decision, option));
            }
        }
    }
    let mut links = Vec::new();
    for (after, deciders) in branches.into_iter().enumerate() {
        let mut known = BTreeSet::new();
        let mut add = |before: usize, kind: LinkKind| {
            if before < limit && before != after && known.insert(before) {
                links.push(Link {
                    before,
                    after,
                    kind,
                });
            }
        };
        for (decision, option) in deciders {
            add(decision, LinkKind::Branch(option));
        }
        match &depends[after] {
            Some(named) => named.iter().for_each(|at| add(*at, LinkKind::Depends)),
            None => {
                let before = order.tasks(&order.implicit[after]).iter();
                before.for_each(|at| add(*at, LinkKind::Order));
            }
        }
    }
    links
}

fn put(set: &mut Set, column: usize) {
    set[column / 64] |= 1 << (column % 64);
}

fn take(set: &mut Set, column: usize) {
    set[column / 64] &= !(1 << (column % 64));
}

fn has(set: &Set, column: usize) -> bool {
    set[column / 64] & (1 << (column % 64)) != 0
}

fn join(into: &mut Set, from: &Set) {
    for (into, from) in into.iter_mut().zip(from) {
        *into |= from;
    }
}

/// The nodes by component: a node's dependencies come before it, or are in a cycle with it.
struct Order {
    component: Vec<usize>,
    nodes: Vec<usize>,
}

impl Order {
    fn of(nodes: &Nodes) -> Self {
        let component = cycles::components(nodes);
        let mut ordered: Vec<usize> = (0..component.len()).collect();
        ordered.sort_unstable_by_key(|node| component[*node]);
        Self {
            component,
            nodes: ordered,
        }
    }

    fn components(&self) -> impl DoubleEndedIterator<Item = &[usize]> {
        self.nodes
            .chunk_by(|one, other| self.component[*one] == self.component[*other])
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Merges the sets of all of a node's dependencies into its own set, for every node.
    fn gather(&self, nodes: &Nodes, sets: &mut [Set]) {
        for component in self.components() {
            let mut whole = [0; WORDS];
            for node in component {
                join(&mut whole, &sets[*node]);
                for to in nodes.next(*node) {
                    join(&mut whole, &sets[*to]);
                }
            }
            component.iter().for_each(|node| sets[*node] = whole);
        }
    }

    /// Merges each node's set into the sets of all its dependencies.
    fn propagate(&self, nodes: &Nodes, sets: &mut [Set]) {
        for component in self.components().rev() {
            let mut whole = [0; WORDS];
            component
                .iter()
                .for_each(|node| join(&mut whole, &sets[*node]));
            for node in component {
                sets[*node] = whole;
                for to in nodes.next(*node) {
                    join(&mut sets[*to], &whole);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn links(text: &str) -> Vec<(String, String, LinkKind)> {
        let (plan, _) = parse(text);
        let name = |at: usize| plan.tasks[at].id.to_string();
        let links = Graph::of(&plan).links(&plan, usize::MAX);
        let named = links.into_iter();
        named
            .map(|link| (name(link.before), name(link.after), link.kind))
            .collect()
    }

    fn pairs(text: &str) -> Vec<String> {
        let links = links(text).into_iter();
        links.map(|(from, to, _)| format!("{from}>{to}")).collect()
    }

    #[test]
    fn a_list_without_depends_is_one_chain() {
        assert_eq!(
            links("- [ ] **A1** a\n- [ ] **B1** b\n"),
            [("A1".into(), "B1".into(), LinkKind::Order)]
        );
    }

    #[test]
    fn redundant_links_are_omitted() {
        let plan = "- [ ] **A1** a\n- [ ] **B1** b\n- [ ] **C1** c\n  - depends: A1, B1\n";
        assert_eq!(pairs(plan), ["A1>B1", "B1>C1"]);
        let plan = "- [ ] **G1** g\n  - depends: X1\n  - [ ] **A1** a\n    - depends: X1\n- [ ] **X1** x\n  - depends: none\n";
        assert_eq!(pairs(plan), ["X1>G1"]);
    }

    #[test]
    fn a_branch_keeps_its_link_and_its_option() {
        let plan = "\
- [ ] **D1** which?
  - type: decision
  - option: one -> A1
  - option: two -> B1
- [ ] **A1** a
  - depends: D1
- [ ] **B1** b
";
        let expected = [
            ("D1".to_owned(), "A1".to_owned(), LinkKind::Branch(0)),
            ("D1".to_owned(), "B1".to_owned(), LinkKind::Branch(1)),
            ("A1".to_owned(), "B1".to_owned(), LinkKind::Order),
        ];
        assert_eq!(links(plan), expected);
    }

    #[test]
    fn a_cycle_keeps_all_its_links() {
        let plan = "- [ ] **A1** a\n  - depends: C1\n- [ ] **B1** b\n  - depends: A1, C1\n- [ ] **C1** c\n  - depends: B1\n";
        assert_eq!(pairs(plan), ["C1>A1", "A1>B1", "C1>B1", "B1>C1"]);
    }

    #[test]
    fn waiting_counts_match_the_dependents() {
        let mut text = String::new();
        for at in 0..1_200 {
            text.push_str(&format!("- [ ] **T{at}** step\n"));
            if at % 7 == 3 {
                text.push_str(&format!("  - depends: T{}\n", at / 2));
            }
            if at % 5 == 0 {
                text.push_str(&format!("  - [ ] **S{at}** sub\n  - [ ] **U{at}** sub\n"));
            }
        }
        let (plan, _) = parse(&text);
        let graph = Graph::of(&plan);
        let counts = |at: usize| !at.is_multiple_of(3);
        let waiting = graph.waiting(counts, plan.tasks.len());
        for at in (0..plan.tasks.len()).step_by(97) {
            let dependents = graph.dependents(at).into_iter();
            let expected = dependents.filter(|at| counts(*at)).count();
            assert_eq!(waiting[at] as usize, expected, "{}", plan.tasks[at].id);
        }
    }
}
