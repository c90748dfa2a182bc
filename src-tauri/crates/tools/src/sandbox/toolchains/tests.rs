//! Toolchains outside the usual folders are found; folders that only look like toolchains are not.

use super::*;
use crate::private::PrivateFiles;

struct Guard {
    _keep: tempfile::TempDir,
    root: PathBuf,
}

impl Guard {
    fn new() -> Self {
        let keep = tempfile::tempdir().unwrap();
        let root = keep.path().canonicalize().unwrap();
        let this = Self { _keep: keep, root };
        for folder in ["home", "work"] {
            fs::create_dir(this.at(folder)).unwrap();
        }
        this
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn python(&self, base: &str) {
        self.write(&format!("{base}/bin/python3"), "");
        self.write(&format!("{base}/lib/python3.11/os.py"), "");
    }

    fn environment(&self, at: &str, base: &str) {
        let home = self.at(base).join("bin");
        self.write(
            &format!("{at}/pyvenv.cfg"),
            &format!("home = {}\n", home.display()),
        );
    }

    fn found(&self, path: &str, words: &[&str]) -> Vec<PathBuf> {
        let path = path
            .split(':')
            .map(|part| self.at(part).display().to_string());
        let env = [("PATH".to_owned(), path.collect::<Vec<_>>().join(":"))];
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let mut all = find(&Sources {
            workspace: &self.at("work"),
            homes: &[self.at("home")],
            env: &env,
            words: &words,
            granted: &[],
            data: &self.at("data"),
            private: &PrivateFiles::new(&[]),
        });
        for path in &mut all {
            *path = path.canonicalize().unwrap_or_else(|_| path.clone());
        }
        all.sort();
        all.dedup();
        all
    }
}

#[test]
fn an_environment_beside_the_workspace_is_found_however_it_is_named() {
    let guard = Guard::new();
    guard.python("base");
    guard.environment("side/venv", "base");
    guard.write("side/venv/bin/pytest", "");
    let expected = [guard.at("base"), guard.at("side/venv")];
    assert_eq!(guard.found("side/venv/bin", &[]), expected);
    let none = guard.at("nowhere");
    for word in [
        "../side/venv/bin/pytest",
        "cd src && ../side/venv/bin/python -m x",
    ] {
        let found = guard.found("nowhere", &[word]);
        assert_eq!(
            found,
            [expected[0].clone(), none.clone(), expected[1].clone()],
            "{word}"
        );
    }
    std::os::unix::fs::symlink("../side/venv", guard.at("work/.venv")).unwrap();
    assert!(guard.found("nowhere", &[]).contains(&expected[1]));
}

#[test]
fn a_version_manager_and_a_tool_behind_a_link_are_found() {
    let guard = Guard::new();
    guard.write("home/.nvm/versions/node/v20/bin/node", "");
    guard.write("home/.nvm/versions/node/v20/lib/x", "");
    guard.write("opt/tool/bin/tool", "");
    guard.write("opt/tool/lib/x", "");
    fs::create_dir_all(guard.at("home/bin")).unwrap();
    std::os::unix::fs::symlink(guard.at("opt/tool/bin/tool"), guard.at("home/bin/tool")).unwrap();
    assert_eq!(
        guard.found("home/.nvm/versions/node/v20/bin:home/bin", &[]),
        [
            guard.at("home/.nvm/versions/node/v20"),
            guard.at("home/bin"),
            guard.at("opt/tool")
        ]
    );
}

#[test]
fn what_the_workspace_or_the_line_names_is_no_way_to_a_secret() {
    let guard = Guard::new();
    guard.write("home/.aws/credentials", "");
    guard.write("home/other/bin/run", "");
    guard.write("home/other/lib/x", "");
    // A command wrote this environment, whose base is a folder with keys.
    guard.environment("work/.venv", "home/.aws/x");
    guard.write("work/.venv/bin/x", "");
    std::os::unix::fs::symlink(guard.at("home/.aws"), guard.at("work/venv")).unwrap();
    std::os::unix::fs::symlink(
        guard.at("home/.aws/credentials"),
        guard.at("work/.venv/bin/python"),
    )
    .unwrap();
    let words = [
        "/bin/cat",
        &format!("{}", guard.at("home/other/bin/run").display()),
    ];
    let found = guard.found("nowhere", &words);
    assert!(
        !found.iter().any(|path| path.starts_with(guard.at("home"))),
        "{found:?}"
    );
}
