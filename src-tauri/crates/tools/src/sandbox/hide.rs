//! Which files of the user no command may read, and which folders tier B may read at all.
//!
//! Names only; whether a name exists is looked up, what it holds never is.

use std::path::{Path, PathBuf};

use super::args::Hidden;
use super::environment;

/// Under the home folder: keys, logins, browser profiles, and histories that often hold either.
const SECRETS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".password-store",
    ".pki",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".vault-token",
    ".terraform.d",
    ".pgpass",
    ".my.cnf",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".config/gcloud",
    ".config/op",
    ".config/rclone",
    ".config/git/credentials",
    ".config/doctl",
    ".config/sops",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".config/containers/auth.json",
    ".bash_history",
    ".zsh_history",
    ".psql_history",
    ".python_history",
    ".local/share/fish/fish_history",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".config/vivaldi",
    ".config/opera",
    ".mozilla",
    ".thunderbird",
    ".var/app",
    "snap/firefox",
    "snap/chromium",
];

/// Of the system, for the case that root runs us.
const SYSTEM_SECRETS: &[&str] = &["/etc/shadow", "/etc/gshadow", "/etc/ssh"];

/// Under the home folder: where toolchains live.
const TOOLCHAINS: &[&str] = &[
    ".cargo",
    ".rustup",
    ".pyenv",
    ".nvm",
    ".volta",
    ".fnm",
    ".asdf",
    ".sdkman",
    ".rbenv",
    ".rvm",
    ".deno",
    ".bun",
    ".m2",
    ".gradle",
    ".jdks",
    ".ghcup",
    ".cabal",
    ".stack",
    ".opam",
    ".juliaup",
    ".julia",
    ".dotnet",
    ".nuget",
    ".npm",
    ".pnpm-store",
    ".local/bin",
    ".local/lib",
    ".local/share/mise",
    ".local/share/uv",
    ".local/share/pnpm",
    ".local/share/fnm",
    "go",
    ".gitconfig",
    ".config/git",
];

/// Of the system, readable in tier B. `/proc` is decided on beside it.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix",
    "/gnu",
    "/snap",
    "/sys",
    "/run/current-system",
];

/// The existing secrets of the home folders and `more`, canonical, so that a link to another place
/// hides that place.
pub(super) fn hidden(homes: &[PathBuf], more: &[PathBuf]) -> Vec<PathBuf> {
    let names = homes
        .iter()
        .flat_map(|home| SECRETS.iter().map(|name| home.join(name)));
    let all = names
        .chain(SYSTEM_SECRETS.iter().map(PathBuf::from))
        .chain(more.iter().cloned());
    let mut all: Vec<_> = all.filter_map(|path| path.canonicalize().ok()).collect();
    all.sort();
    all.dedup();
    // What lies in a hidden folder is gone already.
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in all {
        if !kept.iter().any(|folder| path.starts_with(folder)) {
            kept.push(path);
        }
    }
    kept
}

/// With what each has to be covered.
pub(super) fn covers(hidden: &[PathBuf]) -> Vec<Hidden> {
    let cover = |path: &PathBuf| {
        let is_folder = path.is_dir();
        if is_folder {
            Hidden::Folder(path.clone())
        } else {
            Hidden::File(path.clone())
        }
    };
    hidden.iter().map(cover).collect()
}

/// The user's home folder, and what `HOME` says where that is another: tools follow the variable.
pub(super) fn homes(home: &Path, env: &[(String, String)]) -> Vec<PathBuf> {
    let named = env
        .iter()
        .find(|(name, _)| name == "HOME")
        .map(|(_, named)| PathBuf::from(named));
    let named = named.filter(|named| named != home && named.is_absolute());
    [Some(home.to_owned()), named]
        .into_iter()
        .flatten()
        .collect()
}

/// What tier B lets a command read beyond the workspace; existing paths only.
pub(super) fn readable(homes: &[PathBuf], env: &[(String, String)]) -> Vec<PathBuf> {
    let named = environment::toolchain_folders(env).map(PathBuf::from);
    // A toolchain folder that holds the home folder would open all of it.
    let named = named.filter(|path| !homes.iter().any(|home| home.starts_with(path)));
    let mut all: Vec<_> = SYSTEM.iter().map(PathBuf::from).collect();
    all.extend(
        homes
            .iter()
            .flat_map(|home| TOOLCHAINS.iter().map(|name| home.join(name))),
    );
    all.extend(named);
    all.retain(|path| path.exists());
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linked_secret_hides_the_place_it_leads_to() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        std::fs::create_dir_all(home.join("vault/keys")).unwrap();
        std::os::unix::fs::symlink("vault/keys", home.join(".ssh")).unwrap();
        std::fs::create_dir(home.join(".aws")).unwrap();
        std::fs::create_dir_all(home.join("data/inner")).unwrap();
        let more = [
            home.join("data"),
            home.join("data/inner"),
            home.join("absent"),
        ];
        let ours: Vec<_> = hidden(std::slice::from_ref(&home), &more)
            .into_iter()
            .filter(|path| path.starts_with(&home))
            .collect();
        assert_eq!(
            ours,
            [
                home.join(".aws"),
                home.join("data"),
                home.join("vault/keys")
            ]
        );
    }

    #[test]
    fn a_path_entry_above_the_home_folder_opens_nothing() {
        let home = tempfile::tempdir().unwrap();
        let above = home.path().parent().unwrap().to_str().unwrap().to_owned();
        let env = [(
            "PATH".to_owned(),
            format!("{above}:{}:/usr/bin", home.path().display()),
        )];
        let readable = readable(&[home.path().to_owned()], &env);
        assert!(
            !readable.iter().any(|path| home.path().starts_with(path)),
            "{readable:?}"
        );
    }
}
