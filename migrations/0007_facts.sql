-- What steps learned about a workspace: each thing once for a plan, with the file that it came from. The
-- hash tells later whether that file is still the same.
CREATE TABLE facts (
    id         INTEGER NOT NULL PRIMARY KEY,
    workspace  TEXT NOT NULL,               -- absolute path
    plan       TEXT NOT NULL,               -- absolute path
    text       TEXT NOT NULL,               -- one line
    task       TEXT,                        -- the step that learned it last
    path       TEXT,                        -- workspace path of the file; absent: not known
    hash       TEXT,                        -- SHA-256 of that file then
    learned_ms INTEGER NOT NULL,            -- when it was learned last
    UNIQUE (plan, text)
) STRICT;
CREATE INDEX facts_by_time ON facts (plan, learned_ms);
CREATE INDEX facts_by_workspace ON facts (workspace, learned_ms);
