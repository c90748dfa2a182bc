//! Orders each layer from left to right, with few crossings.

use super::layers::Grid;

/// The number of passes over the layers, alternating down and up.
const SWEEPS: usize = 8;

/// Repeatedly sorts the layers by the mean position of their neighbors (barycenter heuristic) and
/// keeps the best order found. Ties keep document order.
pub(super) fn untangle(grid: &mut Grid) {
    let mut place = vec![0.0; grid.len()];
    grid.rows.iter().for_each(|row| number(row, &mut place));
    let mut best = grid.rows.clone();
    let mut fewest = usize::MAX;
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        let near = if is_down { &grid.above } else { &grid.below };
        let count = grid.rows.len();
        for step in 0..count {
            let at = if is_down { step } else { count - 1 - step };
            let row = &mut grid.rows[at];
            let mut keyed: Vec<(f64, usize)> = row
                .iter()
                .map(|slot| (middle(&near[*slot], &place).unwrap_or(place[*slot]), *slot))
                .collect();
            keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
            *row = keyed.into_iter().map(|(_, slot)| slot).collect();
            number(row, &mut place);
        }
        let crossings = crossings(grid);
        if crossings < fewest {
            fewest = crossings;
            best.clone_from(&grid.rows);
        }
        if crossings == 0 {
            break;
        }
    }
    grid.rows = best;
}

/// Numbers the slots of a row from its center, so that positions in rows of different lengths can
/// be compared.
fn number(row: &[usize], place: &mut [f64]) {
    let half = (row.len() as f64 - 1.0) / 2.0;
    for (at, slot) in row.iter().enumerate() {
        place[*slot] = at as f64 - half;
    }
}

fn middle(near: &[usize], place: &[f64]) -> Option<f64> {
    let sum: f64 = near.iter().map(|slot| place[*slot]).sum();
    (!near.is_empty()).then(|| sum / near.len() as f64)
}

/// The number of crossing link pairs.
fn crossings(grid: &Grid) -> usize {
    let mut crossings = 0;
    let mut at_place = vec![0; grid.len()];
    for row in &grid.rows {
        row.iter()
            .enumerate()
            .for_each(|(at, slot)| at_place[*slot] = at);
    }
    for (upper, lower) in grid.rows.iter().zip(grid.rows.iter().skip(1)) {
        // The lower ends of the links, sorted by their upper ends: each inversion is a crossing.
        let mut ends = Vec::new();
        for slot in upper {
            let first = ends.len();
            ends.extend(grid.below[*slot].iter().map(|to| at_place[*to]));
            ends[first..].sort_unstable();
        }
        let mut tree = vec![0_usize; lower.len() + 1];
        for (seen, end) in ends.iter().enumerate() {
            let mut not_behind = 0;
            let mut at = end + 1;
            while at > 0 {
                not_behind += tree[at];
                at &= at - 1;
            }
            crossings += seen - not_behind;
            let mut at = end + 1;
            while at < tree.len() {
                tree[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
    }
    crossings
}
