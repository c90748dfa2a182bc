-- History: contents packed as changes, plans that moved, conflicts that wait, comments that replace.

-- A content may be packed as a change of another one, its base; then reading it takes the base first.
-- `place` counts from the last content that stands alone, and says which earlier one can be a base.
ALTER TABLE revisions ADD COLUMN base TEXT REFERENCES revisions (hash);
ALTER TABLE revisions ADD COLUMN place INTEGER NOT NULL DEFAULT 0 CHECK (place >= 0);

-- A plan file that lies elsewhere since. What is only ever added to keeps the earlier path; up to which
-- row it belongs to the plan that moved is said here, for another plan may come to lie there.
CREATE TABLE plan_moves (
    seq           INTEGER NOT NULL PRIMARY KEY,
    from_plan     TEXT NOT NULL,                -- absolute path
    to_plan       TEXT NOT NULL,
    event_seq     INTEGER NOT NULL,             -- the newest row of `revision_events` then
    approval_seq  INTEGER NOT NULL,             -- the newest row of `approvals` then
    at_ms         INTEGER NOT NULL
) STRICT;
CREATE INDEX plan_moves_from ON plan_moves (from_plan, event_seq);
CREATE INDEX plan_moves_to ON plan_moves (to_plan, event_seq);
CREATE TRIGGER plan_moves_are_never_changed BEFORE UPDATE ON plan_moves
BEGIN SELECT RAISE(ABORT, 'moves of plans are append-only'); END;
CREATE TRIGGER plan_moves_are_never_deleted BEFORE DELETE ON plan_moves
BEGIN SELECT RAISE(ABORT, 'moves of plans are append-only'); END;

-- Lines that two sides changed in different ways. The file holds the other program's.
CREATE TABLE plan_conflicts (
    id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    plan        TEXT NOT NULL,
    task        TEXT,                           -- absent: outside of tasks
    title       TEXT NOT NULL,                  -- of the task, or of the section
    base        TEXT NOT NULL,
    ours        TEXT NOT NULL,
    theirs      TEXT NOT NULL,
    revision    TEXT NOT NULL,                  -- the content that the merge came to
    place       INTEGER NOT NULL CHECK (place >= 0), -- where their lines begin in it, in bytes
    at_ms       INTEGER NOT NULL,
    resolved_ms INTEGER,                        -- absent: it waits for the person
    choice      TEXT CHECK (choice IN ('mine', 'theirs', 'both')),
    CHECK ((resolved_ms IS NULL) = (choice IS NULL))
) STRICT;
CREATE INDEX plan_conflicts_by_plan ON plan_conflicts (plan, id);

ALTER TABLE comments ADD COLUMN kind TEXT NOT NULL DEFAULT 'comment'
    CHECK (kind IN ('comment', 'replace'));
ALTER TABLE comments ADD COLUMN before TEXT;    -- the words before the quote, to tell it from others
