import { isInLanguage } from '../../base/language-tag.ts';
import type { About, Example, Finding, Statement } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import { plain } from '../../scoring/normalizers/basic.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { RunReader, RunRecord, StoredTrial } from '../../store/contract.ts';
import { attributeReader, type ReadAttribute } from '../../studies/shared/attributes.ts';
import { alignedTranscript, type BestKept, keepBest, worstStretch } from '../../studies/shared/examples.ts';
import { named } from '../../studies/shared/wording.ts';

/** A claim shows so few: whoever wants all of them looks into the trials. */
const maxExamples = 3;

/** Speakers may be hashes. */
const maxSpeaker = 20;

/** Where a claim names no recognizer, so many are shown. */
const maxRecognizers = 4;

/** A claim with what its trials are told by, and what shows it most so far. */
interface Claim {
  readonly about: About;
  readonly verdict: Statement['verdict'];
  /** Places in the run; null: any. */
  readonly recognizer: number | null;
  readonly conditions: ReadonlySet<string> | null;
  readonly words: (text: string, language: string) => string[];
  readonly attribute: ReadAttribute;
  readonly kept: BestKept<Example>;
}

/**
 * A report whose claims show the utterances that show them most: those of exactly the recognizer, conditions and group that a claim is
 * about, with the highest WER, or the greatest difference in it from what it stands beside. One pass over the trials of the run serves all claims
 * of all studies; each utterance stands beneath a claim once.
 *
 * @param normalizerOf null where it is not at hand: words are split by the normalizer `plain`
 * @example (await withClaimExamples(store, run, report, normalizerOf)).findings[0].answer[0].examples
 */
export async function withClaimExamples(
  store: Pick<RunReader, 'trials'>,
  run: Pick<RunRecord, 'id' | 'recognizers'>,
  report: RunReport,
  normalizerOf: (name: string, module: string | null) => Promise<Normalizer | null>,
): Promise<RunReport> {
  const claims = new Map<Statement, Claim>();
  const names = run.recognizers.map(({ name }) => name);
  for (const finding of report.findings) {
    if (finding.answer.every(({ about }) => about === undefined)) continue;
    const { words } = (await normalizerOfFinding(finding, normalizerOf)) ?? plain;
    const attribute = attributeReader((finding.settings.bins ?? {}) as Parameters<typeof attributeReader>[0]);
    for (const statement of finding.answer) {
      const { about, verdict } = statement;
      // Which tests failed their study alone knows, and shows them itself.
      if (about === undefined || about.by === 'failed tests') continue;
      const recognizer = about.recognizer === undefined ? null : names.indexOf(about.recognizer);
      const conditions = about.conditions === undefined ? null : new Set(about.conditions);
      claims.set(statement, {
        ...{ about, verdict, recognizer, conditions, words, attribute },
        kept: keepBest<Example>(maxExamples),
      });
    }
  }
  if (claims.size === 0) return report;
  let together: StoredTrial[] = [];
  const see = () => seeUtterance(together, [...claims.values()], names);
  for (const trial of store.trials(run.id)) {
    if (together.length > 0 && together[0]!.position !== trial.position) {
      see();
      together = [];
    }
    together.push(trial);
  }
  if (together.length > 0) see();
  const shown = (statement: Statement): Statement => {
    const examples = claims.get(statement)?.kept.items() ?? [];
    return examples.length === 0 ? statement : { ...statement, examples };
  };
  return {
    ...report,
    findings: report.findings.map((finding) => ({ ...finding, answer: finding.answer.map(shown) })),
  };
}

async function normalizerOfFinding(
  { settings: { normalizer } }: Finding,
  normalizerOf: (name: string, module: string | null) => Promise<Normalizer | null>,
): Promise<Normalizer | null> {
  if (typeof normalizer !== 'object' || normalizer === null || !('name' in normalizer)) return null;
  const { name, module } = normalizer;
  return typeof name === 'string' ? normalizerOf(name, typeof module === 'string' ? module : null) : null;
}

