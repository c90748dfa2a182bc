//! Database programs: statements that remove data.

use super::{Harm, SimpleCommand, harm_to, said};
use crate::destructive::sql;
use plan::word_list::WordList;

/// The harms of the statements passed to a database program.
pub(super) fn harms(name: &str, words: &[String], command: &SimpleCommand) -> Vec<Harm> {
    match name {
        "psql" | "mysql" | "mariadb" | "sqlite3" | "sqlite" | "duckdb" | "sqlcmd" | "cqlsh"
        | "clickhouse-client" | "clickhouse" | "pgcli" | "mycli" | "litecli" | "sqlplus" | "bq"
        | "influx" | "snowsql" => statements(words, command),
        "mongosh" | "mongo" => mongo(words, command),
        _ => Vec::new(),
    }
}

fn statements(words: &[String], command: &SimpleCommand) -> Vec<Harm> {
    let fed = command.input();
    let written = words
        .iter()
        .map(|word| match word.split_once('=') {
            Some((_, value)) if word.starts_with("--") => value,
            // A statement attached to its option: `-e"DROP …"`.
            _ if word.starts_with('-') && !word.starts_with("--") && word.contains(' ') => {
                word.get(2..).unwrap_or_default()
            }
            _ => word.as_str(),
        })
        .chain([fed.as_str()]);
    let found: Vec<String> = written.flat_map(sql::destructive).collect();
    harm_to("deletes database data", said(&found))
}

fn mongo(words: &[String], command: &SimpleCommand) -> Vec<Harm> {
    const REMOVERS: WordList = WordList(
        "dropDatabase( .drop( deleteMany( deleteOne( findOneAndDelete( .remove( dropUser( \
        dropAllUsersFromDatabase(",
    );
    let fed = command.input();
    let texts = words.iter().chain([&fed]);
    let removes = |text: &&String| REMOVERS.are_in(text);
    let found: Vec<String> = texts.filter(removes).cloned().collect();
    harm_to("deletes database data", said(&found))
}
