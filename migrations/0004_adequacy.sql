-- Adequacy: how plans were made and grown, how they were judged, what people did about it. All of it
-- stays here; nothing of it is sent anywhere. The first four tables have the names and columns that
-- dashboards of the same kind ask for; `plan` is ours.

-- One row for each time that a plan was written for a goal, or grown by the bounded loop.
CREATE TABLE plan_sessions (
    plan_session_id              TEXT NOT NULL PRIMARY KEY,
    plan                         TEXT NOT NULL, -- absolute path of the file
    origin_session_id            TEXT,
    goal_text                    TEXT NOT NULL,
    strategy                     TEXT NOT NULL, -- how the plan came to be: a route, or `expansion`
    current_version              INTEGER NOT NULL DEFAULT 1,
    status                       TEXT NOT NULL DEFAULT 'pending',
    question_session_id          TEXT,
    iterative_loop_round         INTEGER NOT NULL DEFAULT 0,
    iterative_stop_reason        TEXT,
    iterative_loop_metadata_json TEXT CHECK (json_valid(iterative_loop_metadata_json)),
    created_at                   TEXT NOT NULL, -- `2026-11-22 00:20:07.250`, UTC
    updated_at                   TEXT NOT NULL
) STRICT;
CREATE INDEX plan_sessions_by_status ON plan_sessions (status);
CREATE INDEX plan_sessions_by_plan ON plan_sessions (plan, created_at);

CREATE TABLE plan_versions (
    plan_session_id      TEXT NOT NULL REFERENCES plan_sessions (plan_session_id),
    version              INTEGER NOT NULL CHECK (version >= 1),
    parent_version       INTEGER,
    trigger_event        TEXT NOT NULL,         -- `initial` or `replan`
    trigger_payload_json TEXT CHECK (json_valid(trigger_payload_json)),
    quality_score        REAL NOT NULL DEFAULT 0.0,
    reviewer_verdict     TEXT NOT NULL DEFAULT 'pending',
    created_at           TEXT NOT NULL,
    PRIMARY KEY (plan_session_id, version)
) STRICT;

CREATE TABLE plan_nodes (
    plan_session_id       TEXT NOT NULL,
    version               INTEGER NOT NULL,
    node_id               TEXT NOT NULL,
    description           TEXT NOT NULL,
    dependencies_json     TEXT NOT NULL CHECK (json_valid(dependencies_json)),
    execution_policy_json TEXT NOT NULL CHECK (json_valid(execution_policy_json)),
    status                TEXT NOT NULL,
    workflow_invocation   TEXT,
    PRIMARY KEY (plan_session_id, version, node_id),
    FOREIGN KEY (plan_session_id, version) REFERENCES plan_versions (plan_session_id, version)
) STRICT;

-- What happened to plans, for those who look back: `plan_session_created` and the like.
CREATE TABLE plan_events (
    seq             INTEGER NOT NULL PRIMARY KEY,
    plan            TEXT NOT NULL,
    plan_session_id TEXT,
    kind            TEXT NOT NULL,
    payload_json    TEXT NOT NULL CHECK (json_valid(payload_json)),
    at_ms           INTEGER NOT NULL
) STRICT;
CREATE INDEX plan_events_by_kind ON plan_events (kind, seq);

-- How each revision was judged: first with what was known then, later with more.
CREATE TABLE plan_adequacy (
    plan        TEXT NOT NULL,
    revision    TEXT NOT NULL,
    at_ms       INTEGER NOT NULL,               -- when it was first judged
    author      TEXT NOT NULL,
    score       REAL NOT NULL,
    risk        REAL NOT NULL,
    badge       TEXT NOT NULL,
    is_too_thin INTEGER NOT NULL CHECK (is_too_thin IN (0, 1)),
    tasks       INTEGER NOT NULL,
    codes_json  TEXT NOT NULL CHECK (json_valid(codes_json)), -- open findings: {code: count}
    PRIMARY KEY (plan, revision)
) STRICT;
CREATE INDEX plan_adequacy_by_time ON plan_adequacy (at_ms);

-- What a person did about a finding.
CREATE TABLE finding_actions (
    seq      INTEGER NOT NULL PRIMARY KEY,
    plan     TEXT NOT NULL,
    revision TEXT NOT NULL,                     -- the content that it was found in
    finding  TEXT NOT NULL,                     -- its id; the code where it is about the verdict
    code     TEXT NOT NULL,
    task     TEXT,
    action   TEXT NOT NULL CHECK (action IN ('fixed', 'muted', 'unmuted', 'overridden')),
    reason   TEXT,
    at_ms    INTEGER NOT NULL
) STRICT;
CREATE INDEX finding_actions_by_plan ON finding_actions (plan, seq);

-- Questions about plans. At most one of all is open at a time.
CREATE TABLE plan_questions (
    id             TEXT NOT NULL PRIMARY KEY,
    plan           TEXT NOT NULL,
    revision       TEXT NOT NULL,               -- the content that it was asked about
    body_json      TEXT NOT NULL CHECK (json_valid(body_json)),
    since_ms       INTEGER NOT NULL,
    settled_ms     INTEGER,                     -- absent: it is open
    choice         INTEGER,                     -- absent: open, or withdrawn
    CHECK (settled_ms IS NOT NULL OR choice IS NULL)
) STRICT;
CREATE UNIQUE INDEX plan_questions_one_is_open ON plan_questions ((settled_ms IS NULL)) WHERE settled_ms IS NULL;

-- The files that a plan names, as they were when the plan was first seen.
CREATE TABLE plan_bases (
    plan  TEXT NOT NULL,
    path  TEXT NOT NULL,                        -- relative to the workspace
    hash  TEXT,                                 -- SHA-256; absent: it was not there
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (plan, path)
) STRICT, WITHOUT ROWID;
