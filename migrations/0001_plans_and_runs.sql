-- Plans: every content ever seen, and who brought it. The plan file itself stays the truth.

-- A content is kept once, however often it comes back (undo, redo, a branch switched to and fro).
CREATE TABLE revisions (
    hash    TEXT NOT NULL PRIMARY KEY CHECK (length(hash) = 64),
    size    INTEGER NOT NULL CHECK (size >= 0),
    content BLOB NOT NULL                       -- zstd
) STRICT;

-- One row for each time a plan file took a content; the newest row of a plan is what it holds now.
CREATE TABLE revision_events (
    seq    INTEGER NOT NULL PRIMARY KEY,
    plan   TEXT NOT NULL,                       -- absolute path of the file
    hash   TEXT NOT NULL REFERENCES revisions (hash),
    parent TEXT,                                -- the content it was made from, where known
    author TEXT NOT NULL CHECK (author IN ('person', 'model', 'app', 'outside')),
    reason TEXT NOT NULL,
    at_ms  INTEGER NOT NULL
) STRICT;
CREATE INDEX revision_events_by_plan ON revision_events (plan, seq);
CREATE INDEX revision_events_by_hash ON revision_events (plan, hash);

-- The content of an approved revision is always at hand: an approval names bytes.
CREATE TABLE approvals (
    seq      INTEGER NOT NULL PRIMARY KEY,
    plan     TEXT NOT NULL,
    revision TEXT NOT NULL REFERENCES revisions (hash),
    run      TEXT,                              -- absent: approved without running
    actor    TEXT NOT NULL,
    policy   TEXT NOT NULL,
    upto     TEXT,                              -- the last step approved; absent: all of them
    reason   TEXT,
    at_ms    INTEGER NOT NULL
) STRICT;
CREATE INDEX approvals_by_plan ON approvals (plan, seq);

CREATE TABLE runs (
    id         TEXT NOT NULL PRIMARY KEY,
    plan       TEXT NOT NULL,
    workspace  TEXT NOT NULL,
    revision   TEXT NOT NULL REFERENCES revisions (hash),
    policy     TEXT NOT NULL,
    state      TEXT NOT NULL,
    title      TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_plan ON runs (plan, created_ms);

-- Without rowid the entries of a run lie side by side, and one append touches one page.
CREATE TABLE journal (
    run     TEXT NOT NULL REFERENCES runs (id),
    seq     INTEGER NOT NULL CHECK (seq >= 1),
    kind    TEXT NOT NULL,
    payload TEXT NOT NULL,                      -- JSON
    at_ms   INTEGER NOT NULL,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

-- One runner per plan: the key is the plan.
CREATE TABLE leases (
    plan          TEXT NOT NULL PRIMARY KEY,
    run           TEXT NOT NULL,
    pid           INTEGER NOT NULL,
    process_start INTEGER NOT NULL,             -- ticks since boot
    boot_id       TEXT NOT NULL,
    host          TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The user's "always here" answers.
CREATE TABLE permissions (
    id         INTEGER NOT NULL PRIMARY KEY,
    workspace  TEXT NOT NULL,
    tool       TEXT NOT NULL,
    match_kind TEXT NOT NULL CHECK (match_kind IN ('exact', 'prefix')),
    text       TEXT NOT NULL,
    answer     TEXT NOT NULL,
    at_ms      INTEGER NOT NULL,
    UNIQUE (workspace, tool, match_kind, text)
) STRICT;

-- What the workspace looked like around one step; the blobs it speaks of lie beside the database.
CREATE TABLE snapshots (
    run   TEXT NOT NULL REFERENCES runs (id),
    task  TEXT NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('before', 'after')),
    size  INTEGER NOT NULL CHECK (size >= 0),
    body  BLOB NOT NULL,                        -- JSON, zstd
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (run, task, phase)
) STRICT;

-- What happened stays written: a mistake in the program must not be able to rewrite it.
CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_is_never_deleted BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER approvals_are_never_changed BEFORE UPDATE ON approvals
BEGIN SELECT RAISE(ABORT, 'approvals are append-only'); END;
CREATE TRIGGER approvals_are_never_deleted BEFORE DELETE ON approvals
BEGIN SELECT RAISE(ABORT, 'approvals are append-only'); END;
CREATE TRIGGER revisions_are_never_changed BEFORE UPDATE ON revisions
BEGIN SELECT RAISE(ABORT, 'revisions are append-only'); END;
CREATE TRIGGER revisions_are_never_deleted BEFORE DELETE ON revisions
BEGIN SELECT RAISE(ABORT, 'revisions are append-only'); END;
CREATE TRIGGER revision_events_are_never_changed BEFORE UPDATE ON revision_events
BEGIN SELECT RAISE(ABORT, 'revisions are append-only'); END;
CREATE TRIGGER revision_events_are_never_deleted BEFORE DELETE ON revision_events
BEGIN SELECT RAISE(ABORT, 'revisions are append-only'); END;
