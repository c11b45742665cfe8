// What of a run may be shown to others than those who have its recordings: of pages in a folder, and of a page to share.
import { basename } from 'node:path';
import { badInput } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Finding } from '../model/finding.ts';
import { clean } from '../model/trial.ts';
import { html, type Markup } from '../report/html/markup.ts';
import { namedFindings } from '../report/prepare/named-findings.ts';
import { findingWithoutTranscripts } from '../report/prepare/without-transcripts.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { RunRecord, Store } from '../store/contract.ts';
import { buildIndex } from './build-index.ts';
import { everybodyTogether } from './everybody.ts';
import type { AttributeColumn, IndexHeader, RowColumns } from './index-columns.ts';
import { clipName, type RunView, shuffledRun, utterancesOf } from './shuffled-run.ts';
import { findingWithoutSmallGroups, type Withheld, withholdSmallGroups } from './small-groups.ts';
import { answeredIn, indexOfRun, normalizerOfFindings } from './stored-run.ts';
import { withheldAdvice } from './withheld-advice.ts';

/** A run as others may see it. */
export interface ForOthers {
  readonly view: RunView;
  readonly normalizer: Normalizer;
  readonly header: IndexHeader;
  readonly columns: RowColumns;
  readonly attributes: readonly AttributeColumn[];
  readonly codes: Uint32Array;
  readonly withheld: Withheld;
  readonly findings: readonly Finding[];
  /** What was left out, and why. */
  readonly left: readonly string[];
  /** The same for whoever shares it, and how it can be had. */
  readonly notes: readonly string[];
  /** Where in the view an utterance of `findings` stands; null: nowhere. */
  position(utterance: string): number | null;
  /** What the store calls an utterance of `findings`. */
  original(utterance: string): string;
}

/**
 * Takes out of a run by what a person could be found, and the words that were said where they are not wanted.
 *
 * @param minSpeakers groups of fewer are withheld; 1: nothing is
 * @param told how many trials are scored, of how many
 * @throws EarwitnessError `bad-input` where the run has fewer speakers than that
 */
export async function forOthers(
  store: Store,
  run: RunRecord,
  given: readonly Finding[],
  options: {
    readonly minSpeakers: number;
    readonly transcripts: boolean;
    told(done: number, of: number): void;
  },
): Promise<ForOthers> {
  const { minSpeakers, transcripts } = options;
  const answered = answeredIn(store, run.id);
  const normalizer = normalizerOfFindings(given);
  const quiet = minSpeakers > 1;
  const view: RunView = quiet
    ? shuffledRun(store, run.id)
    : {
        ...{ utterances: store.utterances, trials: store.trials, conditions: store.conditions },
        original: (position) => position,
      };
  const { header, columns } = await buildIndex(view, run, indexOfRun(store, run, answered), {
    ...{ normalizer, putText: null },
    told: (done) => options.told(done, answered),
  });
  const { attributes, codes, withheld } = withholdSmallGroups(header, columns, minSpeakers, given);
  if (quiet && withheld.speakers < minSpeakers) {
    throw badInput(
      `run ${run.id}: expected at least ${minSpeakers} speakers for pages that name nobody, but it has ${withheld.speakers}; write them with --min-speakers 1 if those people agree`,
    );
  }
  // How long a recognizer took drifts over a run, and would give its order back.
  if (quiet) columns.seconds.fill(Number.NaN);
  const recognizers = run.recognizers.map((one) => one.name);
  const spared = new Set([
    ...recognizers,
    ...store.conditions(run.id).map((one) => one.name),
    clean.name,
    'everybody',
    'all',
  ]);
  const ids = [...utterancesOf(store, run.id)].map(({ id }) => id);
  const positions = new Map(ids.map((_, position) => [ids[view.original(position)]!, position]));
  const names = {
    renamed(id: string) {
      const position = positions.get(id);
      return position === undefined ? null : clipName(position);
    },
    unnamed: withoutUtterances(ids, spared),
  };
  const told = (transcripts ? given : given.map(findingWithoutTranscripts)).map((finding) => ({
    finding,
    quiet: findingWithoutSmallGroups(finding, withheld, names),
  }));
  const kept = told.flatMap(({ quiet }) => ('why' in quiet ? [] : [quiet]));
  const hidden = told.flatMap(({ finding, quiet }) => ('why' in quiet ? [{ finding, why: quiet.why }] : []));
  const left = hidden.map(({ finding, why }) => `${finding.title}: ${why}`);
  const notes = left.map((one) => `withheld: ${one}`);
  if (hidden.length > 0) {
    const run = { header, columns, minSpeakers, findings: given, left: hidden.map(({ finding }) => finding), names };
    notes.push(withheldAdvice(run));
  }
  const hadRates = hidden.some(({ finding }) => finding.scores !== undefined);
  const overall = hadRates ? everybodyTogether(run, header, columns, normalizer) : null;
  const findings = overall === null ? kept : [...namedFindings([overall], [], kept[0]?.conditionNames), ...kept];
  const position = (utterance: string) => {
    const known = quiet ? Number(/^clip (\d+)$/.exec(utterance)?.[1] ?? Number.NaN) - 1 : positions.get(utterance);
    return known === undefined || Number.isNaN(known) ? null : known;
  };
  const original = (utterance: string) => {
    const known = position(utterance);
    return (known !== null && ids[view.original(known)]) || utterance;
  };
  return {
    ...{ view, normalizer, header, columns, attributes, codes, withheld, findings, left, notes },
    ...{ position, original },
  };
}

