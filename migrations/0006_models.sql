-- What is known of each model that was asked: what a probe showed, what use showed, what the user says
-- of it. The same model behind another address, or with another template, is another row. No key of an
-- endpoint stands here.
CREATE TABLE model_profiles (
    key           TEXT NOT NULL PRIMARY KEY,   -- address, model and template in one
    base_url      TEXT NOT NULL,               -- as the key has it: lower case, without a slash at the end
    model         TEXT NOT NULL,
    template      TEXT NOT NULL,               -- a short hash; empty where the server tells none
    window_json   TEXT CHECK (json_valid(window_json)),   -- what the server gives it; absent: not told
    probe_json    TEXT CHECK (json_valid(probe_json)),    -- absent: not probed
    counters_json TEXT CHECK (json_valid(counters_json)), -- absent: nothing noted
    dialect_json  TEXT CHECK (json_valid(dialect_json)),  -- what the server was seen to refuse
    overrule_json TEXT CHECK (json_valid(overrule_json)), -- the user's own values
    probed_ms     INTEGER,                     -- when it was probed last
    at_ms         INTEGER NOT NULL             -- when anything of it was written last
) STRICT, WITHOUT ROWID;
CREATE INDEX model_profiles_by_model ON model_profiles (base_url, model, at_ms);
