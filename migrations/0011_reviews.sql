-- Reviews that other agents ask for: each row is one revision of a plan that an agent wants decided. The
-- person decides in the window; whoever asked reads the decision here.
CREATE TABLE reviews (
    id                TEXT NOT NULL PRIMARY KEY,
    plan              TEXT NOT NULL,                -- absolute path
    workspace         TEXT NOT NULL,                -- absolute path
    revision          TEXT NOT NULL,                -- SHA-256 of the content that the agent proposed
    agent             TEXT NOT NULL,                -- its name on screen
    agent_session     TEXT NOT NULL,                -- the agent's ID of its conversation; empty if it has none
    state             TEXT NOT NULL DEFAULT 'waiting'
                      CHECK (state IN ('waiting', 'approved', 'changes_requested', 'withdrawn')),
    approved_revision TEXT,                         -- SHA-256, if approved; with notes or edits, not `revision`
    message           TEXT,                         -- the requested changes, or why it was withdrawn
    pid               INTEGER,                      -- the process that waits; NULL if the agent asks again by itself
    process_start     INTEGER,
    boot_id           TEXT,
    host              TEXT,
    asked_ms          INTEGER NOT NULL,
    decided_ms        INTEGER,
    CHECK ((state = 'waiting') = (decided_ms IS NULL)),
    CHECK ((state = 'approved') = (approved_revision IS NOT NULL))
) STRICT;
CREATE INDEX reviews_by_plan ON reviews (plan, asked_ms);
CREATE INDEX reviews_by_agent ON reviews (agent, agent_session, asked_ms);
-- A decision is final: nothing turns a request for changes into an approval.
CREATE TRIGGER decided_reviews_keep_their_decision BEFORE UPDATE OF state, revision, approved_revision, message ON reviews
WHEN OLD.state <> 'waiting'
BEGIN SELECT RAISE(ABORT, 'this review is decided'); END;
CREATE TRIGGER reviews_are_never_deleted BEFORE DELETE ON reviews
BEGIN SELECT RAISE(ABORT, 'reviews are kept'); END;
