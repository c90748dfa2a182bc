//! Computes left edges: every box as close to its neighbors above and below as space permits.

use super::layers::Grid;

/// The width reserved for a bend, in pixels.
const BEND: f64 = 12.0;

/// The number of passes over the layers.
const SWEEPS: usize = 12;

/// The weight of a box without neighbors, which can be placed anywhere.
const LOOSE: f64 = 1e-3;

/// The left edge of every box. The leftmost is at 0.
pub(super) fn lefts(grid: &Grid, widths: &[u32], gap: u32) -> Vec<i32> {
    let width = |slot: usize| widths.get(slot).map_or(BEND, |width| f64::from(*width));
    let apart = |left: usize, right: usize| {
        let gap = f64::from(gap);
        let is_narrow = grid.is_bend(left) || grid.is_bend(right);
        let gap = if is_narrow { gap / 2.0 } else { gap };
        (width(left) + width(right)) / 2.0 + gap
    };
    let mut centre = vec![0.0; grid.len()];
    for row in &grid.rows {
        let wanted = vec![(0.0, 1.0); row.len()];
        spread(row, &wanted, &apart, &mut centre);
    }
    // The last sweep goes down, so that a chain is exactly one column.
    for sweep in 0..SWEEPS {
        let (looks_up, looks_down) = match SWEEPS - sweep {
            1 => (true, false),
            2 | 3 => (true, true),
            left => (left % 2 == 1, left % 2 == 0),
        };
        let count = grid.rows.len();
        for step in 0..count {
            let at = if looks_up { step } else { count - 1 - step };
            let row = &grid.rows[at];
            let wanted: Vec<(f64, f64)> = row
                .iter()
                .map(|slot| {
                    let above = looks_up.then(|| &grid.above[*slot]);
                    let below = looks_down.then(|| &grid.below[*slot]);
                    let near = above.into_iter().chain(below).flatten();
                    let (sum, weight) = near.fold((0.0, 0.0), |(sum, weight), other| {
                        let pull = pull(grid, *slot, *other);
                        (sum + pull * centre[*other], weight + pull)
                    });
                    match weight > 0.0 {
                        true => (sum / weight, 1.0),
                        false => (centre[*slot], LOOSE),
                    }
                })
                .collect();
            spread(row, &wanted, &apart, &mut centre);
        }
    }
    let edges = (0..grid.boxes).map(|at| centre[at] - width(at) / 2.0);
    let leftmost = edges.clone().fold(f64::INFINITY, f64::min);
    edges.map(|edge| whole(edge - leftmost)).collect()
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "the cast saturates at the limits of the type"
)]
fn whole(number: f64) -> i32 {
    number.round() as i32
}

/// The weight of a neighbor. Links between bends are kept straight.
fn pull(grid: &Grid, one: usize, other: usize) -> f64 {
    match (grid.is_bend(one), grid.is_bend(other)) {
        (true, true) => 8.0,
        (true, false) | (false, true) => 2.0,
        (false, false) => 1.0,
    }
}

/// Centers for one row that minimize the weighted squared distance to the wanted positions, in
/// this order and far enough apart. Slots that push against each other move as one block (pool
/// adjacent violators).
fn spread(
    row: &[usize],
    wanted: &[(f64, f64)],
    apart: &impl Fn(usize, usize) -> f64,
    centre: &mut [f64],
) {
    struct Block {
        sum: f64,
        weight: f64,
        slots: usize,
    }
    let mut blocks: Vec<Block> = Vec::with_capacity(row.len());
    let mut offsets = Vec::with_capacity(row.len());
    let mut offset = 0.0;
    for (at, &(place, weight)) in wanted.iter().enumerate() {
        if at > 0 {
            offset += apart(row[at - 1], row[at]);
        }
        offsets.push(offset);
        let mut block = Block {
            sum: (place - offset) * weight,
            weight,
            slots: 1,
        };
        while let Some(before) =
            blocks.pop_if(|before| before.sum * block.weight > block.sum * before.weight)
        {
            block.sum += before.sum;
            block.weight += before.weight;
            block.slots += before.slots;
        }
        blocks.push(block);
    }
    let mut at = 0;
    for block in blocks {
        let place = block.sum / block.weight;
        for _ in 0..block.slots {
            centre[row[at]] = place + offsets[at];
            at += 1;
        }
    }
}
