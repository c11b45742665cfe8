import { visibleText } from '../../base/printable.ts';
import { html, type Markup, markupText } from '../../report/html/markup.ts';
import { type FileColumns, orderBy, type RowColumns, searched, sortKeys } from '../../web/index-columns.ts';
import { beside } from '../../web/links.ts';
import { createTrialIndex, type TrialIndex, type TrialQuery } from '../../web/trial-index.ts';
import { type Heard, trialPage } from '../../web/trial-page.ts';
import { clipName, type ListedUtterance, neighbourLinks, readQuery, trialsPage } from '../../web/trials-page.ts';
import {
  bytesOf,
  type FolderIndex,
  type FolderTrial,
  type FolderUtterance,
  heardFrom,
  type PackedColumn,
  saidWords,
  textColumn,
  unpacked,
} from '../folder-data.ts';
import type { AddressedClip, ToldClips } from '../told.ts';
import { all, find } from './shared/elements.ts';

/*
 * What a page of a folder does in place of the server: loads the numbers and words that lie beside it as scripts (a page from file:// may
 * fetch nothing), and writes what its address asks for with the server's own templates and filters.
 */

const { page, run = '' } = document.documentElement.dataset;

interface Policy {
  createHTML(text: string): string;
  createScriptURL(text: string): string;
}
declare global {
  /** Trusted Types (W3C), as far as they are used; not every browser has them. */
  var trustedTypes: { createPolicy(name: string, policy: Policy): Policy } | undefined;
  /** Of Node alone: the index of trials, which serves both, asks for it. */
  var Buffer:
    | {
        from(bytes: ArrayBufferLike, at: number, length: number): { indexOf(sought: Uint8Array, from: number): number };
      }
    | undefined;
}
const policy = globalThis.trustedTypes?.createPolicy('earwitness', {
  createHTML: (text) => text,
  createScriptURL: (text) => text,
});
const parts = new Map<string, unknown>();
const wanted = new Map<string, Promise<unknown>>();
const parameters = new URLSearchParams(location.search);

/** What a script beside the page puts; it is one of ours, so that it is what it is called. */
async function load<Value = unknown>(name: string): Promise<Value> {
  const loading = wanted.get(name) ?? loadScript(name);
  wanted.set(name, loading);
  await loading;
  return parts.get(name) as Value;
}

