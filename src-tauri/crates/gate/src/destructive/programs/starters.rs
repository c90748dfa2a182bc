//! Programs that start others: which, and which of their words come before the other one.

use super::options::behind;
use super::starting::{Started, of_words};
use crate::word_list::WordList;

/// Programs that start the rest of their words: the options of theirs that take the next word, and how
/// many words stand before the program.
pub(super) const STARTERS: [(&str, WordList, usize); 36] = [
    (
        "sudo",
        WordList("-u -g -h -p -C -T -U -r -t -D -R --user --group"),
        0,
    ),
    ("doas", WordList("-u -C"), 0),
    ("runuser", WordList("-u -g -G --user"), 0),
    ("nice", WordList("-n --adjustment"), 0),
    ("ionice", WordList("-c -n -p --class"), 0),
    ("timeout", WordList("-k -s --signal --kill-after"), 1),
    ("flock", WordList("-w -E"), 1),
    ("time", WordList("-o -f"), 0),
    ("nohup", WordList(""), 0),
    ("setsid", WordList(""), 0),
    ("setarch", WordList(""), 1),
    ("stdbuf", WordList("-i -o -e"), 0),
    ("taskset", WordList(""), 1),
    ("chrt", WordList("-T -P -D"), 1),
    ("chroot", WordList(""), 1),
    ("unshare", WordList("-S -G -R -w"), 0),
    ("nsenter", WordList("-t -S -G"), 0),
    ("builtin", WordList(""), 0),
    ("exec", WordList("-a"), 0),
    ("chronic", WordList(""), 0),
    ("unbuffer", WordList(""), 0),
    ("busybox", WordList(""), 0),
    ("toybox", WordList(""), 0),
    ("npx", WordList("-p --package"), 0),
    ("bunx", WordList("-p --package"), 0),
    ("pnpx", WordList(""), 0),
    ("uvx", WordList("--from --with -p"), 0),
    ("xvfb-run", WordList("-n -s -e -f -p -w"), 0),
    ("strace", WordList("-o -e -p -s -u"), 0),
    ("ltrace", WordList("-o -e -p -s -u"), 0),
    ("fakeroot", WordList("-i -s -l"), 0),
    ("systemd-run", WordList("-p -u -E"), 0),
    ("dbus-run-session", WordList(""), 0),
    ("firejail", WordList(""), 0),
    ("entr", WordList(""), 0),
    ("caffeinate", WordList("-t -w"), 0),
];

/// The same where a verb of the program says so.
pub(super) const RUNNERS: [(&str, WordList, WordList, usize); 17] = [
    (
        "uv",
        WordList("run"),
        WordList("--with --python -p --env-file"),
        0,
    ),
    ("poetry", WordList("run"), WordList(""), 0),
    ("pipenv", WordList("run"), WordList(""), 0),
    ("hatch", WordList("run"), WordList(""), 0),
    ("rye", WordList("run"), WordList(""), 0),
    ("pdm", WordList("run"), WordList(""), 0),
    ("pixi", WordList("run"), WordList("-e"), 0),
    ("conda", WordList("run"), WordList("-n -p --name --cwd"), 0),
    ("mamba", WordList("run"), WordList("-n -p --name --cwd"), 0),
    ("bundle", WordList("exec"), WordList(""), 0),
    ("npm", WordList("exec x"), WordList("-p --package"), 0),
    ("pnpm", WordList("exec dlx"), WordList("--package"), 0),
    ("yarn", WordList("exec dlx"), WordList("-p"), 0),
    ("bun", WordList("x"), WordList(""), 0),
    ("mise", WordList("exec x"), WordList(""), 0),
    ("direnv", WordList("exec"), WordList(""), 1),
    ("dotenv", WordList("run"), WordList("-f"), 0),
];

/// Options before the verb that take the next word, of `docker` and `kubectl`.
pub(super) const OF_CONTAINERS: WordList = WordList(
    "-H --host -c --context --config -l --log-level -n --namespace --cluster --kubeconfig -s \
    --server --user --as --token -f --file -p --project-name --profile --env-file",
);

/// Options of `docker run` and `exec` that take the next word.
const OF_A_CONTAINER: WordList = WordList(
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
