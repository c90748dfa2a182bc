//! Assigns boxes to layers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Boxes and bends in layers. Slots below `boxes` are boxes; the others are bends, which reserve
/// space where a link passes through a layer.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) boxes: usize,
    /// Slots from left to right, layer by layer.
    pub(super) rows: Vec<Vec<usize>>,
    /// For each slot, the linked slots in the layer above.
    pub(super) above: Vec<Vec<usize>>,
    /// For each slot, the linked slots in the layer below.
    pub(super) below: Vec<Vec<usize>>,
}

impl Grid {
    /// Assigns boxes to layers. `links` are pairs of boxes, from above to below. Each box goes
    /// below all boxes that lead to it, ignoring links that close a cycle. No layer has more than
    /// `max_per_layer` boxes.
    pub(super) fn of(boxes: usize, links: &[(usize, usize)], max_per_layer: usize) -> Self {
        let mut to: Vec<Vec<usize>> = vec![Vec::new(); boxes];
        let mut missing = vec![0_usize; boxes];
        for &(from, target) in links {
            to[from].push(target);
            missing[target] += 1;
        }
        let mut ready: BinaryHeap<Reverse<usize>> = (0..boxes)
            .filter(|at| missing[*at] == 0)
            .map(Reverse)
            .collect();
        let mut layer = vec![usize::MAX; boxes];
        let mut lowest = vec![0; boxes];
        let mut rows: Vec<Vec<usize>> = Vec::new();
        let mut next_unplaced = 0;
        loop {
            let at = match ready.pop() {
                Some(Reverse(at)) => at,
                // Only boxes in or below cycles are left, so take the first of them.
                None => match (next_unplaced..boxes).find(|at| layer[*at] == usize::MAX) {
                    Some(at) => {
                        next_unplaced = at;
                        at
                    }
                    None => break,
                },
            };
            if layer[at] != usize::MAX {
                continue;
            }
            let mut own = lowest[at];
            while rows
                .get(own)
                .is_some_and(|row| row.len() >= max_per_layer.max(1))
            {
                own += 1;
            }
            rows.resize_with(rows.len().max(own + 1), Vec::new);
            rows[own].push(at);
            layer[at] = own;
            for &target in &to[at] {
                if layer[target] == usize::MAX {
                    lowest[target] = lowest[target].max(own + 1);
                }
                missing[target] -= 1;
                if missing[target] == 0 {
                    ready.push(Reverse(target));
                }
            }
        }
        rows.iter_mut().for_each(|row| row.sort_unstable());
        let mut grid = Self {
            boxes,
            rows,
            above: vec![Vec::new(); boxes],
            below: vec![Vec::new(); boxes],
        };
        let mut links: Vec<(usize, usize)> = links
            .iter()
            .copied()
            .filter(|(from, to)| layer[*from] < layer[*to])
            .collect();
        // Handle short links first: if the bend limit is reached, the long ones get no bends.
        links.sort_by_key(|(from, to)| layer[*to] - layer[*from]);
        let mut bends = 4 * boxes + 1_000;
        for (from, to) in links {
            let passed = layer[to] - layer[from] - 1;
            if passed <= bends {
                bends -= passed;
                grid.link(from, to, layer[from], passed);
            }
        }
        grid
    }

    fn link(&mut self, from: usize, to: usize, layer: usize, passed: usize) {
        let mut last = from;
        for row in layer + 1..=layer + passed {
            let bend = self.above.len();
            self.above.push(vec![last]);
            self.below.push(Vec::new());
            self.below[last].push(bend);
            self.rows[row].push(bend);
            last = bend;
        }
        self.below[last].push(to);
        self.above[to].push(last);
    }

    /// Whether a slot is a bend rather than a box.
    pub(super) fn is_bend(&self, slot: usize) -> bool {
        slot >= self.boxes
    }

    /// The number of slots.
    pub(super) fn len(&self) -> usize {
        self.above.len()
    }
}
