/** What there is of people, each kind. */
export const personalKinds = [
  'voice',
  'hash of a voice',
  'answer',
  'attribute',
  'name',
  'invitation',
  'transcript',
] as const;
export type PersonalKind = (typeof personalKinds)[number];

/** Who keeps it: a collection (`collect`), a session of people who listen (`transcribe`, `rate`, `judge`), or a store of runs with what lies beside it. */
export type PersonalHolder = 'collection' | 'session' | 'store';

/** One place where something of people is kept. */
export interface PersonalPlace {
  readonly of: PersonalHolder;
  readonly kinds: readonly PersonalKind[];
  /** Files below the folder, as a reader finds them. */
  readonly files?: string;
  readonly table?: string;
  /** All columns that may hold something of people. */
  readonly columns?: readonly string[];
  /** What is done where somebody withdraws (of a collection) or is forgotten (of a store). */
  readonly afterwards: 'removed' | 'without them' | 'stays';
  /** Of rows that are removed: which stay, as a condition of SQL. */
  readonly but?: string;
  /** What stays and why, for readers. */
  readonly note?: string;
}

/**
 * All places where something of people is kept. `collect --withdraw` and the page for withdrawing empty the places of a collection by this list,
 * `forget` those of a store; a test holds it against the tables that there are.
 */
export const personalPlaces: readonly PersonalPlace[] = [
  { of: 'collection', kinds: ['voice'], files: 'clips/CODE/*.wav, parts/CODE-*', afterwards: 'removed' },
  {
    of: 'collection',
    kinds: ['transcript', 'hash of a voice'],
    files: 'clips/CODE/*.json',
    afterwards: 'removed',
  },
  { of: 'collection', kinds: ['attribute', 'answer'], files: 'speakers/CODE.json', afterwards: 'removed' },
  {
    of: 'collection',
    kinds: ['attribute', 'transcript', 'hash of a voice'],
    files: 'utterances.tsv, card.md',
    afterwards: 'without them',
    note: 'written anew before the withdrawal is acknowledged',
  },
  {
    of: 'collection',
    kinds: ['answer', 'hash of a voice'],
    table: 'answer',
    columns: ['task', 'question', 'value'],
    afterwards: 'removed',
    but: "question = 'withdrawn'",
    note: 'that and when somebody withdrew stays',
  },
  {
    of: 'collection',
    kinds: ['answer', 'hash of a voice'],
    table: 'log',
    columns: ['at', 'what', 'task', 'question', 'value'],
    afterwards: 'removed',
    but: "question IS 'withdrawn' OR what IN ('invited', 'revoked')",
    note: 'that somebody took part, and when they withdrew, stays',
  },
  {
    of: 'collection',
    kinds: ['name', 'invitation'],
    table: 'person',
    columns: ['name', 'links', 'revoked'],
    afterwards: 'stays',
    note: 'so that their link says that they have withdrawn',
  },
  {
    of: 'collection',
    kinds: ['invitation', 'name'],
    table: 'remembered',
    columns: ['value'],
    afterwards: 'stays',
    note: 'the secret that links and codes follow from, and who reads dialogues with whom',
  },
  {
    of: 'session',
    kinds: ['answer', 'transcript', 'name'],
    files: 'people.csv, ratings.csv, the table of cases',
    afterwards: 'stays',
    note: 'under the name that was given: give pseudonyms',
  },
  { of: 'session', kinds: ['voice'], files: 'people-clips/*.wav', afterwards: 'stays', note: 'of those who are heard' },
  {
    of: 'session',
    kinds: ['answer', 'name', 'invitation'],
    files: 'people-people.sqlite',
    afterwards: 'stays',
    note: 'the tables person, answer, log and remembered',
  },
  {
    of: 'store',
    kinds: ['hash of a voice', 'name'],
    table: 'sounds',
    columns: ['hash', 'utterance_id', 'speaker'],
    afterwards: 'removed',
  },
  { of: 'store', kinds: ['hash of a voice'], table: 'clips', columns: ['hash', 'sound'], afterwards: 'removed' },
  {
    of: 'store',
    kinds: ['hash of a voice'],
    table: 'measurements',
    columns: ['clip', 'measurement'],
    afterwards: 'removed',
  },
  { of: 'store', kinds: ['hash of a voice'], table: 'qualities', columns: ['clip', 'result'], afterwards: 'removed' },
  { of: 'store', kinds: ['hash of a voice', 'name'], table: 'files', columns: ['path', 'hash'], afterwards: 'removed' },
  {
    of: 'store',
    kinds: ['hash of a voice', 'name'],
    table: 'run_sounds',
    columns: ['identity'],
    afterwards: 'removed',
  },
  {
    of: 'store',
    kinds: ['transcript', 'name'],
    table: 'observations',
    columns: ['key', 'utterance_id', 'speaker', 'transcript', 'extra', 'failure_message'],
    afterwards: 'removed',
  },
  { of: 'store', kinds: ['hash of a voice'], table: 'attempts', columns: ['key'], afterwards: 'removed' },
  { of: 'store', kinds: ['hash of a voice'], table: 'run_trials', columns: ['key'], afterwards: 'removed' },
  {
    of: 'store',
    kinds: ['transcript'],
    table: 'similarities',
    columns: ['key', 'value', 'reason'],
    afterwards: 'removed',
  },
  {
    of: 'store',
    kinds: ['name', 'attribute', 'transcript'],
    table: 'run_utterances',
    columns: ['id', 'speaker', 'utterance'],
    afterwards: 'without them',
    note: 'the places in the corpus stay, empty',
  },
  {
    of: 'store',
    kinds: ['name', 'attribute', 'transcript'],
    table: 'runs',
    columns: ['name', 'config', 'recognizers', 'findings', 'warnings'],
    afterwards: 'without them',
    note: 'numbers that were pooled with others stay',
  },
  { of: 'store', kinds: ['name'], table: 'run_conditions', columns: ['condition'], afterwards: 'without them' },
  {
    of: 'store',
    kinds: ['name', 'hash of a voice'],
    table: 'run_plans',
    columns: ['plan'],
    afterwards: 'without them',
  },
  { of: 'store', kinds: ['attribute', 'transcript'], table: 'materials', columns: ['value'], afterwards: 'removed' },
  {
    of: 'store',
    kinds: ['name'],
    table: 'run_outputs',
    columns: ['path'],
    afterwards: 'stays',
    note: 'reports and bundles are your own files: they are named, not removed',
  },
  {
    of: 'store',
    kinds: ['voice', 'hash of a voice', 'transcript'],
    files: 'spoken/, made/, jobs/ and recorded exchanges',
    afterwards: 'removed',
  },
];
