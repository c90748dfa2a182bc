-- How plans came to be that were made for a goal, what each plugin came to that was tried, and what people
-- made of the plan. All of it stays here.
CREATE TABLE routes (
    request    INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,  -- grows; a number is never used again
    workspace  TEXT NOT NULL,                -- absolute path
    goal       TEXT NOT NULL,
    kind       TEXT NOT NULL,                -- of the request, such as `bug-fix`
    model      TEXT NOT NULL,                -- its name; empty where none was there to be asked
    plan       TEXT,                         -- absolute path; absent: it came to no plan
    revision   TEXT,                         -- what was written
    route_json TEXT NOT NULL CHECK (json_valid(route_json)),
    accepted   INTEGER CHECK (accepted IN (0, 1)),          -- absent: nobody said yet
    edited     REAL NOT NULL DEFAULT 0.0,    -- share of the steps that a person changed before, 0 to 1
    checks     INTEGER CHECK (checks IN (0, 1)),            -- how its first run ended; absent: none did
    at_ms      INTEGER NOT NULL
) STRICT;
CREATE INDEX routes_by_plan ON routes (plan, request);

-- One row for each plugin that was tried, in order.
CREATE TABLE route_outcomes (
    request INTEGER NOT NULL REFERENCES routes (request) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    plugin  TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('success', 'weak', 'failed')),
    is_used INTEGER NOT NULL CHECK (is_used IN (0, 1)),     -- the plan is its work
    ms      INTEGER NOT NULL CHECK (ms >= 0),
    calls   INTEGER NOT NULL CHECK (calls >= 0),
    tokens  INTEGER NOT NULL CHECK (tokens >= 0),
    faults  INTEGER NOT NULL CHECK (faults >= 0),           -- answers that could not be read
    PRIMARY KEY (request, seq)
) STRICT, WITHOUT ROWID;
