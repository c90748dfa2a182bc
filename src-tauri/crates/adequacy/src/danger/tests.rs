//! Tests of destructive sentences, and of sentences that only look destructive.

use super::*;

#[track_caller]
fn all(texts: &[&str]) {
    let missed: Vec<&&str> = texts
        .iter()
        .filter(|text| destructive_phrase(text).is_none())
        .collect();
    assert!(missed.is_empty(), "not seen: {missed:#?}");
}

#[track_caller]
fn none(texts: &[&str]) {
    let alarms: Vec<_> = texts
        .iter()
        .filter_map(|text| Some((text, destructive_phrase(text)?)))
        .collect();
    assert!(alarms.is_empty(), "seen in vain: {alarms:#?}");
}

#[test]
fn destructive_commands_and_phrases_are_detected() {
    all(&[
        "rm -rf build/cache",
        "Run `rm -fr ./out` first",
        "sudo rm -r -f /srv/data",
        "Delete all rows older than a year",
        "Drop database staging",
        "Drop the old_users table",
        "TRUNCATE TABLE events",
        "TRUNCATE events",
        "Truncate the events table",
        "Force push the branch",
        "git push origin main --force",
        "git push -f",
        "git push origin +main",
        "Push the branch with force",
        "chmod 777 uploads",
        "chmod -R 777 uploads",
        "format C: and start over",
        "mkfs.ext4 /dev/sdb1",
        "dd if=/dev/zero of=/dev/sda",
        "git reset --hard origin/main",
        "git clean -xfd",
        "Rewrite the git history without the key",
        "Remove the leaked key from the git history",
        "The history of the repository should be rewritten without the key",
        "Run git filter-repo on the mirror",
        "terraform destroy",
        "Run `terraform apply -destroy` for the old region",
        "kubectl delete ns shop",
        "kubectl -n shop delete pvc data",
        "docker system prune -a",
        "docker compose down -v",
        "aws s3 rm s3://shop --recursive",
        "DELETE FROM users",
        "ALTER TABLE orders DROP COLUMN note",
        "Drop the column `note` of orders",
        "helm uninstall shop",
        "npm unpublish shop-core",
        "Disable the nightly backups",
        "The backups should be turned off during the move",
        "Overwrite the only copy of the recordings",
        "Revoke all API keys",
        "All tokens of the partners must be revoked: the tokens must be revoked at noon",
        "Charge every customer once more",
        "Start from an empty bucket",
        "Begin again with a clean database",
        "Get rid of the old rows",
        "Tear down the production cluster",
    ]);
}

#[test]
fn data_loss_in_plain_english_is_detected() {
    all(&[
        "Wipe the old production database",
        "Empty the live bucket",
        "Purge old customer records",
        "Delete inactive accounts",
        "Remove old rows",
        "Erase the disk of the build host",
        "Deletion of all customer records",
        "Wiping the volume takes an hour",
        "Clear the production tables before the import",
        "Reset the database",
        "Delete the staging bucket",
        "Overwrite the production data with the dump",
        "Ask for confirmation and delete all drafts",
    ]);
}

#[test]
fn passive_and_indirect_data_loss_is_detected() {
    all(&[
        "The production database's storage should be cleared before the import",
        "The staging volumes have to be erased after the copy",
        "All customer records must then be deleted",
        "Old rows can go",
        "The old rows can go once the copy is there",
        "Everything older: the expired records may be thrown away",
        "The bucket needs emptying",
        "The backups of last year can be removed",
        "The disk has to be reformatted",
        "The live database must be empty before the import",
        "Once the import is done, the legacy tables can be dropped",
        "Customer data is to be purged",
    ]);
}

#[test]
fn data_loss_in_other_languages_is_detected() {
    all(&[
        "Die Produktionsdatenbank leeren",
        "Lösche alle Kundendaten",
        "Der Speicher der Datenbank soll geleert werden",
        "Alte Datensätze können weg",
        "Supprimer la base de données de production",
        "Les données doivent être effacées",
        "Vider le stockage",
        "Borrar todos los registros",
        "La base de datos de producción debe vaciarse: vaciar la base de datos",
        "Apagar os dados dos clientes",
        "Svuotare il database di produzione",
        "Удалить все данные клиентов",
        "Очистить базу данных",
        "清空生产数据库",
        "生产数据库应被清空",
        "本番データベースを削除する",
        "すべてのデータを消去する",
        "운영 데이터베이스를 삭제한다",
    ]);
}