/** Everything that was asked about one utterance, looked at for every claim. */
function seeUtterance(trials: readonly StoredTrial[], claims: readonly Claim[], names: readonly string[]): void {
  const { utterance } = trials[0]!;
  const places = new Map(trials.map((trial, place) => [placeOf(trial), place]));
  // Words are the same for all claims of a normalizer, and split for those trials alone that some claim asks about.
  const scorers = new Map<Claim['words'], Scorer>();
  for (const claim of claims) {
    if (!isAbout(utterance, claim)) continue;
    let scorer = scorers.get(claim.words);
    if (scorer === undefined) {
      scorer = scorerOf(trials, claim.words);
      scorers.set(claim.words, scorer);
    }
    let best: { readonly rank: readonly number[]; readonly place: number; readonly beside: number | null } | null =
      null;
    for (const [place, trial] of trials.entries()) {
      if (claim.recognizer !== null && trial.recognizer !== claim.recognizer) continue;
      if (claim.conditions !== null && !claim.conditions.has(trial.conditionName)) continue;
      const beside = besideOf(trial, claim, names, places);
      const rank = rankOf(place, beside, claim, scorer);
      if (rank !== null && (best === null || outranks(rank, best.rank))) best = { rank, place, beside };
    }
    if (best === null || !claim.kept.wants(best.rank)) continue;
    claim.kept.offer(best.rank, exampleOf(trials, best.place, best.beside, claim, scorer, names));
  }
}

function isAbout(utterance: Utterance, { about: { group = {}, language }, attribute }: Claim): boolean {
  if (language !== undefined && !isInLanguage(utterance.language, language)) return false;
  return Object.entries(group).every(([name, value]) => attribute(utterance, name) === value);
}

function placeOf({
  recognizer,
  conditionName,
  draw,
  repeat,
}: Pick<StoredTrial, 'recognizer' | 'conditionName' | 'draw' | 'repeat'>): string {
  return JSON.stringify([recognizer, conditionName, draw, repeat]);
}

/** The trial that another stands beside; null: the claim names none, or it was not asked. */
function besideOf(
  trial: StoredTrial,
  { about: { than } }: Claim,
  names: readonly string[],
  places: ReadonlyMap<string, number>,
): number | null {
  if (than === undefined) return null;
  const { conditionName, draw } = trial;
  const recognizer = than.recognizer === undefined ? trial.recognizer : names.indexOf(than.recognizer);
  const repeat = than.repeat ?? trial.repeat;
  const same = { recognizer, conditionName: than.condition ?? conditionName, draw, repeat };
  // Conditions that leave nothing to chance are asked once.
  const place =
    places.get(placeOf(same)) ?? places.get(placeOf({ ...same, draw: 0, repeat: than.repeat ?? 0 })) ?? null;
  return place;
}

/** What one normalizer makes of the trials of an utterance. */
interface Scorer {
  /** Null: there is no reference. */
  readonly reference: readonly string[] | null;
  /** Null: the trial failed. */
  words(place: number): readonly string[] | null;
  /** Errors in the reference, or in another text; null where either is missing. */
  errors(place: number): number | null;
  failed(place: number): boolean;
}

function scorerOf(trials: readonly StoredTrial[], split: Claim['words']): Scorer {
  const { reference, language } = trials[0]!.utterance;
  const said = reference === undefined ? null : split(reference, language);
  const heard: (readonly string[] | null | undefined)[] = [];
  const wrong: (number | null | undefined)[] = [];
  const words = (place: number) => {
    const { transcript } = trials[place]!.observation;
    heard[place] ??= transcript === undefined ? null : split(transcript.text, language);
    return heard[place];
  };
  return {
    reference: said,
    words,
    errors(place) {
      const own = words(place);
      wrong[place] ??= said === null || own === null ? null : errors(countEdits(said, own));
      return wrong[place];
    },
    failed: (place) => trials[place]!.observation.failure !== undefined,
  };
}

