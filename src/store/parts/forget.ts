import { EarwitnessError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { RunOutput } from '../contract.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { openCopy, requireStore } from '../sqlite/open-file-database.ts';
import { isServer } from '../store-place.ts';
import { createTraceFinder, type TraceFinder } from './personal-traces.ts';
import { hex } from './rows.ts';
import { storedFindings } from './runs.ts';

/** What is (or would be) removed of a person. */
export interface Forgotten {
  /** Each counts once, however many runs it was in. */
  readonly utterances: number;
  readonly observations: number;
  readonly sounds: number;
  /** Runs that the person was in. */
  readonly runs: readonly string[];
  readonly findings: {
    /** They stay without what mentioned the person, and say that they are from before. */
    readonly kept: number;
    /** The person was in them in a way that cannot be taken out. */
    readonly removed: number;
  };
  /** Runs whose config mentioned the person: it does not any more, so that those which were not finished cannot go on. */
  readonly configs: readonly string[];
  /** Files beside the store that are removed, by path: cached speech, what was made of sounds, and of calls to services. */
  readonly cached: readonly string[];
  /** Files that were written of these runs, which may show the person: they are the user's own, and stay. */
  readonly outputs: readonly RunOutput[];
}

export interface ForgetOptions {
  /** Nothing is removed. */
  readonly dryRun: boolean;
  readonly forgottenAtMs: number;
  /** Where speech of this identity would be cached. */
  readonly cacheFile: (spoken: JsonObject) => string;
  /** Files that are kept of what was made from sounds, by their hashes. */
  readonly madeFiles: (sounds: readonly string[]) => readonly string[];
  /** Files that recognizers keep of their calls, by the keys of the trials and the configs of their runs. */
  readonly callFiles?: (trials: readonly string[], configs: readonly JsonObject[]) => readonly string[];
}

/**
 * Removes a speaker's sounds, transcripts and measurements from every run, and what names the person in configs, plans, findings and
 * remembered files; and overwrites the places where it stood. What was only counted, pooled with others, stays.
 *
 * @throws EarwitnessError `bad-usage` where the store knows no such speaker, `store` where there is none
 */
export function forgetSpeaker(path: string, speaker: string, options: ForgetOptions): Forgotten {
  if (!isServer(path)) requireStore(path);
  // A file is tried on a copy of it; a server undoes what was only tried.
  const opened = options.dryRun && !isServer(path) ? openCopy(path) : openDatabase(path, { alone: true });
  try {
    const { database, marker } = opened;
    const known = database
      .prepare(
        'SELECT DISTINCT speaker FROM run_utterances WHERE speaker IS NOT NULL UNION SELECT DISTINCT speaker FROM observations WHERE speaker IS NOT NULL',
      )
      .pluck()
      .all() as string[];
    if (!known.includes(speaker)) {
      const near = nearestName(speaker, known);
      throw new EarwitnessError(
        'bad-usage',
        `expected a speaker of this store, but it knows no ${JSON.stringify(speaker)}${near ? `; did you mean ${JSON.stringify(near)}?` : ''}`,
      );
    }
    // Numbers of what goes may be given again: until it is done nothing is promised.
    marker?.clear();
    const forgotten = database.transaction(() => {
      const removed = remove(database, speaker, options);
      if (options.dryRun) throw new Tried(removed);
      return removed;
    })();
    opened.finishChores();
    marker?.restart();
    return forgotten;
  } catch (error) {
    if (error instanceof Tried) return error.removed;
    throw opened.asStoreError(error);
  } finally {
    opened.close();
  }
}

/** Undoes a transaction that was only tried. */
class Tried extends Error {
  readonly removed: Forgotten;

  constructor(removed: Forgotten) {
    super('only tried');
    this.removed = removed;
  }
}

function remove(
  database: Database,
  speaker: string,
  { forgottenAtMs, cacheFile, madeFiles, callFiles }: ForgetOptions,
): Forgotten {
  const execute = (sql: string, ...values: readonly (string | number | Buffer)[]) =>
    database.prepare(sql).run(...values).changes;
  const theirs =
    'SELECT * FROM run_trials WHERE (run, utterance) IN (SELECT run, position FROM run_utterances WHERE speaker = ?)';
  // A sound is stored under the name it had first: what a run with another name for it took over is the same person's.
  execute('CREATE TEMP TABLE gone_observations (number INTEGER PRIMARY KEY)');
  execute(
    `INSERT INTO gone_observations SELECT number FROM observations WHERE speaker = ?
     UNION SELECT observation FROM (${theirs}) AS t WHERE observation IS NOT NULL`,
    speaker,
    speaker,
  );
  execute('CREATE TEMP TABLE gone_sounds (hash BLOB PRIMARY KEY)');
  execute(
    `INSERT INTO gone_sounds SELECT hash FROM sounds WHERE speaker = ?
     UNION SELECT sound FROM clips JOIN (${theirs}) AS t ON t.recognizer IS NULL AND t.key = clips.hash`,
    speaker,
    speaker,
  );
  execute('CREATE TEMP TABLE gone_runs (number INTEGER PRIMARY KEY)');
  execute(
    `INSERT INTO gone_runs SELECT number FROM runs WHERE number IN (SELECT run FROM run_utterances WHERE speaker = ?)
       OR number IN (SELECT run FROM run_trials WHERE observation IN (SELECT number FROM gone_observations))`,
    speaker,
  );
  const concerned = database
    .prepare('SELECT number, id, config FROM runs JOIN gone_runs USING (number) ORDER BY number')
    .all() as {
    readonly number: number;
    readonly id: string;
    readonly config: string;
  }[];
  const outputs = database
    .prepare(
      `SELECT runs.id AS run, kind, path FROM run_outputs JOIN runs ON runs.number = run
       WHERE written = 1 AND run IN (SELECT number FROM gone_runs) ORDER BY path`,
    )
    .all() as RunOutput[];
  const findings = { kept: 0, removed: 0 };
  // Before the person is taken out of them.
  const trials = database
    .prepare(`SELECT DISTINCT key FROM (${theirs}) AS t WHERE recognizer IS NOT NULL`)
    .pluck()
    .all(speaker) as Uint8Array[];
  const ofCalls = callFiles?.(
    trials.map(hex),
    concerned.map(({ config }) => JSON.parse(config) as JsonObject),
  );
  const configs: string[] = [];
  const personal = personalSounds(database, speaker);
  for (const { number, id } of concerned) {
    const finder = createTraceFinder(tracesIn(database, number, speaker, personal.files));
    const pruned = pruneRun(database, number, finder, forgottenAtMs);
    findings.kept += pruned.kept;
    findings.removed += pruned.removed;
    if (pruned.config) configs.push(id);
    // What studies read beside the corpus may be about the person too.
    execute("DELETE FROM run_materials WHERE run = ? AND kind = 'text'", number);
  }
  for (const { path, hash } of database.prepare('SELECT path, hash FROM files').all() as FileRow[]) {
    if (personal.hashes.has(hash) || path.split(/[/\\]/).includes(speaker))
      execute('DELETE FROM files WHERE path = ?', path);
  }
  execute(`DELETE FROM similarities WHERE key IN (SELECT key FROM (${theirs}) AS t WHERE similarity = 1)`, speaker);
  execute('DELETE FROM materials WHERE hash NOT IN (SELECT hash FROM run_materials)');
  execute(
    'DELETE FROM run_sounds WHERE (run, utterance) IN (SELECT run, position FROM run_utterances WHERE speaker = ?)',
    speaker,
  );
  const heardElsewhere = database.prepare('SELECT 1 FROM run_sounds WHERE identity = ?').pluck();
  const hashes = (database.prepare('SELECT hash FROM gone_sounds').pluck().all() as Uint8Array[]).map(hex);
  const cached = [
    ...personal.spoken
      .filter((identity) => heardElsewhere.get(identity) === undefined)
      .map((identity) => cacheFile(JSON.parse(identity) as JsonObject)),
    ...madeFiles(hashes),
    ...(ofCalls ?? []),
  ];
  for (const file of cached) execute("INSERT INTO chores VALUES ('remove', ?) ON CONFLICT DO NOTHING", file);
  // Only a rewritten file and an emptied log hold nothing of what was deleted.
  execute("INSERT INTO chores VALUES ('rewrite', '') ON CONFLICT DO NOTHING");
  // That calls were made, and what they cost, stays.
  execute(`UPDATE attempts SET key = ? WHERE key IN (SELECT key FROM (${theirs}) AS t)`, Buffer.alloc(32), speaker);
  execute(
    'DELETE FROM run_trials WHERE (run, utterance) IN (SELECT run, position FROM run_utterances WHERE speaker = ?)',
    speaker,
  );
  // Numbers are given again: a question must never point to what another will get.
  execute(
    'UPDATE run_trials SET observation = NULL, reused = 0 WHERE observation IN (SELECT number FROM gone_observations)',
  );
  const observations = execute('DELETE FROM observations WHERE number IN (SELECT number FROM gone_observations)');
  for (const table of ['measurements', 'qualities']) {
    execute(
      `DELETE FROM ${table} WHERE clip IN (SELECT hash FROM clips WHERE sound IN (SELECT hash FROM gone_sounds))`,
    );
  }
  execute('DELETE FROM clips WHERE sound IN (SELECT hash FROM gone_sounds)');
  const sounds = execute('DELETE FROM sounds WHERE hash IN (SELECT hash FROM gone_sounds)');
  const utterances = database
    .prepare('SELECT COUNT(DISTINCT id) FROM run_utterances WHERE speaker = ?')
    .pluck()
    .get(speaker) as number;
  // The places stay, so that the others keep theirs.
  execute(
    `UPDATE run_utterances SET id = 'forgotten-' || position, speaker = NULL,
            utterance = '{"id":"forgotten-' || position || '","language":"und","attributes":{},"tags":[]}'
     WHERE speaker = ?`,
    speaker,
  );
  const runs = concerned.map(({ id }) => id);
  return { utterances, observations, sounds, runs, findings, configs, cached, outputs };
}

interface FileRow {
  readonly path: string;
  readonly hash: string;
}

/** What is known of the sounds of a person: hashes and paths of their files, and identities of what was spoken. */
interface PersonalSounds {
  readonly hashes: ReadonlySet<string>;
  readonly files: readonly string[];
  readonly spoken: readonly string[];
}

function personalSounds(database: Database, speaker: string): PersonalSounds {
  const identities = database
    .prepare(
      `SELECT DISTINCT s.identity FROM run_sounds AS s JOIN run_utterances AS u ON u.run = s.run AND u.position = s.utterance
       WHERE u.speaker = ?`,
    )
    .pluck()
    .all(speaker) as string[];
  const utterances = utterancesOf(database, 'speaker = ?', speaker);
  const files = utterances.flatMap(({ sound }) => (sound !== undefined && 'file' in sound ? [sound.file] : []));
  const remembered = database.prepare('SELECT path, hash FROM files').all() as FileRow[];
  const named = new Set(files);
  const theirs = remembered.filter(({ path }) => named.has(path));
  return {
    hashes: new Set([
      ...identities.flatMap((identity) => identity.match(/[0-9a-f]{64}/g) ?? []),
      ...theirs.map(({ hash }) => hash),
    ]),
    files: [...named],
    spoken: identities.filter((identity) => {
      const { text, voice, synthesizer } = JSON.parse(identity) as JsonObject;
      return text !== undefined && voice !== undefined && synthesizer !== undefined;
    }),
  };
}

function utterancesOf(database: Database, which: string, ...values: readonly (string | number)[]): Utterance[] {
  const rows = database.prepare(`SELECT utterance FROM run_utterances WHERE ${which}`).pluck();
  return (rows.all(...values) as string[]).map((json) => JSON.parse(json) as Utterance);
}

/** What in a run tells that a text is about the person and about nobody else. */
function tracesIn(database: Database, run: number, speaker: string, files: readonly string[]) {
  const theirs = utterancesOf(database, 'run = ? AND speaker = ?', run, speaker);
  const others = utterancesOf(database, 'run = ? AND speaker IS DISTINCT FROM ?', run, speaker);
  const heard = (which: string) =>
    database
      .prepare(
        `SELECT DISTINCT transcript FROM run_trials AS t JOIN observations AS o ON o.number = t.observation
         WHERE t.run = ? AND transcript IS NOT NULL AND o.speaker ${which} ?`,
      )
      .pluck()
      .all(run, speaker) as string[];
  const textsOf = (utterances: readonly Utterance[], transcripts: readonly string[]) => [
    ...utterances.flatMap(({ reference, sound }) => [
      ...(reference === undefined ? [] : [reference]),
      ...(sound !== undefined && 'text' in sound ? [sound.text] : []),
    ]),
    ...transcripts,
  ];
  const valuesOf = (utterances: readonly Utterance[]) =>
    new Set(utterances.flatMap(({ attributes, tags }) => [...Object.values(attributes), ...tags]));
  const [elsewhere, common] = [new Set(textsOf(others, heard('IS DISTINCT FROM'))), valuesOf(others)];
  const baseNames = files.map((file) => file.replace(/^.*[/\\]/s, ''));
  return {
    names: [...new Set([speaker, ...theirs.map(({ id }) => id), ...files, ...baseNames])],
    texts: textsOf(theirs, heard('=')).filter((text) => !elsewhere.has(text)),
    values: [...valuesOf(theirs)].filter((value) => !common.has(value)),
  };
}

/** Takes the person out of what a run keeps as JSON. */
function pruneRun(
  database: Database,
  run: number,
  finder: TraceFinder,
  forgottenAtMs: number,
): { readonly kept: number; readonly removed: number; readonly config: boolean } {
  const row = database
    .prepare('SELECT name, config, recognizers, findings, warnings FROM runs WHERE number = ?')
    .get(run) as { readonly [Column in 'name' | 'config' | 'recognizers']: string } & {
    readonly [Column in 'findings' | 'warnings']: string | null;
  };
  const redacted = (json: string) => JSON.stringify(finder.redacted(JSON.parse(json) as Json));
  const [config, recognizers] = [redacted(row.config), redacted(row.recognizers)];
  const warnings = JSON.parse(row.warnings ?? '[]') as readonly string[];
  const note = `A person was forgotten on ${new Date(forgottenAtMs).toISOString().slice(0, 10)}: the numbers are as they were before, what named the person was left out.`;
  const before = row.findings === null ? [] : storedFindings(row.findings);
  const after = before.map((finding) => finder.prunedFinding(finding, note)).filter((finding) => finding !== null);
  database
    .prepare(
      'UPDATE runs SET name = ?, config = ?, recognizers = ?, findings = ?, warnings = ?, forgotten_at_ms = ? WHERE number = ?',
    )
    .run(
      finder.mentions(row.name) ? 'forgotten' : row.name,
      config,
      recognizers,
      row.findings === null ? null : JSON.stringify(after),
      row.warnings === null ? null : JSON.stringify(warnings.filter((warning) => !finder.mentions(warning))),
      forgottenAtMs,
      run,
    );
  const conditions = database.prepare('SELECT position, condition FROM run_conditions WHERE run = ?').all(run);
  for (const { position, condition } of conditions as { position: number; condition: string }[]) {
    // Its name is that of its results, and stays.
    const { steps, ...named } = JSON.parse(condition) as Condition;
    const left = redacted(JSON.stringify(steps));
    if (left === JSON.stringify(steps)) continue;
    database
      .prepare('UPDATE run_conditions SET condition = ? WHERE run = ? AND position = ?')
      .run(JSON.stringify({ ...named, steps: JSON.parse(left) }), run, position);
  }
  const plan = database.prepare('SELECT plan FROM run_plans WHERE run = ?').pluck().get(run) as string | undefined;
  if (plan !== undefined) database.prepare('UPDATE run_plans SET plan = ? WHERE run = ?').run(redacted(plan), run);
  return {
    kept: after.length,
    removed: before.length - after.length,
    config: config !== row.config || recognizers !== row.recognizers,
  };
}
