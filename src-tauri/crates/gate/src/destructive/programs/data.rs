//! Databases: statements that take data out, and the commands of frameworks that make one anew.

use super::starting::base;
use super::words::{behind, has};
use super::{Harm, Simple, Subject, harm, said};
use crate::destructive::sql;
use crate::word_list::WordList;

/// What a database program destroys.
pub(super) fn harms(name: &str, words: &[String], named: &[String], command: &Simple) -> Vec<Harm> {
    match name {
        "psql" | "mysql" | "mariadb" | "sqlite3" | "sqlite" | "duckdb" | "sqlcmd" | "cqlsh"
        | "clickhouse-client" | "clickhouse" | "pgcli" | "mycli" | "litecli" | "sqlplus" | "bq"
        | "influx" | "snowsql" => statements(words, command),
        "mongosh" | "mongo" => mongo(words, command),
        "mongorestore" if has(words, '\0', "--drop") => harm("drops collections", said(named)),
        "pg_restore" if has(words, 'c', "--clean") => harm("drops tables", said(named)),
        "redis-cli" | "valkey-cli" | "keydb-cli" => redis(words),
        "etcdctl" if named.first().is_some_and(|word| word == "del") => {
            harm("deletes keys", said(&named[1..]))
        }
        "dropdb" | "dropuser" => harm("drops a database", said(named)),
        "mysqladmin" if named.iter().any(|word| word == "drop") => {
            harm("drops a database", said(named))
        }
        "prisma" if has(words, '\0', "--force-reset") => harm("empties a database", said(named)),
        _ => resets(name, named),
    }
}

/// The commands of frameworks that empty a database or make it anew.
pub(super) fn resets(name: &str, named: &[String]) -> Vec<Harm> {
    const VERBS: WordList = WordList(
        "db:drop db:drop:all db:drop:_unsafe db:reset db:purge db:wipe db:truncate_all \
        migrate:fresh migrate:refresh migrate:reset db:migrate:reset schema:drop ecto.drop \
        ecto.reset",
    );
    let words: Vec<&str> = named.iter().map(String::as_str).collect();
    let first = |at: usize| words.get(at).copied().unwrap_or_default();
    let takes_verbs =
        WordList("rails rake php mix sequelize sequelize-cli typeorm artisan ruby ace node")
            .contains(name);
    let django = |verb: &str| matches!(verb, "flush" | "reset_db" | "sqlflush");
    let empties = match name {
        _ if takes_verbs && words.iter().take(4).any(|word| VERBS.contains(word)) => true,
        "python" => base(first(0)) == "manage.py" && django(first(1)),
        "manage.py" | "django-admin" => django(first(0)),
        "sqlx" | "diesel" => first(0) == "database" && matches!(first(1), "drop" | "reset"),
        "alembic" => first(0) == "downgrade",
        "prisma" => first(0) == "migrate" && first(1) == "reset",
        "supabase" => first(0) == "db" && first(1) == "reset",
        _ => false,
    };
    match empties {
        true => harm("empties a database", said(named)),
        false => Vec::new(),
    }
}

fn fed(command: &Simple) -> String {
    match command.from.first().map(String::as_str) {
        Some("echo" | "printf") => command.from[1..].join(" "),
        _ => String::new(),
    }
}

fn statements(words: &[String], command: &Simple) -> Vec<Harm> {
    let fed = fed(command);
    let written = words
        .iter()
        .map(|word| match word.split_once('=') {
            Some((_, value)) if word.starts_with("--") => value,
            // `-e"DROP …"`
            _ if word.starts_with('-') && !word.starts_with("--") && word.contains(' ') => {
                word.get(2..).unwrap_or_default()
            }
            _ => word.as_str(),
        })
        .chain([command.text.as_str(), fed.as_str()]);
    let found: Vec<String> = written.flat_map(sql::destructive).collect();
    match found.is_empty() {
        true => Vec::new(),
        false => harm("deletes data of a database", said(&found)),
    }
}

fn mongo(words: &[String], command: &Simple) -> Vec<Harm> {
    const REMOVERS: WordList = WordList(
        "dropDatabase( .drop( deleteMany( deleteOne( findOneAndDelete( .remove( dropUser( \
        dropAllUsersFromDatabase(",
    );
    let fed = fed(command);
    let texts = words.iter().chain([&command.text, &fed]);
    let removes = |text: &&String| REMOVERS.are_in(text);
    let found: Vec<String> = texts.filter(removes).cloned().collect();
    match found.is_empty() {
        true => Vec::new(),
        false => harm("deletes data of a database", said(&found)),
    }
}

fn redis(words: &[String]) -> Vec<Harm> {
    let valued = WordList("-h -p -n -a -u -s --user --pass -r -i");
    let said_words = behind(words, valued);
    let verb = said_words.first().map(|word| word.to_ascii_lowercase());
    let empties = |word: &String| {
        word.eq_ignore_ascii_case("flushall") || word.eq_ignore_ascii_case("flushdb")
    };
    match verb.as_deref() {
        Some("del" | "unlink" | "getdel") => harm("deletes keys", said(&said_words[1..])),
        _ if said_words.iter().any(empties) => harm(
            "empties a database",
            said_words.iter().cloned().map(Subject::Words).collect(),
        ),
        _ => Vec::new(),
    }
}