/**
 * Takes the names of utterances out of texts, wherever one stands there as a whole. A name that is a number or a word of letters alone is no
 * name in a sentence: `of 24 speakers` is not about utterance 24.
 */
function withoutUtterances(ids: readonly string[], spared: ReadonlySet<string>): (text: string) => string {
  const telling = ids.filter((id) => !/^(\p{L}+|\p{N}+)$/u.test(id) && id.length > 1);
  const known = new Set(telling);
  const apart = /[\s()[\]",;]/;
  const several = telling.filter((id) => apart.test(id)).sort((a, b) => b.length - a.length);
  const instead = 'an utterance';
  return (text) => {
    if (spared.has(text)) return text;
    let shown = text;
    for (const id of several) if (shown.includes(id)) shown = shown.replaceAll(id, instead);
    // The study `corpus` says which clips are the shortest and the longest, whatever they are called.
    shown = shown.replace(/(clip is |the longest )(.+?)(?= \(\d)/g, (all, before, id) =>
      ids.includes(id) ? `${before}${instead}` : all,
    );
    return shown.replace(/[^\s()[\]",;]+/g, (token) => {
      const bare = known.has(token) ? token : token.replace(/[.:!?'’]+$/, '');
      return known.has(bare) && !spared.has(bare) ? instead + token.slice(bare.length) : token;
    });
  };
}

/** What was left out, for whoever reads it. */
export function aboutOthers(
  {
    audio,
    transcripts,
    minSpeakers,
  }: { readonly audio: boolean; readonly transcripts: boolean; readonly minSpeakers: number },
  { attributes }: Withheld,
  left: readonly string[],
): Markup {
  const without = [...(audio ? [] : ['audio']), ...(transcripts ? [] : ['references', 'transcripts'])];
  const parts = [
    ...(without.length > 0 ? [`Written without ${without.join(', ').replace(/, ([^,]*)$/, ' and $1')}.`] : []),
    ...(minSpeakers > 1
      ? [
          'Speakers are not named; clips have numbers, in an order made at random.',
          ...(['alone', 'together'] as const).flatMap((why) => {
            const names = [...attributes].flatMap(([name, one]) => (one.why === why ? [name] : [])).join(', ');
            if (names === '') return [];
            const some =
              why === 'alone'
                ? 'some of their values are'
                : 'together with attributes that are here some of their values are';
            return [`Withheld, as ${some} those of fewer than ${minSpeakers} speakers, or mostly of one: ${names}.`];
          }),
        ]
      : []),
  ];
  return html`${parts.length > 0 && html`<p class="small quiet"><bdi>${parts.join(' ')}</bdi></p>`}${left.length > 0 && html`<ul class="small quiet">${left.map((one) => html`<li><bdi>Withheld: ${one}.</bdi></li>`)}</ul>`}`;
}

/** Where files of this machine lie is nobody's business. */
export function withoutFolders(value: JsonObject): JsonObject;
export function withoutFolders(value: Json): Json;
export function withoutFolders(value: Json): Json {
  if (typeof value === 'string')
    return /^(~|[A-Za-z]:)?[/\\]/.test(value) ? basename(value.replaceAll('\\', '/')) : value;
  if (Array.isArray(value)) return value.map(withoutFolders);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutFolders(one as Json)]));
}
