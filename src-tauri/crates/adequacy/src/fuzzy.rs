//! Fuzzy matching of names for "did you mean" suggestions.

/// Up to two names that are closest to the wanted one, the closest first; empty if none is close.
/// Equally close names keep their order.
pub(crate) fn nearest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    const MAX_NAMES: usize = 2;
    let most = match wanted.chars().count() {
        0..=2 => 0,
        3..=4 => 1,
        _ => 2,
    };
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        .filter(|name| name.len().abs_diff(wanted.len()) <= most)
        .filter_map(|name| Some((distance(wanted, name, most)?, name)))
        .filter(|(distance, _)| *distance > 0)
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter()
        .take(MAX_NAMES)
        .map(|(_, name)| name)
        .collect()
}

/// Up to two files that a path may be meant for: a path with a typo, or a file of the same name in
/// another folder.
pub(crate) fn nearest_files<'n>(
    wanted: &str,
    paths: impl IntoIterator<Item = &'n String> + Clone,
) -> Vec<&'n str> {
    let near = nearest(wanted, paths.clone().into_iter().map(String::as_str));
    if !near.is_empty() {
        return near;
    }
    let name = wanted.rsplit('/').next().unwrap_or(wanted);
    let same_name: Vec<&str> = paths
        .into_iter()
        .filter(|path| path.ends_with(name))
        .filter(|path| path.rsplit('/').next() == Some(name))
        .map(String::as_str)
        .take(3)
        .collect();
    // A name that occurs in many folders doesn't tell which file is meant.
    if same_name.len() > 2 {
        Vec::new()
    } else {
        same_name
    }
}

/// Edit distance: the number of letters to change, insert, delete or swap with a neighbor; `None`
/// if it exceeds `most`.
pub(crate) fn distance(one: &str, other: &str, most: usize) -> Option<usize> {
    Some(strsim::osa_distance(one, other)).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_typo_adds_one_to_the_distance() {
        for (one, other, steps) in [
            ("test", "test", Some(0)),
            ("tset", "test", Some(1)),
            ("tests", "test", Some(1)),
            ("tst", "test", Some(1)),
            ("", "ab", Some(2)),
            ("report", "rapport", Some(2)),
            ("lint", "deploy", None),
        ] {
            assert_eq!(distance(one, other, 2), steps, "{one} {other}");
        }
    }

    #[test]
    fn the_closest_names_come_first_and_distant_ones_are_left_out() {
        assert_eq!(nearest("tset", ["lint", "test", "set"]), ["test", "set"]);
        assert_eq!(nearest("build", ["lint", "test"]), [""; 0]);
        let paths = [
            "src/report.py",
            "lib/main.rs",
            "a/mod.rs",
            "b/mod.rs",
            "c/mod.rs",
        ]
        .map(str::to_owned);
        assert_eq!(nearest_files("src/reprot.py", &paths), ["src/report.py"]);
        assert_eq!(nearest_files("src/main.rs", &paths), ["lib/main.rs"]);
        assert_eq!(nearest_files("x/mod.rs", &paths[4..]), ["c/mod.rs"]);
        assert_eq!(nearest_files("folder/mod.rs", &paths), [""; 0]);
    }
}
