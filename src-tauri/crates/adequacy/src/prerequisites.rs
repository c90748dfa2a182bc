//! Direct and indirect prerequisites of tasks.

use std::collections::HashMap;

use plan::graph::Graph;

/// For each task, the marked tasks that must be finished before it can start.
pub(crate) struct Prerequisites {
    /// Indices of the marked tasks, in the given order.
    marked: Vec<usize>,
    /// The bit number of each marked task.
    bits: Vec<Option<usize>>,
    /// One row per task, one bit per marked task.
    rows: Vec<u64>,
    /// Number of 64-bit words in a row.
    width: usize,
}

impl Prerequisites {
    /// Computes all rows in one pass in dependency order; cycles are broken.
    pub(crate) fn of(graph: &Graph, tasks: usize, marked: Vec<usize>) -> Self {
        let width = marked.len().div_ceil(64);
        let mut bits: Vec<Option<usize>> = vec![None; tasks];
        for (bit, task) in marked.iter().enumerate() {
            bits[*task] = Some(bit);
        }
        let mut before = Self {
            rows: vec![0; tasks * width],
            width,
            marked,
            bits,
        };
        if width > 0 {
            let mut cache = RowCache::default();
            for at in order(graph, tasks) {
                before.fill(graph, at, &mut cache);
            }
        }
        before
    }

    fn fill(&mut self, graph: &Graph, at: usize, cache: &mut RowCache) {
        let width = self.width;
        let waits = graph.waits_for(at);
        let mut row = vec![0u64; width];
        match cache.known(waits) {
            Some(sum) => row.copy_from_slice(sum),
            None => {
                for prior in waits {
                    let theirs = &self.rows[prior * width..(prior + 1) * width];
                    row.iter_mut()
                        .zip(theirs)
                        .for_each(|(own, more)| *own |= more);
                    if let Some(bit) = self.bits[*prior] {
                        row[bit / 64] |= 1 << (bit % 64);
                    }
                }
                cache.keep(waits, &row);
            }
        }
        self.rows[at * width..(at + 1) * width].copy_from_slice(&row);
    }

    /// The marked tasks that must be finished before this task, in the given order.
    pub(crate) fn each(&self, task: usize) -> impl Iterator<Item = usize> {
        let row = &self.rows[task * self.width..(task + 1) * self.width];
        self.marked
            .iter()
            .enumerate()
            .filter(|(bit, _)| row[bit / 64] >> (bit % 64) & 1 == 1)
            .map(|(_, marked)| *marked)
    }

    /// Whether `marked` must be finished before this task.
    pub(crate) fn has(&self, task: usize, marked: usize) -> bool {
        let row = &self.rows[task * self.width..(task + 1) * self.width];
        self.bits
            .get(marked)
            .copied()
            .flatten()
            .is_some_and(|bit| row[bit / 64] >> (bit % 64) & 1 == 1)
    }
}

/// Cached rows for long lists of prerequisites, because many steps may depend on the same large
/// group.
#[derive(Default)]
struct RowCache(HashMap<(usize, usize), Vec<u64>>);

impl RowCache {
    const LONG: usize = 16;

    fn key(waits: &[usize]) -> Option<(usize, usize)> {
        (waits.len() >= Self::LONG).then_some((waits.as_ptr() as usize, waits.len()))
    }

    fn known(&self, waits: &[usize]) -> Option<&Vec<u64>> {
        self.0.get(&Self::key(waits)?)
    }

    fn keep(&mut self, waits: &[usize], row: &[u64]) {
        if let Some(key) = Self::key(waits) {
            self.0.insert(key, row.to_vec());
        }
    }
}

/// A topological order, except within cycles.
pub(crate) fn order(graph: &Graph, tasks: usize) -> Vec<usize> {
    let looks_back = |at: usize| graph.waits_for(at).last().is_none_or(|last| *last < at);
    if (0..tasks).all(looks_back) {
        return (0..tasks).collect();
    }
    let mut order = Vec::with_capacity(tasks);
    let mut is_seen = vec![false; tasks];
    for start in 0..tasks {
        let mut open = vec![(start, 0)];
        while let Some((at, next)) = open.pop() {
            if next == 0 {
                if is_seen[at] {
                    continue;
                }
                is_seen[at] = true;
            }
            match graph.waits_for(at).get(next) {
                Some(prior) => {
                    open.push((at, next + 1));
                    if !is_seen[*prior] {
                        open.push((*prior, 0));
                    }
                }
                None => order.push(at),
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(text: &str, marked: &[usize]) -> Prerequisites {
        let (plan, _) = plan::parse(text);
        Prerequisites::of(&Graph::of(&plan), plan.tasks.len(), marked.to_vec())
    }

    #[test]
    fn prerequisites_are_transitive_and_independent_of_file_order() {
        let text = "# P\n\n- [ ] **T1** One\n- [ ] **T2** Two\n  - depends: T4\n- [ ] **T3** Three\n  - depends: none\n- [ ] **T4** Four\n  - depends: T1\n";
        let before = before(text, &[0, 3]);
        assert_eq!(
            before.each(1).collect::<Vec<_>>(),
            [0, 3],
            "T2 waits for T4 and so for T1"
        );
        assert_eq!(before.each(2).count(), 0);
        assert!(before.has(3, 0) && !before.has(3, 3));
    }

    #[test]
    fn a_cycle_terminates() {
        let text = "# P\n\n- [ ] **T1** One\n  - depends: T2\n- [ ] **T2** Two\n  - depends: T1\n- [ ] **T3** Three\n";
        assert!(before(text, &[0]).has(2, 0));
    }

    #[test]
    fn steps_after_a_large_group_wait_for_all_of_it() {
        let mut text = String::from("# P\n\n- [ ] **T0** Group\n");
        for nth in 1..=40 {
            text.push_str(&format!(
                "  - [ ] **T{nth}** Leaf {nth}\n    - depends: none\n"
            ));
        }
        for nth in 41..=43 {
            text.push_str(&format!("- [ ] **T{nth}** After\n  - depends: T0\n"));
        }
        let before = before(&text, &[40]);
        assert!(before.has(41, 40) && before.has(42, 40) && before.has(43, 40));
    }
}
