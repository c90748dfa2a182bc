//! Programs that start others: which, and which of their words come before the other one.

use super::starting::{Started, of_words};
use super::words::behind;
use crate::words::Words;

/// Programs that start the rest of their words: the options of theirs that take the next word, and how
/// many words stand before the program.
pub(super) const STARTERS: [(&str, Words, usize); 36] = [
    (
        "sudo",
        Words("-u -g -h -p -C -T -U -r -t -D -R --user --group"),
        0,
    ),
    ("doas", Words("-u -C"), 0),
    ("runuser", Words("-u -g -G --user"), 0),
    ("nice", Words("-n --adjustment"), 0),
    ("ionice", Words("-c -n -p --class"), 0),
    ("timeout", Words("-k -s --signal --kill-after"), 1),
    ("flock", Words("-w -E"), 1),
    ("time", Words("-o -f"), 0),
    ("nohup", Words(""), 0),
    ("setsid", Words(""), 0),
    ("setarch", Words(""), 1),
    ("stdbuf", Words("-i -o -e"), 0),
    ("taskset", Words(""), 1),
    ("chrt", Words("-T -P -D"), 1),
    ("chroot", Words(""), 1),
    ("unshare", Words("-S -G -R -w"), 0),
    ("nsenter", Words("-t -S -G"), 0),
    ("builtin", Words(""), 0),
    ("exec", Words("-a"), 0),
    ("chronic", Words(""), 0),
    ("unbuffer", Words(""), 0),
    ("busybox", Words(""), 0),
    ("toybox", Words(""), 0),
    ("npx", Words("-p --package"), 0),
    ("bunx", Words("-p --package"), 0),
    ("pnpx", Words(""), 0),
    ("uvx", Words("--from --with -p"), 0),
    ("xvfb-run", Words("-n -s -e -f -p -w"), 0),
    ("strace", Words("-o -e -p -s -u"), 0),
    ("ltrace", Words("-o -e -p -s -u"), 0),
    ("fakeroot", Words("-i -s -l"), 0),
    ("systemd-run", Words("-p -u -E"), 0),
    ("dbus-run-session", Words(""), 0),
    ("firejail", Words(""), 0),
    ("entr", Words(""), 0),
    ("caffeinate", Words("-t -w"), 0),
];

/// The same where a verb of the program says so.
pub(super) const RUNNERS: [(&str, Words, Words, usize); 17] = [
    (
        "uv",
        Words("run"),
        Words("--with --python -p --env-file"),
        0,
    ),
    ("poetry", Words("run"), Words(""), 0),
    ("pipenv", Words("run"), Words(""), 0),
    ("hatch", Words("run"), Words(""), 0),
    ("rye", Words("run"), Words(""), 0),
    ("pdm", Words("run"), Words(""), 0),
    ("pixi", Words("run"), Words("-e"), 0),
    ("conda", Words("run"), Words("-n -p --name --cwd"), 0),
    ("mamba", Words("run"), Words("-n -p --name --cwd"), 0),
    ("bundle", Words("exec"), Words(""), 0),
    ("npm", Words("exec x"), Words("-p --package"), 0),
    ("pnpm", Words("exec dlx"), Words("--package"), 0),
    ("yarn", Words("exec dlx"), Words("-p"), 0),
    ("bun", Words("x"), Words(""), 0),
    ("mise", Words("exec x"), Words(""), 0),
    ("direnv", Words("exec"), Words(""), 1),
    ("dotenv", Words("run"), Words("-f"), 0),
];

/// Options before the verb that take the next word, of `docker` and `kubectl`.
pub(super) const OF_CONTAINERS: Words = Words(
    "-H --host -c --context --config -l --log-level -n --namespace --cluster --kubeconfig -s \
    --server --user --as --token -f --file -p --project-name --profile --env-file",
);

/// Options of `docker run` and `exec` that take the next word.
const OF_A_CONTAINER: Words = Words(
    "-u -w -e --user --workdir --env -n -c --container --index -v --volume --mount -p --publish \
    --name --network --net --entrypoint -h --hostname -m --memory --cpus --env-file -l --label \
    --platform --gpus --shm-size --tmpfs --device --cap-add --security-opt",
);

/// The words from the verb on that starts something in a container whose data outlives it.
pub(super) fn containers_verb<'a>(name: &str, words: &'a [String]) -> Option<&'a [String]> {
    let mut rest = behind(words, OF_CONTAINERS);
    let is_compose = name == "docker-compose" || rest.first().is_some_and(|word| word == "compose");
    if name != "docker-compose" && is_compose {
        rest = behind(&rest[1..], OF_CONTAINERS);
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
        None => behind(rest, OF_A_CONTAINER).get(1..).unwrap_or_default(),
    };
    (!inner.is_empty()).then(|| Started::Commands(vec![of_words(inner)]))
}
