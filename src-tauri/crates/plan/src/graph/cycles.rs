//! Circles of waiting.

use std::collections::{BTreeMap, VecDeque};

use super::nodes::Nodes;

/// One shortest circle out of every knot of nodes that can reach each other, as tasks in the order
/// of waiting, by the first task of the knot.
pub(super) fn find(nodes: &Nodes) -> Vec<Vec<usize>> {
    let knots = knots(nodes);
    let mut sizes = vec![0_u32; nodes.len()];
    for knot in &knots {
        sizes[*knot] += 1;
    }
    // The first node of every knot that a circle goes through.
    let mut firsts: BTreeMap<usize, usize> = BTreeMap::new();
    for (node, knot) in knots.iter().enumerate() {
        if sizes[*knot] > 1 || nodes.next(node).contains(&node) {
            firsts.entry(*knot).or_insert(node);
        }
    }
    let mut cycles: Vec<Vec<usize>> = firsts
        .into_values()
        .map(|first| shortest(nodes, &knots, first))
        .collect();
    cycles.sort();
    cycles
}

/// The shortest way from a node back to itself inside its knot, one entry a task.
fn shortest(nodes: &Nodes, knots: &[usize], start: usize) -> Vec<usize> {
    let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    'search: while let Some(node) = open.pop_front() {
        for &to in nodes.next(node) {
            if knots[to] != knots[start] || came_from.contains_key(&to) {
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

/// For every node the number of its knot (strongly connected component); what a node waits for has
/// no greater one. Tarjan's algorithm with its own stack, because plans may be nested deeper than
/// the program's.
pub(super) fn knots(nodes: &Nodes) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let count = nodes.len();
    let mut order = vec![UNSEEN; count];
    let mut low = vec![0; count];
    let mut knot = vec![UNSEEN; count];
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
                } else if knot[to] == UNSEEN {
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
                    knot[member] = next_knot;
                    if member == node {
                        break;
                    }
                }
                next_knot += 1;
            }
        }
    }
    knot
}