/** How well a trial shows a claim, the higher the better; null: it does not. */
function rankOf(place: number, beside: number | null, { about, verdict }: Claim, scorer: Scorer): number[] | null {
  const { by = 'errors', than } = about;
  if (by === 'failures') return scorer.failed(place) ? [1] : null;
  const own = scorer.words(place);
  if (own === null) return null;
  if (by === 'words') {
    const other = beside === null ? 0 : (scorer.words(beside)?.length ?? 0);
    return positive(signed(own.length - other, than?.recognizer === undefined ? undefined : verdict));
  }
  if (by === 'change') {
    const before = beside === null ? null : scorer.words(beside);
    if (before === null) return null;
    const changed = errors(countEdits(before, own));
    return positive(Math.min(1, changed / Math.max(1, before.length)), changed);
  }
  const wrong = scorer.errors(place);
  const length = Math.max(1, scorer.reference?.length ?? 0);
  if (wrong === null) return null;
  if (than === undefined) return positive(Math.min(1, wrong / length), wrong);
  const others = beside === null ? null : scorer.errors(beside);
  if (others === null) return null;
  const told = than.recognizer === undefined ? undefined : verdict;
  const apart = Math.min(1, wrong / length) - Math.min(1, others / length);
  return positive(signed(apart, told), signed(wrong - others, told));
}

/** In the direction of a verdict; in either where none is told; a loss from another condition has errors rise. */
function signed(difference: number, verdict: Claim['verdict']): number {
  return verdict === 'better' ? -difference : verdict === 'cannot tell' ? Math.abs(difference) : difference;
}

function positive(...rank: number[]): number[] | null {
  return rank[0]! > 0 ? rank : null;
}

function outranks(one: readonly number[], other: readonly number[]): boolean {
  const differs = one.findIndex((number, place) => number !== other[place]);
  return differs !== -1 && one[differs]! > other[differs]!;
}

function exampleOf(
  trials: readonly StoredTrial[],
  place: number,
  beside: number | null,
  { about, words }: Claim,
  scorer: Scorer,
  names: readonly string[],
): Example {
  const { utterance, conditionName, draw, repeat, recognizer } = trials[place]!;
  const { id, speaker, language } = utterance;
  const { by = 'errors', than } = about;
  const reference = by === 'words' ? [] : by === 'change' ? scorer.words(beside!)! : (scorer.reference ?? []);
  const row = (label: string, at: number) =>
    alignedTranscript(label, reference, trials[at]!.observation, (text) => words(text, language));
  // Where the claim is beside another condition than clean, the clean clip is the third: its audio is played beside.
  const apart = ![undefined, clean.name, conditionName].includes(than?.condition) && conditionName !== clean.name;
  const cleanPlace = apart
    ? trials.findIndex(
        (other) => other.conditionName === clean.name && other.recognizer === recognizer && other.repeat === 0,
      )
    : -1;
  const own = row(apart ? `${names[recognizer]!}, ${conditionName}` : names[recognizer]!, place);
  const labelOf = (at: number) => {
    const other = trials[at]!;
    const condition = other.conditionName === conditionName ? '' : `, ${other.conditionName}`;
    const again = than?.repeat === undefined ? '' : `, repeat ${other.repeat}`;
    return `${names[other.recognizer]!}${condition}${again}`;
  };
  const others =
    about.recognizer === undefined
      ? trials.flatMap((other, at) =>
          at !== place && other.conditionName === conditionName && other.draw === draw && other.repeat === repeat
            ? [at]
            : [],
        )
      : [];
  const rows = [
    ...(cleanPlace === -1 ? [] : [row(labelOf(cleanPlace), cleanPlace)]),
    ...(beside === null ? [] : [row(labelOf(beside), beside)]),
    own,
    ...others.slice(0, maxRecognizers - 1).map((at) => row(names[trials[at]!.recognizer]!, at)),
  ];
  const startSeconds = worstStretch(own.aligned ?? [], trials[place]!.observation.soundSeconds ?? null);
  return {
    title: `${named(id)}${speaker === undefined ? '' : `, speaker ${speaker.length > maxSpeaker ? `${speaker.slice(0, maxSpeaker).toWellFormed()}…` : speaker}`}`,
    ...{ utteranceId: id, conditionName, draw, transcripts: rows },
    ...(startSeconds === undefined ? {} : { startSeconds }),
  };
}
