//! Programs whose arguments alone show that they destroy something, one per row.
//!
//! A row is `programs: conditions -> what it does [subjects]`. Alternatives are separated by bars;
//! a star at one end matches anything there. A row matches if all its conditions hold: `-f|--force`
//! is given; `!-n` is not given; `?drop` is among the first words; `@-X|--request|delete` is an
//! option with its value; anything else is the next positional word. Every matching row counts.
//!
//! Subjects are words as written, paths, overwritten files, files that are moved away or moved
//! onto, and uncommitted changes or untracked files; a number skips that many leading words.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::files::{moved_away, moved_onto, paths};
use super::launched::listing;
use super::launchers::OF_CONTAINERS;
use super::options::{behind, given, names, value_of};
use super::{Harm, Subject, said};
use plan::word_list::WordList;

const ROWS: &str = "
    rm|unlink|srm|rimraf|del-cli: -> deletes files [paths]
    shred|wipe: -> destroys file contents [paths]
    truncate: -> truncates files [over]
    dd: -> overwrites files [value \0|of]
    mv|cp|install: !-n|--no-clobber -> overwrites files [onto]
    mv: !-n|--no-clobber -> moves files out of the workspace [away]
    ln: -f|--force -> overwrites files [onto]
    tee: !-a|--append -> overwrites files [over]
    sponge: !-a -> overwrites files [over]
    sort|curl|http|https|xh: -> overwrites files [value o|--output]
    wget: -> overwrites files [value O|--output-document]
    rsync: !-n --remove-source-files -> deletes files [paths]
    rsync: !-n --del* -> deletes files [last]
    tar: --remove-files -> deletes files [paths]
    zip: -m|--move -> deletes files [paths]
    7z: -sdel -> deletes files [paths]
    gzip|pigz|bzip2|pbzip2|xz|pixz|lzma|lzip|compress: \
        !-k|--keep|-c|--stdout|--to-stdout|-d|--decompress|--uncompress|-t|--test|-l|--list -> \
        replaces files with compressed copies [paths]
    zstd|lz4|brotli: --rm -> replaces files with compressed copies [paths]
    tar: -U|--overwrite|--unlink-first|--recursive-unlink -> overwrites files [into C|--directory]
    unzip: -o -> overwrites files [into d|-d]
    cpio: -u|--unconditional -> overwrites files [into D|--directory]
    7z: x|e -y|-aoa -> overwrites files [into \0|-o]
    chmod|chown|chgrp|setfacl|chattr: -R|--recursive -> changes permissions of everything in [paths 1]
    find|fd|fdfind: -delete -> deletes files [listing]

    git: clean !-n -f|--force -> deletes untracked files [untracked 1]
    git: reset --hard|--merge -> discards uncommitted changes [everything changed]
    git: reset --hard|--merge|--keep * -> moves a branch to another commit [commits 1]
    git: checkout|switch -f|--force|--discard-changes -> discards uncommitted changes [everything changed]
    git: checkout !-f|--force|-B|-b|--orphan * -> discards uncommitted changes [changed 1]
    git: checkout-index -f|--force -> discards uncommitted changes [changed 1]
    git: read-tree --reset -> discards uncommitted changes [everything changed]
    git: restore !-S|--staged -> discards uncommitted changes [changed 1]
    git: restore -S|--staged -W|--worktree -> discards uncommitted changes [changed 1]
    git: submodule deinit -f|--force -> discards uncommitted changes [words 2]
    git: checkout -B !-f|--force -> moves a branch to another commit [words 1]
    git: switch -C|--force-create -> moves a branch to another commit [words 1]
    git: branch !-d|--delete|-D -M|-f|--force -> moves a branch to another commit [words 1]
    git: update-ref !-d * * -> moves a branch to another commit [words 1]
    git: branch -D -> deletes branches [words 1]
    git: branch -d|--delete -f|--force -> deletes branches [words 1]
    git: update-ref -d -> deletes branches [words 1]
    git: tag -f|--force -> moves tags [words 1]
    git: tag -d|--delete -> deletes tags [words 1]
    git: stash drop|clear -> drops stashed changes [words 1]
    git: push !-n -f|--force|--force-with-lease*|--mirror -> overwrites a remote branch [words 1]
    git: push !-n ?+* -> overwrites a remote branch [words 1]
    git: push !-n -d|--delete|--prune -> deletes remote branches [words 1]
    git: push !-n ?:* -> deletes remote branches [words 1]
    git: reflog expire|delete -> deletes reflog entries [words 1]
    git: gc --prune=now*|--prune=all* -> deletes unreachable commits [words 1]
    git: prune !-n -> deletes unreachable commits [nothing]
    git: filter-branch|filter-repo -> rewrites Git history [nothing]
    git: rebase !--abort|--continue|--skip|--quit|--edit-todo|--show-current-patch -> \
        rewrites commits [words 1]
    git: rm !-n|--cached -> deletes files [paths 1]
    git: rm !-n|--cached --pathspec-from-file* -> deletes files [nothing]
    git: worktree remove -f|--force -> deletes files [paths 2]
    git: mv !-n -f|--force -> overwrites files [onto 1]
    svn: revert -> discards uncommitted changes [words]
    svn: cleanup --* -> discards uncommitted changes [words]
    hg: purge|revert|strip|rollback -> discards uncommitted changes [words]
    hg: update|up|co|checkout -C|--clean -> discards uncommitted changes [words]

    npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit|vsce|ovsx|lerna|jsr|pdm|dart|deno|wasm-pack|changeset: \
        publish -> permanently publishes a package [words]
    twine: upload -> permanently publishes a package [words]
    gem|nuget: push -> permanently publishes a package [words]
    dotnet: nuget push -> permanently publishes a package [words]
    mvn|mvnw: ?deploy -> permanently publishes a package [words]
    gradle|gradlew|sbt: ?publish* -> permanently publishes a package [words]

    docker|podman|nerdctl|docker-compose: down -v|--volumes -> deletes volumes [words]
    docker|podman|nerdctl|docker-compose: rm|rmi -> deletes containers or images [words 1]
    docker|podman|nerdctl|docker-compose: prune -> deletes unused containers, images or volumes [words 1]
    docker|podman|nerdctl: * prune -> deletes unused containers, images or volumes [words 1]
    docker|podman|nerdctl: system reset -> deletes all containers, images and volumes [words 1]
    docker|podman|nerdctl: volume|container|image|network|context|config|secret|stack|service|pod|\
        machine|buildx|manifest|plugin|node rm|remove -> deletes containers, images or volumes [words 1]
    kubectl|oc|k9s: delete -> deletes cluster resources [words 1]
    kubectl|oc|k9s: replace --force -> deletes cluster resources [words 1]
    kubectl|oc|k9s: apply --prune -> deletes cluster resources [words 1]
    kubectl|oc|k9s: drain -> evicts all pods from a node [words 1]
    helm: uninstall|delete|un|del -> uninstalls a release [words 1]
    terraform|tofu|terragrunt|pulumi|cdk|vagrant|sam|serverless|sls|copilot|eksctl: destroy -> destroys \
        what is deployed [words 1]
    sam|copilot|eksctl: delete -> destroys deployed resources [words 1]
    serverless|sls: remove -> destroys deployed resources [words 1]
    terraform|tofu|terragrunt: apply|run-all -> changes deployed resources [words 1]
    pulumi: up|update -> changes deployed resources [words 1]
    cdk: deploy -> changes deployed resources [words 1]
    terraform|tofu|terragrunt: state rm|push -> discards deployment state [words 1]
    terraform|tofu|terragrunt: workspace delete -> discards deployment state [words 1]
    pulumi: stack rm -> discards deployment state [words 1]
    pulumi: state delete -> discards deployment state [words 1]
    aws: * delete*|terminate*|deregister* -> deletes cloud resources [words]
    aws: s3 rm|rb -> deletes cloud resources [words]
    aws: --delete -> deletes cloud resources [words]
    gsutil: rsync -d -> deletes cloud resources [words]
    s3cmd|azcopy: --delete-* -> deletes cloud resources [words]
    rclone: sync|move|moveto !-n -> deletes files at the source or destination [words 1]
    gcloud|az|gsutil|bq|s3cmd|s5cmd|mc|azcopy|heroku|fly|flyctl|vercel|netlify|firebase|doctl|\
        hcloud|linode-cli|ibmcloud|oci|wrangler|railway|scw|upctl|exo: \
        ?rm|rb|remove|del|purge|reset|deletefile|rmdirs|rmi|delete|delete-*|destroy|destroy-*|terminate|\
        terminate-* -> deletes cloud resources [words]
    rclone: !-n ?rm|delete|deletefile|purge|rmdirs -> deletes cloud resources [words]
    gh|glab|hub|tea: * delete -> deletes data on the Git host [words]
    gh|glab|hub|tea: api @-X|--method|delete -> deletes data on the Git host [words]
    curl: @-X|--request|delete -> deletes data on a server [elsewhere]
    http|https|xh: delete -> deletes data on a server [elsewhere]

    mongorestore: --drop -> drops collections [words]
    pg_restore: -c|--clean -> drops tables [words]
    etcdctl: del -> deletes keys [words 1]
    redis-cli|valkey-cli|keydb-cli: del|unlink|getdel -> deletes keys [words 1]
    redis-cli|valkey-cli|keydb-cli: ?flushall|flushdb -> empties a database [words]
    dropdb|dropuser: -> drops a database [words]
    mysqladmin: ?drop -> drops a database [words]
    rails|rake|php|mix|sequelize|sequelize-cli|typeorm|artisan|ruby|ace|node: ?db:drop|db:drop:all|\
        db:drop:_unsafe|db:reset|db:purge|db:wipe|db:truncate_all|migrate:fresh|migrate:refresh|\
        migrate:reset|db:migrate:reset|schema:drop|ecto.drop|ecto.reset -> empties a database [words]
    python: *manage.py flush|reset_db|sqlflush -> empties a database [words]
    manage.py|django-admin: flush|reset_db|sqlflush -> empties a database [words]
    sqlx|diesel: database drop|reset -> empties a database [words]
    alembic: downgrade -> empties a database [words]
    prisma: --force-reset -> empties a database [words]
    prisma: migrate reset -> empties a database [words]
    supabase: db reset -> empties a database [words]

    wipefs|blkdiscard|mkswap|sgdisk|parted|sfdisk|cfdisk: !-l|--list -> wipes a disk [words]
    cryptsetup: luksFormat|erase|luksErase|reencrypt -> wipes a disk [words]
    nvme: format -> wipes a disk [words]
    fdisk: !-l|--list -> changes a disk's partitions [words]
    mke2fs|mkfs|mkfs.*: -> formats a disk [words]
    btrfs: subvolume delete -> destroys a file system [words]
    zfs|zpool: destroy|rollback|labelclear -> destroys a file system [words]
    lvremove|vgremove|pvremove|userdel|deluser|groupdel|delgroup: -> removes users, groups or volumes [words]
    crontab: !-l|-e -r|--remove -> deletes scheduled jobs [nothing]
    crontab: !-l|-e|-r|--remove * -> overwrites scheduled jobs [words]
    iptables|ip6tables: -F|--flush|-X -> removes firewall rules [words]
    ufw: reset|disable -> removes firewall rules [words]
    nft: flush -> removes firewall rules [words]
    systemctl|service|rc-service|supervisorctl|pm2|initctl|launchctl: \
        stop|disable|mask|kill|poweroff|reboot|halt|delete|unload|bootout -> stops a service [words]
    systemctl|service|rc-service|supervisorctl|pm2|initctl|launchctl: \
        * stop|disable|mask|kill|poweroff|reboot|halt|delete|unload|bootout -> stops a service [words]
    shutdown|reboot|poweroff|halt: -> shuts down the machine [words]
    pkill|killall|skill|xkill: -> kills processes [words]
    fuser: -k|--kill -> kills processes [words]
    apt|apt-get|aptitude|nala: remove|purge|autoremove|autopurge !-s -> removes packages [words 1]
    dnf|yum|zypper|microdnf: remove|erase|rm|autoremove -> removes packages [words 1]
    apk: del -> removes packages [words 1]
    pacman|yay|paru: -R -> removes packages [words]
    rpm: -e|--erase -> removes packages [words]
    dpkg: -r|--remove|-P|--purge -> removes packages [words]
    brew|snap|flatpak|port|nix-env|winget|scoop|choco: uninstall|remove|rm|autoremove -> removes \
        packages [words 1]
    gem|conda|mamba|pip*: uninstall|remove -> removes packages [words 1]
    npm: uninstall|remove|rm|un|r|unlink|unpublish -> removes packages [words 1]
    pnpm|yarn|bun|poetry|composer|pdm: remove|rm|un|uninstall -> removes packages [words 1]
    uv: remove -> removes packages [words 1]
    uv: pip|tool|python uninstall -> removes packages [words 1]
    cargo: remove|rm|uninstall|yank -> removes packages [words 1]
    rustup: * uninstall|remove -> removes packages [words 1]
    nvm|pyenv|rbenv|asdf|volta|fnm: uninstall -> removes packages [words 1]
    dotnet: remove -> removes packages [words 1]
    dotnet: * uninstall -> removes packages [words 1]
