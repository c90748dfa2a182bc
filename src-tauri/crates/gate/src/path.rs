//! Workspace paths, compared as text. Links on disk are not resolved.

/// Normalizes a workspace path: `./a//b/../c` becomes `a/c`. A path that leaves the workspace keeps
/// its `..`.
pub fn workspace_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.trim().split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if path.trim_start().starts_with('/') {
        format!("/{joined}")
    } else {
        joined
    }
}

/// Where the plan is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanPlace {
    /// Its path in the workspace.
    pub path: String,
    /// The absolute path of the workspace.
    pub root: String,
    /// Other paths, relative or absolute, that link to the plan file.
    pub aliases: Vec<String>,
}

impl PlanPlace {
    /// Whether a path names the plan file, however it is spelled. Links not in `aliases` are missed
    /// here; the file tools recognize the plan file by its identity on disk.
    pub fn is_named_by(&self, path: &str) -> bool {
        let own = workspace_path(&self.path);
        let root = workspace_path(&self.root);
        let full = |path: &str| {
            let path = workspace_path(path);
            if path.starts_with('/') {
                path
            } else {
                workspace_path(&format!("{root}/{path}"))
            }
        };
        let named = full(path);
        // The home folder is unknown here, so only the end of the path is compared.
        let from_home = path.trim().strip_prefix("~/").map(workspace_path);
        let is_at_home = |target: &str| {
            from_home
                .as_ref()
                .is_some_and(|rest| target.ends_with(&format!("/{rest}")))
        };
        std::iter::once(own.as_str())
            .chain(self.aliases.iter().map(String::as_str))
            .map(full)
            .any(|target| named == target || is_at_home(&target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_known_in_every_spelling_of_its_path() {
        let place = PlanPlace {
            path: "plans/a.md".to_owned(),
            root: "/home/u/work".to_owned(),
            aliases: vec!["link.md".to_owned()],
        };
        for path in [
            "plans/a.md",
            "./plans/a.md",
            "plans//a.md",
            "src/../plans/./a.md",
            "/home/u/work/plans/a.md",
            "/home/u/work/../work/plans/a.md",
            "../work/plans/a.md",
            "~/work/plans/a.md",
            "link.md",
            " plans/a.md ",
        ] {
            assert!(place.is_named_by(path), "{path}");
        }
        for path in ["plans/b.md", "a.md", "/plans/a.md", "plans/a.md.bak"] {
            assert!(!place.is_named_by(path), "{path}");
        }
    }
}
