//! Tests the layered layout: boxes don't overlap, dependents are below their dependencies, and the
//! layout terminates on every input.

use super::*;

const SPACING: Spacing = Spacing {
    layers: 34,
    siblings: 40,
    padding: 16,
    max_per_layer: 12,
};

fn item(group: Option<usize>) -> Item {
    Item {
        width: 148,
        height: 60,
        group,
    }
}

fn flat(count: usize, links: &[(usize, usize)]) -> Vec<Place> {
    layered(&vec![item(None); count], links, &SPACING)
}

#[track_caller]
fn assert_apart(items: &[Item], places: &[Place]) {
    for (at, one) in places.iter().enumerate() {
        for (behind, other) in places.iter().enumerate().skip(at + 1) {
            if items[at].group != items[behind].group {
                continue;
            }
            let beside =
                one.x + one.width as i32 <= other.x || other.x + other.width as i32 <= one.x;
            let below =
                one.y + one.height as i32 <= other.y || other.y + other.height as i32 <= one.y;
            assert!(beside || below, "{at} and {behind}: {one:?} {other:?}");
        }
    }
}

#[test]
fn a_chain_is_one_column() {
    let links: Vec<_> = (0..49).map(|at| (at, at + 1)).collect();
    let places = flat(50, &links);
    assert!(places.iter().all(|place| place.x == 0));
    assert!(
        places
            .iter()
            .enumerate()
            .all(|(at, place)| place.y == at as i32 * 94)
    );
}

#[test]
fn branches_are_side_by_side_and_centered() {
    let places = flat(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
    let xs: Vec<i32> = places.iter().map(|place| place.x).collect();
    assert_eq!(xs, [94, 0, 188, 94]);
    let ys: Vec<i32> = places.iter().map(|place| place.y).collect();
    assert_eq!(ys, [0, 94, 94, 188]);
}

#[test]
fn dependencies_are_above_their_dependents() {
    let links = [(4, 0), (0, 2), (1, 2), (4, 3), (3, 2)];
    let places = flat(5, &links);
    for (from, to) in links {
        assert!(places[from].y < places[to].y, "{from} {to}");
    }
}

#[test]
fn avoidable_crossings_are_avoided() {
    // 0 and 1 link to 3 and 2, so their links would cross.
    let places = flat(4, &[(0, 3), (1, 2)]);
    assert_eq!(places[0].x < places[1].x, places[3].x < places[2].x);
}

#[test]
fn a_group_is_a_box_around_its_members() {
    let mut items = vec![
        item(None),
        item(None),
        item(Some(1)),
        item(Some(1)),
        item(None),
    ];
    items[1].height = 30;
    let places = layered(&items, &[(0, 1), (2, 3), (3, 4)], &SPACING);
    let group = places[1];
    for own in [places[2], places[3]] {
        assert!(own.x >= group.x + 16 && own.x + 148 + 16 <= group.x + group.width as i32);
        assert!(own.y >= group.y + 30 && own.y + 60 + 16 <= group.y + group.height as i32);
    }
    assert!(places[4].y >= group.y + group.height as i32 + 34);
    assert_apart(&items, &places);
}

#[test]
fn many_independent_boxes_are_split_into_rows() {
    let places = flat(30, &[]);
    assert_eq!(places.iter().filter(|place| place.y == 0).count(), 12);
    assert_eq!(places.iter().map(|place| place.y).max(), Some(2 * 94));
    assert_apart(&[item(None); 30], &places);
}

#[test]
fn cycles_and_dangling_links_are_harmless() {
    let places = flat(4, &[(0, 1), (1, 2), (2, 0), (3, 3), (2, 9)]);
    assert_apart(&[item(None); 4], &places);
    let nested = [item(None), item(Some(0)), item(Some(7))];
    let places = layered(&nested, &[(0, 1), (1, 0), (2, 1)], &SPACING);
    assert_apart(&nested, &places);
    assert!(layered(&[], &[], &SPACING).is_empty());
}

#[test]
fn large_and_deep_plans_are_laid_out() {
    let count: usize = 2_000;
    let mut links = Vec::new();
    for at in 1..count {
        links.push((at / 3, at));
        links.push((at.saturating_sub(7) / 2, at));
    }
    let items = vec![item(None); count];
    assert_apart(&items, &layered(&items, &links, &SPACING));
    let deep: Vec<Item> = (0..1_000_usize).map(|at| item(at.checked_sub(1))).collect();
    let places = layered(&deep, &[(0, 999)], &SPACING);
    assert!(places[999].y > places[0].y);
}
