/** The first schema. Keys and hashes are 32-byte blobs; what is only carried, never searched, is JSON. */
export const first = `
CREATE TABLE runs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  purpose TEXT NOT NULL,
  config TEXT NOT NULL,
  seed INTEGER NOT NULL,
  fresh INTEGER NOT NULL,
  parent TEXT,
  recognizers TEXT NOT NULL,
  started_at_ms INTEGER NOT NULL,
  finished_at_ms INTEGER,
  findings TEXT,
  utterances_complete INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE run_utterances (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  speaker TEXT,
  utterance TEXT NOT NULL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE INDEX run_utterances_by_id ON run_utterances (run, id);

CREATE TABLE run_conditions (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  condition TEXT NOT NULL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE TABLE run_batches (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  batch INTEGER NOT NULL,
  study TEXT NOT NULL,
  size INTEGER NOT NULL DEFAULT 0,
  keys_hash TEXT,
  PRIMARY KEY (run, batch)
) WITHOUT ROWID;

CREATE TABLE run_trials (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  batch INTEGER NOT NULL,
  position INTEGER NOT NULL,
  key BLOB NOT NULL,
  utterance INTEGER NOT NULL,
  condition INTEGER NOT NULL,
  draw INTEGER NOT NULL,
  recognizer INTEGER,
  repeat INTEGER NOT NULL,
  twin INTEGER NOT NULL,
  observation INTEGER,
  reused INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, batch, position)
) WITHOUT ROWID;

CREATE TABLE attempts (
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  position INTEGER NOT NULL,
  key BLOB NOT NULL,
  sent_at_ms INTEGER NOT NULL,
  state TEXT NOT NULL,
  seconds REAL NOT NULL,
  price REAL,
  currency TEXT
);
CREATE INDEX attempts_by_run ON attempts (run, state);

CREATE TABLE observations (
  number INTEGER PRIMARY KEY,
  run INTEGER,
  key BLOB NOT NULL,
  utterance_id TEXT NOT NULL,
  speaker TEXT,
  transcript TEXT,
  extra TEXT,
  failure_kind TEXT,
  failure_message TEXT,
  sound_seconds REAL,
  seconds REAL NOT NULL,
  calls INTEGER NOT NULL
);
CREATE INDEX observations_by_key ON observations (key);
CREATE INDEX observations_by_speaker ON observations (speaker) WHERE speaker IS NOT NULL;

CREATE TABLE sounds (
  hash BLOB PRIMARY KEY,
  utterance_id TEXT NOT NULL,
  speaker TEXT
) WITHOUT ROWID;

CREATE TABLE clips (
  hash BLOB PRIMARY KEY,
  sound BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE measurements (
  clip BLOB PRIMARY KEY,
  measurement TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE files (
  path TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  changed_ns TEXT NOT NULL,
  hash TEXT NOT NULL
) WITHOUT ROWID;
`;
