import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { badInput, fileProblem, messageOf } from '../base/errors.ts';
import { makeDurableFolder, removeUnfinished, syncFolder, unfinishedName } from '../base/on-disk.ts';
import type { FolderIndex } from '../browser/folder-data.ts';
import { type Condition, clean } from '../model/trial.ts';
import { html, type Markup } from '../report/html/markup.ts';
import { browserScript } from '../session/browser-script.ts';
import { attributionText, createLicenceLedger } from '../session/export/licences.ts';
import { whyUnmade } from '../session/export/write-whole.ts';
import { runWarnings } from '../session/stored/report-of.ts';
import { packageVersion } from '../session/version.ts';
import type { RunRecord, Store } from '../store/contract.ts';
import { describedClips, pictureBytes } from './audio.ts';
import { openRunClips, type PlayedClip, type RunClips } from './clips.ts';
import { hashesIn, marker, refuseLicences, refuseOtherFolder, refusePartlySame } from './folder-refusals.ts';
import { type Put, packed, script, shardRows, writeTrials, writeUtterances } from './folder-shards.ts';
import { aboutOthers, forOthers, withoutFolders } from './for-others.ts';
import { type Place, pageText, viewStyle } from './frame.ts';
import type { IndexHeader, RowColumns } from './index-columns.ts';
import { beside } from './links.ts';
import { runPage } from './run-page.ts';
import { type RunLine, type RunSummary, runsPage, summarizeRun } from './run-summary.ts';
import type { RunView } from './shuffled-run.ts';
import { partsOf, shownFindings } from './stored-run.ts';
import { skipToTrials } from './trials-page.ts';
import type { NumberArray } from './view-files.ts';

/** What a folder of pages is made of. */
export interface FolderOptions {
  readonly store: Store;
  readonly storeFile: string;
  /** Finished ones. */
  readonly runs: readonly RunRecord[];
  readonly folder: string;
  readonly audio: boolean;
  readonly transcripts: boolean;
  /** Groups of fewer speakers are withheld; 1: none is. */
  readonly minSpeakers: number;
  /** @param what `trials` or `clips` */
  tell(what: string, done: number, of: number): void;
}

export interface WrittenFolder {
  readonly trials: number;
  readonly clips: number;
  readonly files: number;
  readonly bytes: number;
  /** What whoever shares it should know. */
  readonly notes: readonly string[];
}

/** Nothing but what lies beside a page is loaded by it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * Writes runs as pages that need no server: findings, trials with filters and search, and each trial, with the templates of
 * `earwitness view`. The folder is put in place whole.
 *
 * @throws EarwitnessError `bad-input` where the folder holds something else, cannot be written, or audio may not or cannot be passed on
 */
export async function writeFolder(options: FolderOptions): Promise<WrittenFolder> {
  const folder = resolve(options.folder);
  refuseOtherFolder(folder);
  const above = resolve(folder, '..');
  makeDurableFolder(above);
  removeUnfinished(above);
  const half = unfinishedName(folder);
  const written = { trials: 0, clips: 0, files: 0, bytes: 0, notes: new Set<string>() };
  const put = (name: string, content: string) => {
    writeFileSync(join(half, name), content);
    written.files++;
    written.bytes += Buffer.byteLength(content);
  };
  try {
    for (const name of ['', 'assets']) mkdirSync(join(half, name));
    await writeAll(options, half, put, written);
    put(marker, `${JSON.stringify({ earwitness: packageVersion(), files: hashesIn(half) })}\n`);
    const before = unfinishedName(folder);
    if (existsSync(folder)) {
      if (readdirSync(folder).length === 0) rmdirSync(folder);
      else renameSync(folder, before);
    }
    renameSync(half, folder);
    rmSync(before, { recursive: true, force: true });
    syncFolder(above);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw badInput(`${options.folder}: the pages cannot be written there (${fileProblem(error)})`, {
      cause: error,
    });
  }
  return { ...written, notes: [...written.notes] };
}

type Counts = { trials: number; clips: number; notes: Set<string> };

