import { EarwitnessError } from '../base/errors.ts';

/** The number of this schema, which every store has. Raised with every change: a store of another number is refused. */
export const schemaVersion = 10;

/**
 * The tables of a store. Keys and hashes are 32-byte blobs; what is only carried, never searched, is JSON. Every row that `covered` names has a
 * checksum, so that what a disk or a stranger changed is not taken for what was recognized.
 */
export const schema = `
-- What it was warned of, so that a report made later says it too; when a person of it was forgotten; whether it came from another store.
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
  utterances_complete INTEGER NOT NULL DEFAULT 0,
  forgotten_at_ms INTEGER,
  merged INTEGER NOT NULL DEFAULT 0,
  checksum INTEGER,
  warnings TEXT
);

-- Utterances that a study made while it ran stand behind those that were collected, and are not counted with them.
CREATE TABLE run_utterances (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  speaker TEXT,
  utterance TEXT NOT NULL,
  made INTEGER NOT NULL DEFAULT 0,
  checksum INTEGER,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE INDEX run_utterances_by_id ON run_utterances (run, id);

CREATE TABLE run_conditions (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  condition TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE TABLE run_batches (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  batch INTEGER NOT NULL,
  study TEXT NOT NULL,
  size INTEGER NOT NULL DEFAULT 0,
  keys_hash TEXT,
  checksum INTEGER,
  PRIMARY KEY (run, batch)
) WITHOUT ROWID;

-- Which set of measures is asked for; whether it is a similarity; what else a question is about than a sound.
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
  quality BLOB,
  similarity INTEGER NOT NULL DEFAULT 0,
  asks TEXT,
  checksum INTEGER,
  PRIMARY KEY (run, batch, position)
) WITHOUT ROWID;

-- When a call is made again whose service asked for a wait, so that whoever looks on sees who waits.
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
  currency TEXT,
  checksum INTEGER,
  again_at_ms INTEGER
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
  calls INTEGER NOT NULL,
  checksum INTEGER
);
CREATE INDEX observations_by_key ON observations (key);
CREATE INDEX observations_by_speaker ON observations (speaker) WHERE speaker IS NOT NULL;

CREATE TABLE sounds (
  hash BLOB PRIMARY KEY,
  utterance_id TEXT NOT NULL,
  speaker TEXT,
  checksum INTEGER
) WITHOUT ROWID;

CREATE TABLE clips (
  hash BLOB PRIMARY KEY,
  sound BLOB NOT NULL,
  checksum INTEGER
) WITHOUT ROWID;

CREATE TABLE measurements (
  clip BLOB PRIMARY KEY,
  measurement TEXT NOT NULL,
  checksum INTEGER
) WITHOUT ROWID;

CREATE TABLE files (
  path TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  changed_ns TEXT NOT NULL,
  hash TEXT NOT NULL,
  checksum INTEGER
) WITHOUT ROWID;

-- One row for each clip and measure, so that a measure can be asked for after others; measure: the hash of everything that decides a value.
CREATE TABLE qualities (
  clip BLOB NOT NULL,
  measure BLOB NOT NULL,
  name TEXT NOT NULL,
  result TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (clip, measure)
) WITHOUT ROWID;

CREATE TABLE quality_sets (
  hash BLOB NOT NULL,
  measure BLOB NOT NULL,
  PRIMARY KEY (hash, measure)
) WITHOUT ROWID;

-- How near in meaning two texts are, by the hash of both and of everything that decides the number.
CREATE TABLE similarities (
  key BLOB PRIMARY KEY,
  value REAL,
  reason TEXT,
  checksum INTEGER
) WITHOUT ROWID;

-- Which texts are worth speaking, by the hash of everything that decides it, as 64-bit floats (little-endian) in the order of the pool.
CREATE TABLE predictions (
  key BLOB PRIMARY KEY,
  determinable BLOB NOT NULL,
  failing BLOB NOT NULL,
  seconds REAL NOT NULL,
  checksum INTEGER
);

-- How long a run had been at work when it asked.
CREATE TABLE elapsed (
  key BLOB PRIMARY KEY,
  seconds REAL NOT NULL,
  checksum INTEGER
) WITHOUT ROWID;

-- What somebody needs to check a run without its sounds and recognizers: what it was to ask, kept before it asked; what its studies were told
-- besides answers (each text or list stored once, by its hash); and what each sound was.
CREATE TABLE run_plans (
  run INTEGER PRIMARY KEY REFERENCES runs (number) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  plan TEXT NOT NULL,
  frozen_at_ms INTEGER NOT NULL,
  checksum INTEGER
);

CREATE TABLE materials (
  hash BLOB PRIMARY KEY,
  value TEXT NOT NULL,
  checksum INTEGER
);

CREATE TABLE run_materials (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  hash BLOB NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (run, kind, name)
) WITHOUT ROWID;

CREATE TABLE run_sounds (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  utterance INTEGER NOT NULL,
  identity TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (run, utterance)
) WITHOUT ROWID;

-- Files that were written of a run (reports, bundles, copies), so that they can be named when somebody is forgotten, and a report that a kill
-- prevented can be written by the next run.
CREATE TABLE run_outputs (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  written INTEGER NOT NULL,
  PRIMARY KEY (run, path)
) WITHOUT ROWID;

-- What a kill may leave to do.
CREATE TABLE chores (
  chore TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (chore, detail)
) WITHOUT ROWID;
`;

/**
 * No release had another schema than this one.
 *
 * @param shown the place of the store, as sentences name it
 * @throws EarwitnessError `store` where a store has another
 */
export function refuseOtherVersion(version: number, shown: string): void {
  if (version === schemaVersion) return;
  const madeBy =
    version > schemaVersion
      ? 'by a newer earwitness; update earwitness (npm install earwitness@latest) or'
      : 'before the first release;';
  throw new EarwitnessError(
    'store',
    version === 0
      ? `${shown}: expected a store, but it is empty; \`earwitness run\` fills it`
      : `${shown}: expected a store of version ${schemaVersion}, but it is of version ${version}, made ${madeBy} use another \`store\``,
  );
}
