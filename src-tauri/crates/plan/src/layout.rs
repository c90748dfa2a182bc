//! Where the boxes of a graph are drawn: in layers from top to bottom, what is waited for above what
//! waits, groups as boxes around their own.
//!
//! Each group is laid out by itself and is one box for what is around it, so boxes of different
//! groups never overlap. Inside one, a box stands below all that it waits for (`layers`), in an order
//! with few crossings (`order`), as near below its neighbours as there is room (`places`). A chain is
//! one column. Circles do not hang it: a link that leads back is not followed.
//!
//! Written here since a plan needs what the layout crates that were looked at do not have together:
//! groups, an order that stays that of the document where nothing speaks against it, and no panic on
//! any input. Pure; the same input gives the same places.

mod layers;
mod order;
mod places;

/// A box to be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Its width, in pixels; a group gets the width that its own need, and at least this one.
    pub width: u32,
    /// Its height, likewise; of a group the height of its head.
    pub height: u32,
    /// The group it stands in: the index of an item before it. Any other counts as none.
    pub group: Option<usize>,
}

/// Distances in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spacing {
    /// Between two layers.
    pub layers: u32,
    /// Between two boxes of one layer.
    pub siblings: u32,
    /// Between a group's edge and its own, left, right and below.
    pub padding: u32,
    /// The most boxes side by side; what is more goes to a further layer.
    pub abreast: usize,
}

/// Where a box is drawn, from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its left edge.
    pub x: i32,
    /// Its top edge.
    pub y: i32,
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
}

/// Places boxes. `links` lead from what is waited for to what waits; those between a box and one
/// around it say nothing about places.
pub fn layered(items: &[Item], links: &[(usize, usize)], spacing: &Spacing) -> Vec<Place> {
    let parents: Vec<Option<usize>> = items
        .iter()
        .enumerate()
        .map(|(at, item)| item.group.filter(|group| *group < at))
        .collect();
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    let mut top = Vec::new();
    // The place of each box among those around it.
    let mut number = vec![0; items.len()];
    for (at, parent) in parents.iter().enumerate() {
        let siblings = parent.map_or(&mut top, |parent| &mut own[parent]);
        number[at] = siblings.len();
        siblings.push(at);
    }
    let (inner, outer) = lifted(&parents, links);
    let mut places: Vec<Place> = items
        .iter()
        .map(|item| Place {
            x: 0,
            y: 0,
            width: item.width,
            height: item.height,
        })
        .collect();
    // What stands in a group comes behind it, so all of it is done when the group's turn comes.
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

/// From what is waited for to what waits.
type Links = Vec<(usize, usize)>;

/// Links between boxes of one group, by the group, and those outside of all; a link into or out of a
/// group is one of the group.
fn lifted(parents: &[Option<usize>], links: &[(usize, usize)]) -> (Vec<Links>, Links) {
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

/// Places the boxes of one group, from its top left; says how much room they take.
fn level(
    boxes: &[usize],
    links: &[(usize, usize)],
    places: &mut [Place],
    spacing: &Spacing,
) -> (u32, u32) {
    let widths: Vec<u32> = boxes.iter().map(|at| places[*at].width).collect();
    let heights: Vec<u32> = boxes.iter().map(|at| places[*at].height).collect();
    let mut grid = layers::Grid::of(boxes.len(), links, spacing.abreast);
    order::untangle(&mut grid);
    let lefts = places::lefts(&grid, &widths, spacing.siblings);
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
