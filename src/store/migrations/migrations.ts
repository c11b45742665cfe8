import type { Database } from '../database.ts';
import { covered, keyOf } from '../parts/checksums.ts';
import { partsOf } from '../parts/rows.ts';

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

/**
 * Quality of clips: one row for each clip and measure, so that a measure can be asked for after others. `measure` is the hash
 * of everything that decides a value. A question names the set of measures that it asks for.
 */
const quality = `
CREATE TABLE qualities (
  clip BLOB NOT NULL,
  measure BLOB NOT NULL,
  name TEXT NOT NULL,
  result TEXT NOT NULL,
  PRIMARY KEY (clip, measure)
) WITHOUT ROWID;

CREATE TABLE quality_sets (
  hash BLOB NOT NULL,
  measure BLOB NOT NULL,
  PRIMARY KEY (hash, measure)
) WITHOUT ROWID;

ALTER TABLE run_trials ADD COLUMN quality BLOB;
`;

/** How near in meaning two texts are, by the hash of both and of everything that decides the number. */
const similarities = `
CREATE TABLE similarities (
  key BLOB PRIMARY KEY,
  value REAL,
  reason TEXT
) WITHOUT ROWID;

ALTER TABLE run_trials ADD COLUMN similarity INTEGER NOT NULL DEFAULT 0;
`;

/**
 * Which texts are worth speaking, by the hash of everything that decides it, as 64-bit floats (little-endian) in the order of
 * the pool; and how long a run had been at work when it asked. `asks` says which of the two a question is about.
 */
const predictions = `
CREATE TABLE predictions (
  key BLOB PRIMARY KEY,
  determinable BLOB NOT NULL,
  failing BLOB NOT NULL,
  seconds REAL NOT NULL
);

CREATE TABLE elapsed (
  key BLOB PRIMARY KEY,
  seconds REAL NOT NULL
) WITHOUT ROWID;

ALTER TABLE run_trials ADD COLUMN asks TEXT;
`;

/**
 * What somebody needs to check a run without its sounds and recognizers: what it was to ask, kept before it asked; what its
 * studies were told besides answers (each text or list stored once, by its hash); and what each sound was.
 */
const evidence = `
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

/** Utterances that a study made while it ran stand behind those that were collected, and are not counted with them. */
const addMadeColumn = `
ALTER TABLE run_utterances ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
`;

/**
 * Files that were written of a run (reports, bundles, copies), so that they can be named when somebody is forgotten, and a
 * report that a kill prevented can be written by the next run; what a kill may leave to do; when a person of a run was
 * forgotten; and whether a run came from another store.
 */
const outputs = `
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

/** A checksum of every row, so that what a disk or a stranger changed is not taken for what was recognized. */
function checksums(database: Database): void {
  for (const [table, columns] of Object.entries(covered)) {
    database.exec(`ALTER TABLE ${table} ADD COLUMN checksum INTEGER`);
    for (const { condition, values } of partsOf(database, table, keyOf(table as keyof typeof covered))) {
      database
        .prepare(`UPDATE ${table} SET checksum = row_checksum(${columns.join(', ')}) WHERE ${condition}`)
        .run(...values);
    }
  }
}

/** What a run warned of, so that a report made later says it too. Null of runs before. */
const warnings = `
ALTER TABLE runs ADD COLUMN warnings TEXT;
`;

/** When a call is made again whose service asked for a wait, so that whoever looks on sees who waits. */
const waits = `
ALTER TABLE attempts ADD COLUMN again_at_ms INTEGER;
`;

/** One change of the schema: SQL, or what does it where one statement would be too much at once. */
type Migration = string | ((database: Database) => void);

/** Makes one change, inside a transaction of whoever asks. */
export function applyMigration(database: Database, migration: Migration): void {
  if (typeof migration === 'string') database.exec(migration);
  else migration(database);
}

/** Every change of the schema since the beginning, in order. A store's version is how many it has had. Never edited, only added to. */
export const migrations: readonly Migration[] = [
  first,
  quality,
  similarities,
  predictions,
  evidence,
  addMadeColumn,
  outputs,
  checksums,
  warnings,
  waits,
];
