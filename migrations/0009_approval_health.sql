-- How long what was approved had been on screen, so that people can see whether they still read; absent where it was
-- not seen in the window.
ALTER TABLE approvals ADD COLUMN shown_ms INTEGER CHECK (shown_ms IS NULL OR shown_ms >= 0);