";

/// The rows of a table, by program.
pub(super) struct Rows(HashMap<&'static str, Vec<&'static str>>);

impl Rows {
    pub(super) fn of(table: &'static str) -> Self {
        let mut rows: HashMap<_, Vec<_>> = HashMap::new();
        for row in table.lines().map(str::trim).filter(|row| !row.is_empty()) {
            let programs = row.split([' ', ':']).next().unwrap_or_default();
            for program in programs.split('|') {
                rows.entry(program).or_default().push(row);
            }
        }
        Self(rows)
    }

    /// The text after the program names in the rows of this program and of its family, such as
    /// `pip*`.
    pub(super) fn about(&self, name: &str) -> impl Iterator<Item = &'static str> {
        let like = ["pip*", "mkfs.*"].into_iter().find(|like| fits(like, name));
        let rows = [Some(name), like].map(|name| self.0.get(name?));
        let rows = rows.into_iter().flatten().flatten();
        rows.filter_map(|row| row.get(row.find([' ', ':'])?..))
    }
}

static RULES: LazyLock<Rows> = LazyLock::new(|| Rows::of(ROWS));

/// Number of leading words that a `?` searches.
const FIRST_WORDS: usize = 8;

/// The harms of a program according to the rows that match it. `is_listed` tells whether another
/// command supplies more names.
pub(super) fn harms(name: &str, words: &[String], is_listed: bool) -> Vec<Harm> {
    let verbs = verbs(name, words);
    let of_row = |row: &'static str| {
        let (conditions, rest) = row.strip_prefix(": ")?.split_once("-> ")?;
        let (what, subjects) = rest.strip_suffix(']')?.split_once(" [")?;
        if !holds(conditions, words, &verbs) {
            return None;
        }
        let (kind, argument) = subjects.split_once(' ').unwrap_or((subjects, ""));
        let named = verbs.get(argument.parse().unwrap_or(0)..);
        let named = named.unwrap_or_default().to_vec();
        let value = || {
            let (letter, long) = argument.split_once('|')?;
            value_of(words, letter.chars().next()?, long)
        };
        let subjects: Vec<Subject> = match kind {
            "words" => said(&named),
            "paths" => paths(&named),
            "over" => named.into_iter().map(Subject::Over).collect(),
            "onto" => moved_onto(words, &named),
            "away" => moved_away(words, &named),
            "value" => value().map(Subject::Over).into_iter().collect(),
            "into" => {
                let unnamed = "existing files that the archive replaces".to_owned();
                vec![value().map_or(Subject::Words(unnamed), Subject::Path)]
            }
            "last" => match named.last()? {
                target if target.contains(':') => said(std::slice::from_ref(target)),
                target => vec![Subject::Path(target.clone())],
            },
            "listing" => vec![Subject::Words(listing(name, words))],
            "nothing" => Vec::new(),
            "everything" => vec![Subject::Changed { below: Vec::new() }],
            "changed" => vec![Subject::Changed { below: named }],
            "untracked" => vec![Subject::Untracked {
                below: named,
                ignored: given(words, "-x|-X"),
            }],
            // Moving to the current commit changes nothing.
            "commits" => {
                let others = named.into_iter().filter(|name| name != "HEAD");
                others.map(Subject::Words).collect()
            }
            // Requests to the local machine usually test the code being written.
            "elsewhere" => match named.iter().any(|word| is_here(word)) {
                true => Vec::new(),
                false => said(&named),
            },
            _ => return None,
        };
        // Without a file argument, nothing happens to files.
        let needs_one = !is_listed && !WordList("words nothing").contains(kind);
        (!needs_one || !subjects.is_empty()).then_some(Harm { what, subjects })
    };
    RULES.about(name).filter_map(of_row).collect()
}

