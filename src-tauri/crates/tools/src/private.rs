//! Which files of a workspace hold secrets, judged mostly by name.
//!
//! Commands in plan mode or written by a model can't see these files, and file tools don't show
//! them to a model. The user's setting `private_files` extends the list; a pattern that starts with
//! `!` makes an exception.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::logins;
use plan::word_list::WordList;

/// Patterns in `.gitignore` syntax; later ones take precedence.
const DEFAULT: WordList = WordList(
    ".env .env.* .env~ *.env.bak .dev.vars *.env .envrc !.env.example !.env.sample !.env.template \
     !.env.dist !.env.defaults !.env.schema !example.env !sample.env !template.env *.key *.p12 \
     *.pfx *.jks *.keystore *.kdbx *.ppk *.asc.key *-key.pem *_key.pem *.key.pem key.pem \
     privkey*.pem private*.pem deploy_key *_deploy_key ssh_host_*_key id_rsa id_dsa id_ecdsa \
     id_ed25519 id_*_sk id_rsa.* id_dsa.* id_ecdsa.* id_ed25519.* !id_*.pub .netrc _netrc .npmrc \
     .yarnrc.yml .pypirc .pgpass .my.cnf .htpasswd .git-credentials .dockercfg \
     .docker/config.json .aws .ssh .gnupg .kube/config kubeconfig *.kubeconfig credentials \
     credentials.json credentials.toml credentials.yml credentials.yaml credentials.txt auth.json \
     local.settings.json passwords.* password.txt secret.txt token.txt .secret *.secret \
     secret.json secret.toml secret.yml secret.yaml !templates/secret.yaml \
     !**/templates/secret.yaml api_key !api_key/ api-key !api-key/ apikey !apikey/ api_key.txt \
     api-key.txt apikey.txt *-key.json *_key.json *firebase-adminsdk*.json client_secret*.json \
     service-account*.json service_account*.json serviceAccount*.json wp-config.php \
     keystore.properties key.properties rclone.conf *.ovpn credentials.tfrc.json .bash_history \
     .zsh_history .python_history .psql_history .mysql_history .sqlite_history .rediscli_history \
     .node_repl_history secrets.json secrets.toml secrets.yml secrets.yaml secrets.env \
     secrets.txt .secrets .credentials.json .boto **/gh/hosts.yml .Renviron .direnv .flaskenv \
     *.tfvars !example.tfvars *.tfstate *.tfstate.backup .vault-token .vault_pass* vault_pass* \
     vault-pass* wallet.dat *.token .token token !token/",
);

/// The default list combined with the user's patterns.
#[derive(Debug, Clone)]
pub struct PrivateFiles {
    rules: Gitignore,
    /// Identifies the list; see [`PrivateFiles::patterns`].
    patterns: Arc<str>,
}

impl PrivateFiles {
    /// Only the default list.
    pub fn usual() -> Arc<Self> {
        static USUAL: LazyLock<Arc<PrivateFiles>> =
            LazyLock::new(|| Arc::new(PrivateFiles::new(&[])));
        Arc::clone(&USUAL)
    }

    /// The default list, extended by `patterns`. Invalid patterns are ignored.
    pub fn new(patterns: &[String]) -> Self {
        let mut rules = GitignoreBuilder::new("");
        // Some file systems are case-insensitive, and people capitalize names as they like.
        let _ = rules.case_insensitive(true);
        // Invalid patterns are reported where settings are read; the others still apply.
        let mut add = |pattern: &str| drop(rules.add_line(None, pattern));
        DEFAULT.iter().for_each(&mut add);
        patterns.iter().for_each(|pattern| add(pattern));
        Self {
            rules: rules.build().unwrap_or_else(|_| Gitignore::empty()),
            patterns: format!("default {patterns:?}").into(),
        }
    }

    /// A list that covers nothing, for approved commands that work with the project as it is.
    pub(crate) fn none() -> Self {
        Self {
            rules: Gitignore::empty(),
            patterns: "".into(),
        }
    }

    /// Identifies the list: equal for lists that cover the same files.
    pub(crate) fn patterns(&self) -> Arc<str> {
        Arc::clone(&self.patterns)
    }

    /// Whether a path relative to the workspace is private by its own name. To check its parent
    /// folders too, use [`PrivateFiles::covers_any_of`].
    pub fn covers(&self, path: &Path, is_folder: bool) -> bool {
        self.rules.matched(path, is_folder).is_ignore()
    }

    /// Like [`PrivateFiles::covers`], but also covers files that contain a private key, and
    /// settings that contain a login. `root` is the workspace.
    pub(crate) fn covers_in(&self, root: &Path, path: &Path, is_folder: bool) -> bool {
        match self.rules.matched(path, is_folder) {
            Match::Ignore(_) => true,
            Match::Whitelist(_) => false,
            Match::None => {
                !is_folder
                    && !self.rules.is_empty()
                    && logins::is_private_project_file(&root.join(path))
            }
        }
    }

    /// Whether a path relative to the workspace is private or in a private folder.
    pub fn covers_any_of(&self, path: &Path) -> bool {
        let folders = path.ancestors().skip(1);
        let mut folders = folders.filter(|folder| !folder.as_os_str().is_empty());
        self.covers(path, false) || folders.any(|folder| self.covers(folder, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_private_and_their_examples_are_not() {
        let private = PrivateFiles::new(&["deploy/*.txt".to_owned(), "!ok.key".to_owned()]);
        for name in [
            ".env",
            ".env.local",
            "app/.env.production",
            "prod.env",
            ".envrc",
            "certs/server.key",
            "tls/privkey1.pem",
            ".ssh/config",
            "sub/id_ed25519",
            ".npmrc",
            "config/credentials.json",
            "infra/prod.tfvars",
            "terraform.tfstate",
            "deploy/tokens.txt",
            "x/.aws/config",
            ".ENV",
            "SECRETS.YML",
            "Id_Rsa",
            "ID_RSA.bak",
            "config/Credentials.JSON",
            ".env~",
            "deploy_key",
            "keys/web_deploy_key",
            "config/serviceAccountKey.json",
            "wp-config.php",
            "k8s/secret.yaml",
            "token.txt",
            "apikey",
            ".secret",
            "vault_pass.txt",
            "client.ovpn",
            ".bash_history",
        ] {
            assert!(private.covers_any_of(Path::new(name)), "{name} is private");
        }
        for name in [
            ".env.example",
            "app/.env.sample",
            ".env.template",
            "src/env.rs",
            "src/key.rs",
            "keys.md",
            "ok.key",
            "tests/cacert.pem",
            "deploy/readme.md",
            "src/credentials.rs",
            "id_rsa.pub",
            "src/token.rs",
            "src/auth.js",
            "go/token/token.go",
            "src/api_key/mod.rs",
            "src/secret.rs",
            "chart/templates/secret.yaml",
            "templates/secret.yaml",
            "wp-config-sample.php",
            "src/serviceaccount.go",
            "gradle.properties",
            "vault.go",
            "deploy_key.pub",
        ] {
            assert!(
                !private.covers_any_of(Path::new(name)),
                "{name} is not private"
            );
        }
    }
}
