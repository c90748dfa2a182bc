-- The window: what a person is typing, saying and looking at. Nothing here is the truth about a plan.

-- Text that is being typed, so that a crash loses none of it.
CREATE TABLE drafts (
    plan     TEXT NOT NULL,                     -- absolute path of the file; of the workspace where it belongs to no plan
    key      TEXT NOT NULL,                     -- the field, such as `task/T2/title`
    text     TEXT NOT NULL,
    revision TEXT,                              -- the content it is typed over; absent: none
    at_ms    INTEGER NOT NULL,
    PRIMARY KEY (plan, key)
) STRICT;

-- Numbers are not given twice: a window may still show a comment that is gone.
CREATE TABLE comments (
    id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    plan        TEXT NOT NULL,
    revision    TEXT NOT NULL,                  -- the content that was on screen
    task        TEXT,                           -- absent: about the whole plan
    quote       TEXT,                           -- the words it is about
    text        TEXT NOT NULL,
    at_ms       INTEGER NOT NULL,
    sent_ms     INTEGER,                        -- absent: not sent
    resolved_ms INTEGER                         -- absent: open
) STRICT;
CREATE INDEX comments_by_plan ON comments (plan, id);

-- What a person last said of a plan as a whole, short of approving it.
CREATE TABLE plan_marks (
    plan     TEXT NOT NULL PRIMARY KEY,
    revision TEXT NOT NULL,
    mark     TEXT NOT NULL CHECK (mark IN ('changes_requested')),
    at_ms    INTEGER NOT NULL
) STRICT;

CREATE TABLE workspaces (
    path      TEXT NOT NULL PRIMARY KEY,
    opened_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE places (
    window TEXT NOT NULL PRIMARY KEY,
    body   TEXT NOT NULL,                       -- JSON
    at_ms  INTEGER NOT NULL
) STRICT;

-- The undone rows of a plan are always its newest ones. Undoing needs both contents.
CREATE TABLE plan_undo (
    seq         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    plan        TEXT NOT NULL,
    before_hash TEXT NOT NULL REFERENCES revisions (hash),
    after_hash  TEXT NOT NULL REFERENCES revisions (hash),
    label       TEXT NOT NULL,
    at_ms       INTEGER NOT NULL,
    undone      INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1))
) STRICT;
CREATE INDEX plan_undo_by_plan ON plan_undo (plan, undone, seq);