async function writeAll(options: FolderOptions, half: string, put: Put, written: Counts): Promise<void> {
  const { store, runs, audio } = options;
  const names = fileNames(runs);
  const ledger = createLicenceLedger();
  if (audio) for (const run of runs) refuseLicences(store, run, ledger);
  refusePartlySame(store, runs, options.minSpeakers);
  put('assets/style.css', viewStyle);
  for (const name of ['report', 'explorer', 'player', 'search', 'folder'] as const)
    put(`assets/${name}.js`, browserScript(name));
  const lines: RunLine[] = [];
  for (const [place, run] of runs.entries()) {
    const name = names[place]!;
    mkdirSync(join(half, name));
    if (audio) mkdirSync(join(half, name, 'audio'));
    const summary = await writeRun(run, name, options, put, written);
    lines.push({ run: { ...run, id: name }, summary });
  }
  put(
    'index.html',
    page({ title: 'Runs', search: searchOf(names[0]!) }, runsPage(lines, { page: 1, pages: 1, links: beside })),
  );
  const changed = runs.some(({ id }) => store.conditions(id).some(({ name }) => name !== clean.name));
  if (audio) put('ATTRIBUTION', attributionText(ledger.declared(), `earwitness ${packageVersion()}`, changed));
}

/** The ids of runs, where they can be names of files; a store that was merged may hold any. */
function fileNames(runs: readonly RunRecord[]): string[] {
  return runs.map(({ id }, place) => (/^[\w-]{1,80}$/.test(id) && id !== 'assets' ? id : `run-${place + 1}`));
}

function page(place: Place, content: Markup, of?: { readonly kind: 'trials' | 'trial'; readonly run: string }): string {
  const allowed = `${policy}; trusted-types ${of === undefined ? "'none'" : 'earwitness'}`;
  const home = { title: 'Runs', href: beside.runs };
  return pageText({ ...place, home }, content, { assets: 'assets/', policy: allowed, ...(of && { page: of }) });
}

function searchOf(run: string): NonNullable<Place['search']> {
  return { href: beside.trials(run), label: 'Search the trials' };
}

async function writeRun(
  run: RunRecord,
  name: string,
  options: FolderOptions,
  put: Put,
  written: Counts,
): Promise<RunSummary> {
  const { store, transcripts, minSpeakers, tell } = options;
  const quiet = minSpeakers > 1;
  const others = await forOthers(store, run, shownFindings(store, run)!, {
    ...{ minSpeakers, transcripts },
    told: (done, of) => tell('trials', done, of),
  });
  const { view, normalizer, header, columns, attributes, codes, withheld, findings, left } = others;
  for (const note of others.notes) written.notes.add(note);
  const languages = attributes.some(({ name }) => name === 'language');
  const shards = { view, run, name, normalizer, transcripts };
  writeUtterances({ ...shards, speakers: !quiet, languages }, put);
  writeTrials(shards, put);
  const audio = options.audio ? await writeAudio(run, name, { header, columns }, view, options, put, written) : [];
  const conditions = store
    .conditions(run.id)
    .map((condition) => withoutFolders(condition as never)) as never as Condition[];
  const columnNames: (keyof RowColumns)[] = [];
  for (const [column, values] of Object.entries({ ...columns, codes }) as [keyof RowColumns, NumberArray][]) {
    columnNames.push(column);
    put(`${name}/column-${column}.js`, script(`${name}/column-${column}.js`, packed(values)));
  }
  put(
    `${name}/index.js`,
    script(`${name}/index.js`, {
      header: { ...header, of: { ...header.of, run: name }, attributes },
      ...{ columns: columnNames, conditions, transcripts, audio, shard: shardRows },
    } satisfies FolderIndex),
  );
  written.trials += header.rows;

  const summary = { ...summarizeRun(store, run, findings), withheld: left.length > 0 };
  const trail = [{ title: run.name, href: beside.run(name) }];
  const content = runPage({
    run: { id: name, startedAtMs: run.startedAtMs },
    ...{
      findings,
      summary,
      warnings: quiet ? [] : runWarnings(store, run.id),
      links: beside,
    },
    parts: {
      ...{ ...partsOf(view, run), trials: beside.trials(name) },
      ...(quiet && {
        groups: new Map(attributes.map(({ name, values }) => [name, new Set(values)])),
        left: new Map([...withheld.attributes].map(([name, { values }]) => [name, values])),
      }),
      clip(utterance, condition, draw) {
        const known = others.position(utterance);
        const place = header.conditions.indexOf(condition);
        return known === null || place < 0 ? null : beside.trial(name, `${known}.${place}.${draw}.0`, []);
      },
    },
  });
  put(
    `${name}.html`,
    page(
      { title: run.name, trail, scripts: ['report.js'], search: searchOf(name) },
      html`${aboutOthers(options, withheld, left)}${content}`,
    ),
  );
  const waiting = html`<p role="status"></p><noscript><p class="text">Trials are shown by a script of this folder, and scripts are switched off.</p></noscript>`;
  const ways = [...trail, { title: 'Trials', href: beside.trials(name) }];
  put(
    `${name}-trials.html`,
    page({ title: 'Trials', trail, scripts: ['folder.js', 'search.js'], wide: true, skip: skipToTrials }, waiting, {
      kind: 'trials',
      run: name,
    }),
  );
  put(
    `${name}-trial.html`,
    page({ title: 'Trial', trail: ways, scripts: ['folder.js'], wide: true, search: searchOf(name) }, waiting, {
      kind: 'trial',
      run: name,
    }),
  );
  return summary;
}