fn holds(conditions: &str, words: &[String], verbs: &[String]) -> bool {
    let mut at = 0;
    conditions.split_whitespace().all(|condition| {
        let has_value = |options: &str| {
            let (options, value) = options.rsplit_once('|')?;
            let (letter, long) = options.split_once('|')?;
            let found = value_of(words, letter.chars().nth(1)?, long)?;
            Some(found.eq_ignore_ascii_case(value))
        };
        match condition.split_at(1) {
            ("!", options) => !given(words, options),
            ("@", options) => has_value(options).unwrap_or(false),
            ("?", patterns) => verbs.iter().take(FIRST_WORDS).any(|word| {
                // The verb may follow a colon, as in `apps:destroy`.
                fits(patterns, word)
                    || word
                        .rsplit(':')
                        .next()
                        .is_some_and(|end| fits(patterns, end))
            }),
            ("-", _) => given(words, condition),
            _ => {
                at += 1;
                verbs.get(at - 1).is_some_and(|word| fits(condition, word))
            }
        }
    })
}

/// Whether a word matches one of the patterns separated by bars.
pub(super) fn fits(patterns: &str, word: &str) -> bool {
    patterns.split('|').any(|pattern| {
        match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
            (Some(begin), _) => word.starts_with(begin),
            (_, Some(end)) => word.ends_with(end),
            _ => word.eq_ignore_ascii_case(pattern),
        }
    })
}