#[test]
fn similar_phrases_are_not_destructive() {
    none(&[
        "Truncate long titles in the list",
        "Truncate `title` to 80 characters",
        "Build the settings form -rf",
        "Delete allowed hosts from the example",
        "Remove the database dependency from the parser",
        "Remove database calls from the view",
        "Show a hint when the cache is cleared",
        "Add a format check: none",
        "Format the code",
        "Draw the drop-down menu",
        "Style the delete button in the UI",
        "Clear the form",
        "Clear the form after the records were saved",
        "Remove the table component",
        "Empty table state: show a hint",
        "Delete all unused imports",
        "Drop the table component from the page",
        "Clear local storage on sign-out",
        "Reset the filter of the table",
        "Rewrite the history page",
        "Drop the oldest entries beyond 500 steps",
        "Evict thumbnails so that memory stays below 200 MB",
        "Users can go to the settings page",
        "All records can go through the validator",
        "Update the snapshot tests",
        "Create the session table migration",
        "Remove the Redis client and its configuration",
        "Reset the test database between runs",
        "Clear the search cache",
        "The table should be cleared when the filter of the page changes",
        "Remove users from the list view",
        "Force a redraw and push the button",
        "Refund flow: show the state of a refund",
        "Knopf zum Löschen der Daten in der Oberfläche",
        "Bouton supprimer les données",
        "添加删除数据的按钮",
        "データ削除ボタンを追加する",
    ]);
}

#[test]
fn mentioning_building_or_forbidding_it_is_not_destructive() {
    none(&[
        "Describe why force push is forbidden",
        "Document the danger of rm -rf in the guide",
        "Push the tag, never force push",
        "Merge instead of a force push",
        "The database must never be dropped",
        "Add a delete-all endpoint",
        "Add a delete all endpoint",
        "Implement a command that deletes old records",
        "Test that `git push --force` is refused",
        "Support TRUNCATE TABLE in the SQL parser",
        "Show the delete all button to owners only",
        "terraform destroy --dry-run",
        "DELETE /api/rows/:id archives all old rows",
        "Replace `rm -rf build` in the Makefile with `cargo clean`",
        "Replace the call to `cargo clean` with `rm -rf build`",
        "Change the text \"rm -rf /tmp/x\" in the guide to \"trash /tmp/x\"",
        "Remove the `rm -rf` line from the script",
        "The shell tool must refuse `rm -rf /`",
        "The dialog shows a warning that says \"rm -rf deletes it\"",
        "Dokumentiere, warum niemand die Datenbank löschen darf",
    ]);
}

#[test]
fn mentioning_a_destructive_action_does_not_excuse_another() {
    all(&[
        "Document the layout and rm -rf the old folder",
        "If the tests do not pass, force push the old tag",
        "Warn the team, then drop database legacy",
        "Remove the old build (`rm -rf build`)",
        "Delete the output with `rm -rf out`",
        "Update the branch with `git push --force`",
        "Replace `a.txt` with `b.txt`, then run `rm -rf c`",
        "Write a script that deletes all old rows and run it",
        "Add a migration that will drop the column note",
        "Confirm with the owner that we drop database legacy",
        "Delete all rows after a backup, with a rollback ready",
    ]);
}

#[test]
fn command_arguments_are_not_names_of_parts() {
    for text in [
        "Run `rm -rf tests docs`",
        "`rm -rf tests/test_termui.py docs/prompts.rst` so that nothing can fail",
        "`rm -r -f src/components` before the build",
    ] {
        assert!(destructive_phrase(text).is_some(), "{text}");
    }
    for text in [
        "Document the `rm -rf` button",
        "Explain the `rm -rf build` command",
    ] {
        assert_eq!(destructive_phrase(text), None, "{text}");
    }
}