/** Every clip of a run once, with what the player is told of it. Names of those that are there. */
async function writeAudio(
  run: RunRecord,
  name: string,
  { header, columns }: { readonly header: IndexHeader; readonly columns: RowColumns },
  { original }: RunView,
  { store, storeFile, tell }: FolderOptions,
  put: Put,
  written: Counts,
): Promise<string[]> {
  const wanted = new Map<string, { readonly position: number; readonly condition: number; readonly draw: number }>();
  const { utterance, condition, draw } = columns;
  for (let row = 0; row < header.rows; row++) {
    const clip = { position: utterance[row]!, condition: condition[row]!, draw: draw[row]! };
    wanted.set(Object.values(clip).join('.'), clip);
  }
  const cleanPlace = header.conditions.indexOf(clean.name);
  const there = new Set<string>();
  const playable: string[] = [];
  const problems: string[] = [];
  const keep = (clip: string, { wav, ...played }: PlayedClip) => {
    const file = `${name}/audio/${clip}.js`;
    if (there.has(clip)) return;
    there.add(clip);
    const encoded = (bytes: Uint8Array) =>
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    put(file, script(file, { wav: encoded(wav), picture: encoded(pictureBytes({ wav, ...played })) }));
  };
  let clips: RunClips | null = null;
  try {
    clips = await openRunClips(store, storeFile, run.id);
    let done = 0;
    for (const [clip, { position, condition, draw }] of wanted) {
      const conditionName = header.conditions[condition]!;
      try {
        const pair = await clips.make({ position: original(position), conditionName, draw });
        keep(`${position}.${cleanPlace}.0`, pair.clean);
        if (pair.changed !== null) keep(clip, pair.changed);
        const file = `${name}/audio/${clip}.facts.js`;
        const { facts, ...others } = describedClips(pair);
        put(file, script(file, { ...others, facts: withoutFolders(facts) }));
        playable.push(clip);
      } catch (error) {
        problems.push(whyUnmade(error));
      }
      tell('clips', ++done, wanted.size);
    }
  } finally {
    await clips?.[Symbol.asyncDispose]();
  }
  if (playable.length === 0)
    throw badInput(
      `run ${run.id}: expected audio, but none can be made: ${problems[0] ?? 'it has no trials'}; write the pages without --audio`,
    );
  if (problems.length > 0)
    written.notes.add(
      `the audio of ${problems.length} of ${wanted.size} clips of run ${run.id} could not be made: ${messageOf(problems[0])}`,
    );
  written.clips += playable.length;
  return playable;
}
