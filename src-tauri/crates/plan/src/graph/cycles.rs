//! Finds circular dependencies.

use std::collections::{BTreeMap, VecDeque};

use super::nodes::Nodes;

/// One shortest cycle per strongly connected component, as tasks that each wait for the next.
/// Cycles are ordered by their first task.
pub(super) fn find(nodes: &Nodes) -> Vec<Vec<usize>> {
    let components = components(nodes);
    let mut sizes = vec![0_u32; nodes.len()];
    for component in &components {
        sizes[*component] += 1;
    }
    // The first node of each component that has a cycle.
    let mut firsts: BTreeMap<usize, usize> = BTreeMap::new();
    for (node, component) in components.iter().enumerate() {
        if sizes[*component] > 1 || nodes.next(node).contains(&node) {
            firsts.entry(*component).or_insert(node);
        }
    }
    let mut cycles: Vec<Vec<usize>> = firsts
        .into_values()
        .map(|first| shortest(nodes, &components, first))
        .collect();
    cycles.sort();
    cycles
}

/// The shortest path from a node back to itself within its component, as tasks.
fn shortest(nodes: &Nodes, components: &[usize], start: usize) -> Vec<usize> {
    let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    'search: while let Some(node) = open.pop_front() {
        for &to in nodes.next(node) {
            if components[to] != components[start] || came_from.contains_key(&to) {
                continue;
            }
            came_from.insert(to, node);
            if to == start {
                break 'search;
            }
            open.push_back(to);
        }
    }
    let mut path = Vec::new();
    let mut at = start;
    while let Some(&before) = came_from.get(&at) {
        path.extend(nodes.task(before));
        if before == start {
            break;
        }
        at = before;
    }
    path.reverse();
    path.dedup();
    if path.len() > 1 && path.first() == path.last() {
        path.pop();
    }
    path
}

/// For each node, the number of its strongly connected component; a node's dependencies never have
/// a greater number. Tarjan's algorithm with an explicit stack, since plans may be nested too
/// deeply for recursion.
pub(super) fn components(nodes: &Nodes) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let count = nodes.len();
    let mut order = vec![UNSEEN; count];
    let mut low = vec![0; count];
    let mut component = vec![UNSEEN; count];
    let (mut next_order, mut next_knot) = (0, 0);
    let mut pending = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    for root in 0..count {
        if order[root] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.last_mut() {
            let node = *node;
            if *edge == 0 && order[node] == UNSEEN {
                order[node] = next_order;
                low[node] = next_order;
                next_order += 1;
                pending.push(node);
            }
            if let Some(&to) = nodes.next(node).get(*edge) {
                *edge += 1;
                if order[to] == UNSEEN {
                    calls.push((to, 0));
                } else if component[to] == UNSEEN {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                low[*caller] = low[*caller].min(low[node]);
            }
            if low[node] == order[node] {
                while let Some(member) = pending.pop() {
                    component[member] = next_knot;
                    if member == node {
                        break;
                    }
                }
                next_knot += 1;
            }
        }
    }
    component
}
