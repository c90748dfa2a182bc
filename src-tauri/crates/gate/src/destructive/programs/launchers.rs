//! Programs that start others, and which of their words precede the started program.

use std::sync::LazyLock;

use super::launched::{Launched, of_words};
use super::options::behind;
use super::rules::{Rows, fits};
use plan::word_list::WordList;

/// Programs that run the rest of their words. A row is `programs verb count: options`: the verb
/// that makes it start something, if any; the number of words before the started program; and the
/// options that take the next word.
const ROWS: &str = "
    nohup|setsid|builtin|chronic|unbuffer|busybox|toybox|pnpx|dbus-run-session|firejail|entr:
    setarch|taskset|chroot 1:
    sudo: -u -g -h -p -C -T -U -r -t -D -R --user --group
    doas: -u -C
    runuser: -u -g -G --user
    nice: -n --adjustment
    ionice: -c -n -p --class
    timeout 1: -k -s --signal --kill-after
    flock 1: -w -E
    time: -o -f
    stdbuf: -i -o -e
    chrt 1: -T -P -D
    unshare: -S -G -R -w
    nsenter: -t -S -G
    exec: -a
    npx|bunx: -p --package
    uvx: --from --with -p
    xvfb-run: -n -s -e -f -p -w
    strace|ltrace: -o -e -p -s -u
    fakeroot: -i -s -l
    systemd-run: -p -u -E
    caffeinate: -t -w
    poetry|pipenv|hatch|rye|pdm run:
    bundle exec:
    bun x:
    mise exec|x:
    uv run: --with --python -p --env-file
    pixi run: -e
    conda|mamba run: -n -p --name --cwd
    npm exec|x: -p --package
    pnpm exec|dlx: --package
    yarn exec|dlx: -p
    direnv exec 1:
    dotenv run: -f
";

static STARTERS: LazyLock<Rows> = LazyLock::new(|| Rows::of(ROWS));

/// The words of the program that another one starts.
pub(super) fn started_by<'a>(name: &str, words: &'a [String]) -> Option<&'a [String]> {
    let of_row = |row: &'static str| {
        let (head, valued) = row.split_once(':')?;
        let (mut rest, mut before, mut has_verb) = (words, 0, false);
        for part in head.split_whitespace() {
            if let Ok(count) = part.parse() {
                before = count;
                continue;
            }
            let folders = WordList("--prefix -C --dir --directory --project --cwd");
            let (verb, after) = behind(rest, folders).split_first()?;
            if !fits(part, verb) {
                return None;
            }
            (rest, has_verb) = (after, true);
        }
        let rest = behind(rest, WordList(valued.trim()));
        let rest = rest.get(before..).unwrap_or_default();
        // The program may follow `--`, as in `mise exec node@20 -- rm x`.
        let dashes = rest.iter().take(3).position(|word| word == "--");
        Some(
            dashes
                .filter(|_| has_verb)
                .map_or(rest, |at| &rest[at + 1..]),
        )
    };
    STARTERS.about(name).find_map(of_row)
}

/// Options of `docker` and `kubectl` that precede the verb and take the next word.
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

/// The words from the verb on, if the verb starts something in a container whose data outlives it.
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

/// What a command starts in a container, as in `docker exec [options] NAME command …` and
/// `kubectl exec NAME -- command …`.
pub(super) fn in_container(words: &[String]) -> Option<Launched> {
    let at = words
        .iter()
        .position(|word| word == "exec" || word == "run")?;
    let rest = &words[at + 1..];
    let inner = match rest.iter().position(|word| word == "--") {
        Some(dashes) => &rest[dashes + 1..],
        None => behind(rest, OF_A_CONTAINER).get(1..).unwrap_or_default(),
    };
    (!inner.is_empty()).then(|| Launched::Commands(vec![of_words(inner)]))
}
