/**
 * What somebody needs to check a run without its sounds and recognizers: what it was to ask, kept before it asked; what its
 * studies were told besides answers (each text or list stored once, by its hash); and what each sound was.
 */
export const evidence = `
CREATE TABLE run_plans (
  run INTEGER PRIMARY KEY REFERENCES runs (number) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  plan TEXT NOT NULL,
  frozen_at_ms INTEGER NOT NULL
);

CREATE TABLE materials (
  hash BLOB PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE run_materials (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (run, kind, name)
) WITHOUT ROWID;

CREATE TABLE run_sounds (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  utterance INTEGER NOT NULL,
  identity TEXT NOT NULL,
  PRIMARY KEY (run, utterance)
) WITHOUT ROWID;
`;
