-- Plans that the user has put away in the list of plans. The file itself isn't touched.
CREATE TABLE archived_plans (
    plan  TEXT NOT NULL PRIMARY KEY,            -- absolute path
    at_ms INTEGER NOT NULL
) STRICT;