function loadScript(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = policy?.createScriptURL(name) ?? name;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${name} is missing`));
    document.head.append(script);
  });
}

globalThis.earwitness = {
  put: (name, value) => parts.set(name, value),
  async told(names) {
    const [head = '', ...clips] = names.split(' ');
    const told = await load<ToldClips>(head);
    const loaded = await Promise.all(clips.map((clip) => load<Pick<AddressedClip, 'wav' | 'picture'>>(clip)));
    return { ...told, clips: told.clips.map((clip, at) => ({ ...clip, ...loaded[at]! })) };
  },
  bytes: async (text) => bytesOf(text),
};

async function start(): Promise<void> {
  for (const waiting of all('[role=status]', HTMLElement)) waiting.textContent = 'The trials are loading …';
  const told = await load<FolderIndex>(`${run}/index.js`);
  const loaded = await Promise.all(
    told.columns.map(async (name) => [name, unpacked(await load<PackedColumn>(`${run}/column-${name}.js`))] as const),
  );
  const columns = Object.fromEntries(loaded) as unknown as RowColumns;
  const query = readQuery(parameters);
  const files = await fileColumns(told, columns, query);
  const read = <Name extends keyof FileColumns>(name: Name, from?: number, to?: number) =>
    files[name].subarray(from, to) as FileColumns[Name];
  const index = createTrialIndex(told.header, columns, read);
  if (page === 'trials') await showTrials(told, index, query);
  else await showTrial(told, index, query);
}

const utterancesAt = (part: number) => load<readonly FolderUtterance[]>(`${run}/utterances-${part}.js`);
const trialsAt = (part: number) => load<readonly FolderTrial[]>(`${run}/trials-${part}.js`);

/** One entry of scripts that have so many each. */
async function entryOf<Entry>(at: (part: number) => Promise<readonly Entry[]>, place: number, { shard }: FolderIndex) {
  return (await at(Math.floor(place / shard)))[place % shard]!;
}

/** What the server reads from a file: of it only what the query needs. */
async function fileColumns({ header, transcripts, shard }: FolderIndex, columns: RowColumns, query: TrialQuery) {
  const { rows, utterances } = header;
  const orders = new Uint32Array(sortKeys.length * (rows + 1));
  if (query.sort !== null) orders.set(orderBy(columns, query.sort), sortKeys.indexOf(query.sort) * (rows + 1));
  const textOf = async <Entry>(
    count: number,
    at: ((part: number) => Promise<readonly Entry[]>) | null,
    text: (entry: Entry) => string,
  ) => {
    if (query.search === '' || at === null) return { starts: new Uint32Array(count + 1), all: new Uint8Array(0) };
    const loaded = await Promise.all(Array.from({ length: Math.ceil(count / shard) }, (_, part) => at(part)));
    return textColumn(loaded.flat().map(text));
  };
  const said = await textOf(utterances, utterancesAt, ([id, , reference, , speaker]) =>
    [id, reference ?? '', speaker ?? ''].map(searched).join('\n'),
  );
  const heard = await textOf(rows, transcripts ? trialsAt : null, ([text]) => searched(text ?? ''));
  const none = new Uint32Array(0);
  return {
    ...{ orders, confusions: none, pairs: none, said: none, lexicon: new Uint8Array(0) },
    ...{ confusionStart: new Uint32Array(rows + 1), saidStart: new Uint32Array(1) },
    ...{ text: heard.all, textStart: heard.starts, utteranceText: said.all, utteranceTextStart: said.starts },
  } satisfies FileColumns;
}

/** In place of what the page says while it waits. */
function put(content: Markup): void {
  const main = find('main', HTMLElement);
  const before = [...main.children];
  const text = markupText(content);
  main.insertAdjacentHTML('beforeend', policy?.createHTML(text) ?? text);
  for (const one of before) one.remove();
}

const none = Number.NaN;

async function showTrial(told: FolderIndex, index: TrialIndex, query: TrialQuery): Promise<void> {
  const { header, columns } = index;
  // As `clipName` writes them.
  const places = (parameters.get('clip') ?? '').split('.').map(Number);
  const [place = none, conditionPlace = none, draw = none, repeat = none] = places;
  const [rows, cleanRows]: [number[], number[]] = [[], []];
  const others = new Map<string, string>();
  for (let row = 0; row < header.rows; row++) {
    if (columns.utterance[row] !== place) continue;
    const name = header.conditions[columns.condition[row]!]!;
    const own = header.called[columns.condition[row]!]!;
    if (!others.has(own)) others.set(own, beside.trial(run, clipName(index, row), []));
    const isRepeat = columns.repeat[row] === repeat;
    if (columns.condition[row] === conditionPlace && columns.draw[row] === draw && isRepeat) rows.push(row);
    else if (name === 'clean' && isRepeat) cleanRows.push(row);
  }
  if (rows.length === 0) return put(html`<p class="text">There is no such trial in this run.</p>`);
  const utterance = await entryOf(utterancesAt, place, told);
  const [id, language, reference] = utterance;
  const heardIn = async (row: number) => heardFrom(index, row, await entryOf(trialsAt, row, told), utterance);
  const [name, called] = [header.conditions[conditionPlace]!, header.called[conditionPlace]!];
  const attributes = header.attributes.flatMap(({ name, values }, at): [string, string][] => {
    const code = columns.codes[at * header.utterances + place]!;
    return code === 0 ? [] : [[name, values[code - 1]!]];
  });
  const clip = [place, conditionPlace, draw].join('.');
  const cleanClip = [place, header.conditions.indexOf('clean'), 0].join('.');
  const at = parameters.has('at') ? Number(parameters.get('at')) : null;
  put(
    trialPage({
      ...{ about: attributes, language, called, draw, repeat },
      reference: told.transcripts ? reference : null,
      transcripts: told.transcripts,
      condition: told.conditions.find((one) => one.name === name) ?? { name, steps: [] },
      answers: await Promise.all(rows.map(heardIn)),
      before: name === 'clean' ? [] : await Promise.all(cleanRows.map(heardIn)),
      audio: told.audio.includes(clip)
        ? [`${clip}.facts`, ...new Set([cleanClip, clip])].map((one) => `${run}/audio/${one}.js`).join(' ')
        : null,
      withoutAudio:
        told.audio.length === 0 ? 'This folder holds no audio.' : 'The audio of this clip could not be made.',
      others: [...others].map(([name, href]) => ({ name, href })),
      ...neighbourLinks(index, query, { at, run, links: beside }),
    }),
  );
  document.title = `${id}, ${called}${document.title.slice(document.title.indexOf(' – '))}`;
  find('h1 bdi', HTMLElement).textContent = visibleText(`${id}, ${called}`);
  await load('assets/player.js');
}

async function showTrials(told: FolderIndex, index: TrialIndex, query: TrialQuery): Promise<void> {
  const { transcripts } = told;
  const asked = Number(parameters.get('page') ?? 1);
  const given = {
    ...{ run, links: beside, index, query, transcripts, audio: told.audio.length > 0, newer: false, finished: true },
    page: Number.isInteger(asked) && asked >= 1 ? asked : 1,
  };
  const silent = { recognizer: '', seconds: null, transcript: '', failure: null, aligned: null, starts: [] };
  // Written twice: first to learn what it shows.
  const [places, rows] = [new Set<number>(), new Set<number>()];
  trialsPage({
    ...given,
    utterance(place) {
      places.add(place);
      return { id: '', language: '', reference: null, words: null };
    },
    heard(row) {
      rows.add(row);
      return silent;
    },
  });
  const utterances = new Map<number, FolderUtterance>();
  for (const place of places) utterances.set(place, await entryOf(utterancesAt, place, told));
  const heard = new Map<number, Heard>();
  for (const row of rows) {
    const utterance = utterances.get(index.columns.utterance[row]!)!;
    heard.set(row, heardFrom(index, row, await entryOf(trialsAt, row, told), utterance));
  }
  put(
    trialsPage({
      ...given,
      utterance(place): ListedUtterance {
        const own = utterances.get(place)!;
        const [id, language, reference] = own;
        return { id, language, reference: transcripts ? reference : null, words: saidWords(own) };
      },
      heard: (row) => heard.get(row)!,
    }),
  );
  await load('assets/explorer.js');
}

start().catch((error: unknown) => {
  const told = document.createElement('p');
  told.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : error}`;
  find('main', HTMLElement).replaceChildren(told);
});
