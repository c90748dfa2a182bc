//! Containers, clusters, clouds, what is deployed there, and registries where what is published stays.

use super::starters::OF_CONTAINERS;
use super::words::{behind, has, names, value_of};
use super::{Harm, harm, said};
use crate::word_list::WordList;

/// What programs for other machines destroy there. Publishing counts: nobody can take it back.
pub(super) fn harms(name: &str, words: &[String], named: &[String]) -> Vec<Harm> {
    let verbs = verbs(name, words);
    let at = |at: usize| verbs.get(at).map(String::as_str).unwrap_or_default();
    let (first, second) = (at(0), at(1));
    let rest = || said(verbs.get(1..).unwrap_or_default());
    if publishes(name, &verbs) {
        return harm("publishes what cannot be taken back", said(&verbs));
    }
    match name {
        "docker" | "podman" | "nerdctl" | "docker-compose" => containers(name, words),
        "kubectl" | "oc" | "k9s" => {
            let replaces = first == "replace" && has(words, '\0', "--force");
            let prunes = first == "apply" && has(words, '\0', "--prune");
            match first {
                "delete" => harm("deletes from the cluster", rest()),
                _ if replaces || prunes => harm("deletes from the cluster", rest()),
                "drain" => harm("ends what runs on a node", rest()),
                _ => Vec::new(),
            }
        }
        "helm" if matches!(first, "uninstall" | "delete" | "un" | "del") => {
            harm("removes a release", rest())
        }
        "terraform" | "tofu" | "terragrunt" | "pulumi" | "cdk" | "vagrant" | "sam"
        | "serverless" | "sls" | "copilot" | "eksctl" => deployed(name, &verbs),
        "aws"
            if second.starts_with("delete")
                || second.starts_with("terminate")
                || second.starts_with("deregister")
                || (first == "s3" && matches!(second, "rm" | "rb"))
                || words.iter().any(|word| word == "--delete") =>
        {
            harm("deletes from the cloud", said(named))
        }
        "gsutil" if first == "rsync" && has(words, 'd', "") => {
            harm("deletes from the cloud", said(named))
        }
        "rclone" if matches!(first, "sync" | "move" | "moveto") && !has(words, 'n', "") => {
            harm("deletes at the other place", rest())
        }
        "s3cmd" | "azcopy" if words.iter().any(|word| word.starts_with("--delete-")) => {
            harm("deletes from the cloud", said(named))
        }
        "gcloud" | "az" | "gsutil" | "bq" | "rclone" | "s3cmd" | "s5cmd" | "mc" | "azcopy"
        | "heroku" | "fly" | "flyctl" | "vercel" | "netlify" | "firebase" | "doctl" | "hcloud"
        | "linode-cli" | "ibmcloud" | "oci" | "wrangler" | "railway" | "scw" | "upctl" | "exo" => {
            let deletes = verbs.iter().take(5).any(|word| is_removal(word));
            match deletes && !(name == "rclone" && has(words, 'n', "")) {
                true => harm("deletes from the cloud", said(named)),
                false => Vec::new(),
            }
        }
        "gh" | "glab" | "hub" | "tea" => {
            let method = value_of(words, 'X', "--method");
            let calls = first == "api" && method.is_some_and(|how| is_delete(&how));
            match second == "delete" || calls {
                true => harm("deletes from the host", said(named)),
                false => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// `delete`, `rm`, `apps:destroy`, `delete-object`.
fn is_removal(word: &str) -> bool {
    let word = word.rsplit(':').next().unwrap_or(word);
    let begin = word.split('-').next().unwrap_or(word);
    matches!(
        word,
        "rm" | "rb" | "remove" | "del" | "purge" | "reset" | "deletefile" | "rmdirs" | "rmi"
    ) || matches!(begin, "delete" | "destroy" | "terminate")
}

fn is_delete(method: &str) -> bool {
    method.eq_ignore_ascii_case("delete")
}

/// A request that deletes. One to this machine is a test of what is being written.
pub(super) fn deletes_at_server(name: &str, words: &[String], named: &[String]) -> Vec<Harm> {
    let asks = match name {
        "curl" => value_of(words, 'X', "--request").is_some_and(|how| is_delete(&how)),
        _ => named.first().is_some_and(|how| is_delete(how)),
    };
    let is_here = named.iter().any(|word| {
        let host = word
            .split_once("://")
            .map_or(word.as_str(), |(_, rest)| rest);
        ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", ":"]
            .iter()
            .any(|here| host.starts_with(here))
    });
    match asks && !is_here {
        true => harm("deletes at a server", said(named)),
        false => Vec::new(),
    }
}

/// The words from the verb on, options left out.
pub(super) fn verbs(name: &str, words: &[String]) -> Vec<String> {
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
        _ => WordList(""),
    };
    let mut verbs = names(behind(words, valued));
    // `cargo +nightly publish`
    if name == "cargo" && verbs.first().is_some_and(|word| word.starts_with('+')) {
        verbs.remove(0);
    }
    // `yarn workspace web remove x`, `yarn npm publish`
    match (name, verbs.first().map(String::as_str)) {
        ("yarn", Some("workspace")) if verbs.len() > 2 => {
            verbs.drain(..2);
        }
        ("yarn", Some("npm" | "global"))
        | ("conda" | "mamba", Some("env"))
        | ("dart", Some("pub")) => {
            verbs.remove(0);
        }
        _ => {}
    }
    verbs
}

fn publishes(name: &str, verbs: &[String]) -> bool {
    let at = |at: usize| verbs.get(at).map(String::as_str).unwrap_or_default();
    match name {
        "npm" | "pnpm" | "yarn" | "bun" | "cargo" | "poetry" | "uv" | "hatch" | "flit" | "vsce"
        | "ovsx" | "lerna" | "jsr" | "pdm" | "dart" | "deno" | "wasm-pack" | "changeset" => {
            at(0) == "publish"
        }
        "twine" => at(0) == "upload",
        "gem" => at(0) == "push",
        "dotnet" => at(0) == "nuget" && at(1) == "push",
        "nuget" => at(0) == "push",
        "mvn" | "mvnw" => verbs.iter().any(|goal| goal == "deploy"),
        "gradle" | "gradlew" => verbs.iter().any(|task| task.starts_with("publish")),
        "sbt" => verbs.iter().any(|task| task == "publish"),
        _ => false,
    }
}

/// Tools that keep what is deployed as a file says: they take away what the file no longer names.
fn deployed(name: &str, verbs: &[String]) -> Vec<Harm> {
    let at = |at: usize| verbs.get(at).map(String::as_str).unwrap_or_default();
    let rest = || said(verbs.get(1..).unwrap_or_default());
    match (name, at(0), at(1)) {
        (_, "destroy", _) => harm("destroys what is deployed", rest()),
        ("sam" | "copilot" | "eksctl", "delete", _) | ("serverless" | "sls", "remove", _) => {
            harm("destroys what is deployed", rest())
        }
        ("terraform" | "tofu" | "terragrunt", "apply" | "run-all", _)
        | ("pulumi", "up" | "update", _)
        | ("cdk", "deploy", _) => harm("changes what is deployed", rest()),
        ("terraform" | "tofu" | "terragrunt", "state", "rm" | "push")
        | ("terraform" | "tofu" | "terragrunt", "workspace", "delete")
        | ("pulumi", "stack", "rm")
        | ("pulumi", "state", "delete") => harm("forgets what is deployed", rest()),
        _ => Vec::new(),
    }
}

fn containers(name: &str, words: &[String]) -> Vec<Harm> {
    let mut rest = behind(words, OF_CONTAINERS);
    let is_compose = name == "docker-compose" || rest.first().is_some_and(|word| word == "compose");
    if name != "docker-compose" && is_compose {
        rest = behind(&rest[1..], OF_CONTAINERS);
    }
    let named = names(rest);
    let at = |at: usize| named.get(at).map(String::as_str).unwrap_or_default();
    let behind_verb = || said(named.get(1..).unwrap_or_default());
    match (at(0), at(1)) {
        ("down", _) if is_compose && has(rest, 'v', "--volumes") => {
            harm("deletes volumes", said(&named))
        }
        ("rm" | "rmi", _) => harm("deletes containers or images", behind_verb()),
        (_, "prune") | ("prune", _) => harm("deletes what no container uses", behind_verb()),
        ("system", "reset") => harm("deletes all containers, images and volumes", behind_verb()),
        (
            "volume" | "container" | "image" | "network" | "context" | "config" | "secret"
            | "stack" | "service" | "pod" | "machine" | "buildx" | "manifest" | "plugin" | "node",
            "rm" | "remove",
        ) => harm("deletes containers, images or volumes", behind_verb()),
        _ => Vec::new(),
    }
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
}
