-- Sessions: conversations about plans with a model. A session is a fold over its entries, which are
-- stored before they are acted on and are never changed.

CREATE TABLE sessions (
    id            TEXT NOT NULL PRIMARY KEY,
    workspace     TEXT NOT NULL,                -- absolute path
    plan          TEXT NOT NULL,                -- absolute path; the file need not be there yet
    goal          TEXT NOT NULL,                -- the words it began with; empty where there were none
    base_url      TEXT NOT NULL,                -- the endpoint asked last
    model         TEXT NOT NULL,
    mode          TEXT NOT NULL CHECK (mode IN ('plan', 'exec')),
    state         TEXT NOT NULL,                -- last told: `new`, `working`, or why the last turn ended
    input_tokens  INTEGER NOT NULL DEFAULT 0 CHECK (input_tokens >= 0),
    cached_tokens INTEGER NOT NULL DEFAULT 0 CHECK (cached_tokens >= 0),
    output_tokens INTEGER NOT NULL DEFAULT 0 CHECK (output_tokens >= 0),
    created_ms    INTEGER NOT NULL,
    updated_ms    INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_plan ON sessions (plan, updated_ms);

CREATE TABLE session_entries (
    session TEXT NOT NULL REFERENCES sessions (id),
    seq     INTEGER NOT NULL CHECK (seq >= 1),
    kind    TEXT NOT NULL,
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    at_ms   INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER session_entries_are_never_changed BEFORE UPDATE ON session_entries
BEGIN SELECT RAISE(ABORT, 'entries of sessions are append-only'); END;
CREATE TRIGGER session_entries_are_never_deleted BEFORE DELETE ON session_entries
BEGIN SELECT RAISE(ABORT, 'entries of sessions are append-only'); END;
CREATE TRIGGER sessions_are_never_deleted BEFORE DELETE ON sessions
BEGIN SELECT RAISE(ABORT, 'sessions are kept'); END;
