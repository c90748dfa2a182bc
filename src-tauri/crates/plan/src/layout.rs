//! Layout of a graph's boxes in layers from top to bottom: dependencies above their dependents,
//! groups as boxes around their members.
//!
//! Each group is laid out on its own and is a single box for its surroundings, so boxes of
//! different groups never overlap. Within a group, a box is below everything it waits for
//! (`layers`), in an order with few crossings (`order`), as close to its neighbors as space permits
//! (`coordinates`). A chain is one column. Links that would close a cycle are ignored.
//!
//! Written from scratch because no layout crate that was evaluated supports everything a plan
//! needs: groups, document order where possible, and no panics on any input. Pure and
//! deterministic.

mod coordinates;
mod layers;
mod order;

/// A box to place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Its width in pixels; for a group, the minimum width.
    pub width: u32,
    /// Its height in pixels; for a group, the height of its header.
    pub height: u32,
    /// The group that it is in, given as the index of an earlier item; other values are ignored.
    pub group: Option<usize>,
}

/// The distances between boxes, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spacing {
    /// The distance between two layers.
    pub layers: u32,
    /// The distance between two boxes of one layer.
    pub siblings: u32,
    /// The distance between a group's edge and its content, to the left, to the right and below.
    pub padding: u32,
    /// Maximum number of boxes side by side; any more go to another layer.
    pub max_per_layer: usize,
}

/// The position and size of a box, measured from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its left edge.
    pub x: i32,
    /// Its top edge.
    pub y: i32,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// Lays out boxes. `links` lead from dependency to dependent; those between a box and a group that
/// contains it are ignored.
pub fn layered(items: &[Item], links: &[(usize, usize)], spacing: &Spacing) -> Vec<Place> {
    let parents: Vec<Option<usize>> = items
        .iter()
        .enumerate()
        .map(|(at, item)| item.group.filter(|group| *group < at))
        .collect();
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    let mut top = Vec::new();
    // For each box, its index among its siblings.
    let mut number = vec![0; items.len()];
    for (at, parent) in parents.iter().enumerate() {
        let siblings = parent.map_or(&mut top, |parent| &mut own[parent]);
        number[at] = siblings.len();
        siblings.push(at);
    }
    let (inner, outer) = lift_links(&parents, links);
    let mut places: Vec<Place> = items
        .iter()
        .map(|item| Place {
            x: 0,
            y: 0,
            width: item.width,
            height: item.height,
        })
        .collect();
    // Members come after their group, so in reverse order they are laid out before it.
    for group in (0..items.len()).rev().filter(|at| !own[*at].is_empty()) {
        let links = pairs(&inner[group], &number);
        let (width, height) = level(&own[group], &links, &mut places, spacing);
        let padding = spacing.padding;
        places[group].width = items[group].width.max(width + 2 * padding);
        let shift = places[group].width.saturating_sub(width) / 2;
        for at in &own[group] {
            places[*at].x += signed(shift);
            places[*at].y += signed(items[group].height);
        }
        places[group].height = items[group].height + height + padding;
    }
    level(&top, &pairs(&outer, &number), &mut places, spacing);
    for (at, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            let Place { x, y, .. } = places[*parent];
            places[at].x += x;
            places[at].y += y;
        }
    }
    places
}

/// Links, from dependency to dependent.
type Links = Vec<(usize, usize)>;

/// The links within each group, and those at the top level; a link into or out of a group counts as
/// a link of the group's box.
fn lift_links(parents: &[Option<usize>], links: &[(usize, usize)]) -> (Vec<Links>, Links) {
    let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
    for parent in parents {
        depths.push(parent.map_or(0, |parent| depths[parent] + 1));
    }
    let up = |at: usize| parents[at].unwrap_or(at);
    let mut inner = vec![Vec::new(); parents.len()];
    let mut outer = Vec::new();
    let known = links
        .iter()
        .filter(|(from, to)| *from < parents.len() && *to < parents.len());
    for &(mut from, mut to) in known {
        while depths[from] > depths[to] {
            from = up(from);
        }
        while depths[to] > depths[from] {
            to = up(to);
        }
        while parents[from] != parents[to] {
            (from, to) = (up(from), up(to));
        }
        if from != to {
            match parents[from] {
                Some(group) => inner[group].push((from, to)),
                None => outer.push((from, to)),
            }
        }
    }
    (inner, outer)
}

fn pairs(links: &[(usize, usize)], number: &[usize]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<_> = links
        .iter()
        .map(|(from, to)| (number[*from], number[*to]))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Places the boxes of one group, relative to its top left. Returns its width and height.
fn level(
    boxes: &[usize],
    links: &[(usize, usize)],
    places: &mut [Place],
    spacing: &Spacing,
) -> (u32, u32) {
    let widths: Vec<u32> = boxes.iter().map(|at| places[*at].width).collect();
    let heights: Vec<u32> = boxes.iter().map(|at| places[*at].height).collect();
    let mut grid = layers::Grid::of(boxes.len(), links, spacing.max_per_layer);
    order::untangle(&mut grid);
    let lefts = coordinates::lefts(&grid, &widths, spacing.siblings);
    let mut top = 0;
    for row in &grid.rows {
        let boxes_of = row.iter().filter(|slot| **slot < boxes.len());
        let mut highest = 0;
        for slot in boxes_of {
            places[boxes[*slot]].x = lefts[*slot];
            places[boxes[*slot]].y = signed(top);
            highest = highest.max(heights[*slot]);
        }
        top += highest + spacing.layers;
    }
    let rights = lefts
        .iter()
        .zip(&widths)
        .map(|(left, width)| left + signed(*width));
    let width = rights.max().unwrap_or_default();
    (
        u32::try_from(width).unwrap_or_default(),
        top.saturating_sub(spacing.layers),
    )
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests;
