//! Finds existing paths similar to a missing one.

/// Minimum similarity of two paths, out of 3000.
const MIN_SIMILARITY: i64 = 1_500;

/// Up to `most` paths that are most similar to `path`, the closest first: files of the same name in
/// other folders, then paths whose name and folders differ by a few letters. Empty if no path is
/// similar.
pub fn near_paths<'p>(
    path: &str,
    paths: impl Iterator<Item = &'p str>,
    most: usize,
) -> Vec<&'p str> {
    let (folder, name) = split(path);
    let mut ranked: Vec<(i64, &str)> = paths
        .filter(|other| *other != path)
        .filter_map(|other| {
            let (other_folder, other_name) = split(other);
            let of_name = similarity(&name, &other_name);
            let of_folder = similarity(&folder, &other_folder);
            let similarity = of_name * 2 + of_folder;
            // Being in the same folder is not enough for two files to be similar.
            (of_name >= 600 && similarity >= MIN_SIMILARITY).then_some((similarity, other))
        })
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    ranked.dedup();
    ranked
        .into_iter()
        .take(most)
        .map(|(_, other)| other)
        .collect()
}

fn split(path: &str) -> (String, String) {
    let path = path.to_lowercase();
    match path.rsplit_once('/') {
        Some((folder, name)) => (folder.to_owned(), name.to_owned()),
        None => (String::new(), path),
    }
}

/// Similarity of two names, out of 1000.
fn similarity(one: &str, other: &str) -> i64 {
    if one == other {
        return 1_000;
    }
    let longest = one.chars().count().max(other.chars().count());
    // The edit distance is at least the difference in length, so most names can be ruled out
    // quickly.
    let apart = one.chars().count().abs_diff(other.chars().count());
    if apart * 2 > longest {
        return 0;
    }
    let distance = strsim::osa_distance(one, other);
    let longest = i64::try_from(longest.max(1)).unwrap_or(i64::MAX);
    1_000
        - i64::try_from(distance)
            .unwrap_or(i64::MAX)
            .saturating_mul(1_000)
            / longest
}

#[cfg(test)]
mod tests {
    use super::near_paths;

    #[test]
    fn the_nearest_path_is_the_same_name_elsewhere_then_a_slip_of_the_pen() {
        let paths = [
            "src/report.rs",
            "src/cli.rs",
            "lib/report/cli.rs",
            "README.md",
            "src/reports.rs",
        ];
        let near = |path: &str| near_paths(path, paths.into_iter(), 3);
        assert_eq!(near("src/report/cli.rs")[0], "lib/report/cli.rs");
        assert_eq!(near("src/repotr.rs"), ["src/report.rs", "src/reports.rs"]);
        assert_eq!(near("readme.md"), ["README.md"]);
        assert!(near("docs/architecture/overview.adoc").is_empty());
        assert!(
            near("src/main.rs").is_empty(),
            "a name that only shares the folder"
        );
    }
}