fn is_here(word: &str) -> bool {
    let host = word.split_once("://").map_or(word, |(_, rest)| rest);
    let here = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", ":"];
    here.iter().any(|here| host.starts_with(here))
}

/// The positional words starting with the verb.
fn verbs(name: &str, words: &[String]) -> Vec<String> {
    let valued = match name {
        "docker" | "podman" | "nerdctl" | "docker-compose" | "kubectl" | "oc" => OF_CONTAINERS,
        "helm" => WordList("-n --namespace --kube-context --kubeconfig"),
        "aws" => WordList("--profile --region --endpoint-url --output"),
        "gh" | "glab" => WordList("-R --repo --hostname"),
        "pulumi" => WordList("-C --cwd -s --stack"),
        "npm" | "pnpm" | "yarn" | "bun" => {
            WordList("--prefix -w --workspace -C --dir --filter -F --cwd")
        }
        "cargo" => WordList("--manifest-path -C --config --color -Z"),
        "apt" | "apt-get" => WordList("-o -t -c"),
        "poetry" | "uv" | "pip" | "composer" => WordList("-C -P --directory --project --python -d"),
        "systemctl" => WordList("-H -M -t --host --machine --root"),
        "redis-cli" | "valkey-cli" | "keydb-cli" => {
            WordList("-h -p -n -a -u -s --user --pass -r -i")
        }
        "truncate" => WordList("-s --size -r --reference"),
        _ => WordList(""),
    };
    let mut rest = behind(words, valued);
    while let Some((before, after)) = rest.split_first() {
        rest = match (name, before.as_str()) {
            ("docker" | "podman" | "nerdctl", "compose") => behind(after, valued),
            ("cargo", toolchain) if toolchain.starts_with('+') => after,
            ("yarn", "workspace") if after.len() > 1 => &after[1..],
            ("yarn", "npm" | "global") | ("conda" | "mamba", "env") | ("dart", "pub") => after,
            _ => break,
        };
    }
    names(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_stand_behind_the_options_of_the_program() {
        let words =
            |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
        assert_eq!(
            verbs("kubectl", &words("-n prod --context=x delete -f a pod")),
            ["delete", "a", "pod"]
        );
        assert_eq!(verbs("cargo", &words("+nightly publish")), ["publish"]);
    }

    #[test]
    fn every_row_is_read() {
        let kinds = WordList(
            "words nothing paths over onto away value into last listing everything changed untracked \
            commits elsewhere",
        );
        for row in ROWS.lines().map(str::trim).filter(|row| !row.is_empty()) {
            let parts = row
                .split_once(": ")
                .and_then(|(_, rest)| rest.split_once("-> "));
            let subjects = parts.and_then(|(_, rest)| rest.strip_suffix(']')?.split_once(" ["));
            let kind = subjects.and_then(|(_, subjects)| subjects.split(' ').next());
            assert!(kind.is_some_and(|kind| kinds.contains(kind)), "{row}");
        }
    }
}
