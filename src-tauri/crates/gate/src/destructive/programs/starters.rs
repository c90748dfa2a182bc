//! Programs that start others: which, and which of their words come before the other one.

use super::starting::{Started, of_words};
use super::words::behind;

/// Programs that start the rest of their words: the options of theirs that take the next word, and how
/// many words stand before the program.
pub(super) const STARTERS: [(&str, &[&str], usize); 36] = [
    (
        "sudo",
        &[
            "-u", "-g", "-h", "-p", "-C", "-T", "-U", "-r", "-t", "-D", "-R", "--user", "--group",
        ],
        0,
    ),
    ("doas", &["-u", "-C"], 0),
    ("runuser", &["-u", "-g", "-G", "--user"], 0),
    ("nice", &["-n", "--adjustment"], 0),
    ("ionice", &["-c", "-n", "-p", "--class"], 0),
    ("timeout", &["-k", "-s", "--signal", "--kill-after"], 1),
    ("flock", &["-w", "-E"], 1),
    ("time", &["-o", "-f"], 0),
    ("nohup", &[], 0),
    ("setsid", &[], 0),
    ("setarch", &[], 1),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("taskset", &[], 1),
    ("chrt", &["-T", "-P", "-D"], 1),
    ("chroot", &[], 1),
    ("unshare", &["-S", "-G", "-R", "-w"], 0),
    ("nsenter", &["-t", "-S", "-G"], 0),
    ("builtin", &[], 0),
    ("exec", &["-a"], 0),
    ("chronic", &[], 0),
    ("unbuffer", &[], 0),
    ("busybox", &[], 0),
    ("toybox", &[], 0),
    ("npx", &["-p", "--package"], 0),
    ("bunx", &["-p", "--package"], 0),
    ("pnpx", &[], 0),
    ("uvx", &["--from", "--with", "-p"], 0),
    ("xvfb-run", &["-n", "-s", "-e", "-f", "-p", "-w"], 0),
    ("strace", &["-o", "-e", "-p", "-s", "-u"], 0),
    ("ltrace", &["-o", "-e", "-p", "-s", "-u"], 0),
    ("fakeroot", &["-i", "-s", "-l"], 0),
    ("systemd-run", &["-p", "-u", "-E"], 0),
    ("dbus-run-session", &[], 0),
    ("firejail", &[], 0),
    ("entr", &[], 0),
    ("caffeinate", &["-t", "-w"], 0),
];

/// The same where a verb of the program says so.
pub(super) const RUNNERS: [(&str, &[&str], &[&str], usize); 17] = [
    (
        "uv",
        &["run"],
        &["--with", "--python", "-p", "--env-file"],
        0,
    ),
    ("poetry", &["run"], &[], 0),
    ("pipenv", &["run"], &[], 0),
    ("hatch", &["run"], &[], 0),
    ("rye", &["run"], &[], 0),
    ("pdm", &["run"], &[], 0),
    ("pixi", &["run"], &["-e"], 0),
    ("conda", &["run"], &["-n", "-p", "--name", "--cwd"], 0),
    ("mamba", &["run"], &["-n", "-p", "--name", "--cwd"], 0),
    ("bundle", &["exec"], &[], 0),
    ("npm", &["exec", "x"], &["-p", "--package"], 0),
    ("pnpm", &["exec", "dlx"], &["--package"], 0),
    ("yarn", &["exec", "dlx"], &["-p"], 0),
    ("bun", &["x"], &[], 0),
    ("mise", &["exec", "x"], &[], 0),
    ("direnv", &["exec"], &[], 1),
    ("dotenv", &["run"], &["-f"], 0),
];

/// Options before the verb that take the next word, of `docker` and `kubectl`.
pub(super) const OF_CONTAINERS: [&str; 22] = [
    "-H",
    "--host",
    "-c",
    "--context",
    "--config",
    "-l",
    "--log-level",
    "-n",
    "--namespace",
    "--cluster",
    "--kubeconfig",
    "-s",
    "--server",
    "--user",
    "--as",
    "--token",
    "-f",
    "--file",
    "-p",
    "--project-name",
    "--profile",
    "--env-file",
];

/// Options of `docker run` and `exec` that take the next word.
const OF_A_CONTAINER: [&str; 34] = [
    "-u",
    "-w",
    "-e",
    "--user",
    "--workdir",
    "--env",
    "-n",
    "-c",
    "--container",
    "--index",
    "-v",
    "--volume",
    "--mount",
    "-p",
    "--publish",
    "--name",
    "--network",
    "--net",
    "--entrypoint",
    "-h",
    "--hostname",
    "-m",
    "--memory",
    "--cpus",
    "--env-file",
    "-l",
    "--label",
    "--platform",
    "--gpus",
    "--shm-size",
    "--tmpfs",
    "--device",
    "--cap-add",
    "--security-opt",
];

/// The words from the verb on that starts something in a container whose data outlives it.
pub(super) fn containers_verb<'a>(name: &str, words: &'a [String]) -> Option<&'a [String]> {
    let mut rest = behind(words, &OF_CONTAINERS);
    let is_compose = name == "docker-compose" || rest.first().is_some_and(|word| word == "compose");
    if name != "docker-compose" && is_compose {
        rest = behind(&rest[1..], &OF_CONTAINERS);
    }
    let mounts = |word: &String| {
        ["-v", "--volume", "--mount"]
            .iter()
            .any(|option| word.starts_with(option))
    };
    match rest.first().map(String::as_str) {
        Some("exec") => Some(rest),
        Some("run") if is_compose || rest.iter().any(mounts) => Some(rest),
        _ => None,
    }
}

/// `docker exec [options] NAME command …`, `kubectl exec NAME -- command …`.
pub(super) fn in_container(words: &[String]) -> Option<Started> {
    let at = words
        .iter()
        .position(|word| word == "exec" || word == "run")?;
    let rest = &words[at + 1..];
    let inner = match rest.iter().position(|word| word == "--") {
        Some(dashes) => &rest[dashes + 1..],
        None => behind(rest, &OF_A_CONTAINER).get(1..).unwrap_or_default(),
    };
    (!inner.is_empty()).then(|| Started::Commands(vec![of_words(inner)]))
}
