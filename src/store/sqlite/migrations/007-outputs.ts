/**
 * Files that were written of a run (reports, bundles, copies), so that they can be named when somebody is forgotten, and a
 * report that a kill prevented can be written by the next run; what a kill may leave to do; when a person of a run was
 * forgotten; and whether a run came from another store.
 */
export const outputs = `
CREATE TABLE run_outputs (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  written INTEGER NOT NULL,
  PRIMARY KEY (run, path)
) WITHOUT ROWID;

CREATE TABLE chores (
  chore TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (chore, detail)
) WITHOUT ROWID;

ALTER TABLE runs ADD COLUMN forgotten_at_ms INTEGER;
ALTER TABLE runs ADD COLUMN merged INTEGER NOT NULL DEFAULT 0;
`;
