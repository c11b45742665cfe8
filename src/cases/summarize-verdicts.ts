import { createRandom } from '../base/random.ts';
import { krippendorffAlphaInterval } from '../statistics/agreement/krippendorff-alpha.ts';
import type { Interval } from '../statistics/interval.ts';
import { stratifiedProportion } from './stratified-proportion.ts';

/** A case as it stands in a check file. */
export interface CheckedCase {
  readonly id: string;
  readonly text: string;
  readonly transcript: string;
  readonly recognizer: string;
  readonly voice: string;
  readonly synthesizer: string;
  /** Cases of the whole sample. */
  readonly sampleSize: number;
  /** Failed cases of its cell in the run. */
  readonly cellFailed: number;
}

/** One row that somebody filled in, or did not. */
export interface CheckedRow {
  readonly checked: CheckedCase;
  readonly person: string;
  readonly verdict: PersonVerdict;
}

/** False positives among the cases of one cell, of a row of cells, or of all. */
export interface CellVerdicts {
  /** Null: all of them. */
  readonly synthesizer: string | null;
  readonly recognizer: string | null;
  /** Failed cases in the run. */
  readonly failed: number;
  readonly sampled: number;
  /** Cases with a complete verdict, and the false positives among them. */
  readonly judged: number;
  readonly falsePositives: number;
  /** Complete verdicts of all people on these cases, and the texts that the cases are of. */
  readonly verdicts: number;
  readonly texts: number;
  /** Cells are weighted by their failed cases where there are several. */
  readonly rate: Interval;
}

/** People's verdicts on failed cases, counted. */
export interface VerdictSummary {
  readonly cases: number;
  /** Cases of the sample that no row is of. */
  readonly missing: number;
  readonly judged: number;
  /** Cases where nobody filled in anything, and those where somebody answered one question of two. */
  readonly empty: number;
  readonly half: number;
  readonly kinds: Readonly<Record<VerdictKind, number>>;
  /** Cases whose kind people see differently, each counted as what more of them say; the first kind of the list where equal. */
  readonly divided: number;
  readonly cells: readonly CellVerdicts[];
  readonly bySynthesizer: readonly CellVerdicts[];
  readonly byRecognizer: readonly CellVerdicts[];
  readonly all: CellVerdicts;
  /** The share among the judged as they are, for comparison with tables that do not weight. */
  readonly unweighted: { readonly falsePositives: number; readonly judged: number };
  readonly people: readonly string[];
  /** Krippendorff's alpha, nominal; null with fewer than two people. */
  readonly agreement: null | Readonly<
    Record<'false positive' | 'says the text' | 'says the transcript', Interval & { readonly units: number }>
  >;
  /** Rows where the person's own transcript is against the person's answers. */
  readonly contradictions: readonly { readonly id: string; readonly person: string }[];
}

interface JudgedCase {
  readonly checked: CheckedCase;
  readonly kind: VerdictKind | null;
  readonly verdicts: number;
  readonly divided: boolean;
}

/** What is a false positive comes first: where people are divided in equal parts, the case is not taken for a failure. */
const byWeight: readonly VerdictKind[] = [
  'normalization',
  'says the transcript',
  'says neither',
  'ambiguous',
  'true failure',
];

/**
 * What the verdicts of people say of failed cases: how many are none (false positives, CrossASR's Table VI), of which kinds, and
 * how far people agree. A case that several judged counts once.
 *
 * @param rows every row of every person; rows of one case are of one cell
 * @param options.same whether two texts are the same but for their spelling; by letters by default
 */
export function summarizeVerdicts(
  rows: readonly CheckedRow[],
  {
    level = 0.95,
    same = sameLetters,
  }: { readonly level?: number; readonly same?: (a: string, b: string) => boolean } = {},
): VerdictSummary {
  const byCase = [...Map.groupBy(rows, ({ checked }) => checked.id).values()];
  const judged = byCase.map((ofCase) => judgeCase(ofCase, same));
  const counted = judged.filter(({ kind }) => kind !== null);
  const kinds = { 'true failure': 0, normalization: 0, 'says the transcript': 0, 'says neither': 0, ambiguous: 0 };
  for (const { kind } of counted) kinds[kind!]++;
  const falsePositives = counted.length - kinds['true failure'];
  const cellOf = ({ checked: { synthesizer, recognizer } }: JudgedCase) => JSON.stringify([synthesizer, recognizer]);
  const cells = [...Map.groupBy(judged, cellOf).values()];
  const part = (of: readonly (readonly JudgedCase[])[], synthesizer: string | null, recognizer: string | null) =>
    partOf(of, { synthesizer, recognizer }, level);
  const synthesizers = [...new Set(judged.map(({ checked }) => checked.synthesizer))].sort();
  const recognizers = [...new Set(judged.map(({ checked }) => checked.recognizer))].sort();
  const people = [...new Set(rows.map(({ person }) => person))].sort();
  return {
    cases: byCase.length,
    missing: rows.length === 0 ? 0 : rows[0]!.checked.sampleSize - byCase.length,
    judged: counted.length,
    empty: byCase.filter((of) => of.every(({ verdict }) => isEmpty(verdict))).length,
    half: byCase.filter((of, place) => judged[place]!.kind === null && !of.every(({ verdict }) => isEmpty(verdict)))
      .length,
    kinds,
    divided: judged.filter(({ divided }) => divided).length,
    cells: synthesizers.flatMap((synthesizer) =>
      recognizers.flatMap((recognizer) => {
        const cell = cells.find(
          ([first]) => first!.checked.synthesizer === synthesizer && first!.checked.recognizer === recognizer,
        );
        return cell === undefined ? [] : [part([cell], synthesizer, recognizer)];
      }),
    ),
    bySynthesizer: synthesizers.map((name) =>
      part(
        cells.filter(([first]) => first!.checked.synthesizer === name),
        name,
        null,
      ),
    ),
    byRecognizer: recognizers.map((name) =>
      part(
        cells.filter(([first]) => first!.checked.recognizer === name),
        null,
        name,
      ),
    ),
    all: part(cells, null, null),
    unweighted: { falsePositives, judged: counted.length },
    people,
    agreement: people.length < 2 ? null : agreementOf(byCase, people, { level, same }),
    contradictions: rows
      .filter(({ checked, verdict }) => contradictsItself(checked, verdict, same))
      .map(({ checked: { id }, person }) => ({ id, person })),
  };
}

function judgeCase(rows: readonly CheckedRow[], same: (a: string, b: string) => boolean): JudgedCase {
  const { checked } = rows[0]!;
  const votes = new Map<VerdictKind, number>();
  let [failures, others] = [0, 0];
  for (const { verdict } of rows) {
    const kind = judgeVerdict(checked, verdict, same);
    if (kind === null) continue;
    votes.set(kind, (votes.get(kind) ?? 0) + 1);
    if (kind === 'true failure') failures++;
    else others++;
  }
  const among = byWeight.filter((kind) => failures > others === (kind === 'true failure') && votes.has(kind));
  const kind = among.sort((a, b) => votes.get(b)! - votes.get(a)!)[0] ?? null;
  return { checked, kind, verdicts: failures + others, divided: votes.size > 1 };
}

function partOf(
  cells: readonly (readonly JudgedCase[])[],
  names: Pick<CellVerdicts, 'synthesizer' | 'recognizer'>,
  level: number,
): CellVerdicts {
  const strata = cells.map((cases) => ({
    size: cases[0]!.checked.cellFailed,
    hits: cases.flatMap(({ kind, checked }) =>
      kind === null ? [] : [{ hit: kind !== 'true failure', cluster: checked.text }],
    ),
  }));
  const judged = strata.flatMap(({ hits }) => hits);
  return {
    ...names,
    failed: strata.reduce((sum, { size }) => sum + size, 0),
    sampled: cells.reduce((sum, cases) => sum + cases.length, 0),
    judged: judged.length,
    falsePositives: judged.filter(({ hit }) => hit).length,
    verdicts: cells.flat().reduce((sum, { verdicts }) => sum + verdicts, 0),
    texts: new Set(judged.map(({ cluster }) => cluster)).size,
    rate: stratifiedProportion(strata, level),
  };
}

function isEmpty({ saysText, saysTranscript, heard }: PersonVerdict): boolean {
  return saysText === null && saysTranscript === null && heard === null;
}

function agreementOf(
  byCase: readonly (readonly CheckedRow[])[],
  people: readonly string[],
  { level, same }: { readonly level: number; readonly same: (a: string, b: string) => boolean },
) {
  // One clip is a case of each recognizer that failed, and whether it says its text is one answer: cases of a text are not independent.
  const clusters = byCase.map(([first]) => first!.checked.text);
  const alpha = (what: string, rating: (row: CheckedRow) => string | null) => {
    const ratings = people.map((person) =>
      byCase.map((rows) => {
        const row = rows.find((one) => one.person === person);
        return row === undefined ? null : rating(row);
      }),
    );
    return krippendorffAlphaInterval(ratings, 'nominal', {
      level,
      clusters,
      random: createRandom({ agreement: what }),
    });
  };
  return {
    'false positive': alpha('false positive', ({ checked, verdict }) => {
      const kind = judgeVerdict(checked, verdict, same);
      return kind === null ? null : String(kind !== 'true failure');
    }),
    'says the text': alpha('says the text', ({ verdict }) => verdict.saysText),
    'says the transcript': alpha('says the transcript', ({ verdict }) => verdict.saysTranscript),
  };
}

/** What people answer to a question about a sound. `unsure`: it could be heard either way. */
export const answers = ['yes', 'no', 'unsure'] as const;

export type VerificationAnswer = (typeof answers)[number];

/** What one person said of one case. Null where nothing was filled in. */
export interface PersonVerdict {
  readonly saysText: VerificationAnswer | null;
  readonly saysTranscript: VerificationAnswer | null;
  /** What the person heard. */
  readonly heard: string | null;
}

/**
 * What a case is by a person's answers. All but `true failure` are false positives, the four kinds of CrossASR (section IV-B):
 * - `true failure`: the sound says the text and not the transcript
 * - `normalization`: text and transcript are the same letters, only blanks differ (taxpayers, tax payers)
 * - `says the transcript`: the sound says the transcript and not the text: the synthesizer's fault
 * - `says neither`: the synthesizer's fault too
 * - `ambiguous`: the sound can be heard as both, or the person is unsure
 */
export const verdictKinds = [
  'true failure',
  'normalization',
  'says the transcript',
  'says neither',
  'ambiguous',
] as const;

type VerdictKind = (typeof verdictKinds)[number];

/**
 * Judges a case by one person's answers; null where a question is not answered. Where text and transcript are the same but for their
 * spelling, or the person's own transcript is the same as both, it is a case of normalization, whatever was answered.
 *
 * @param same whether two texts are the same but for their spelling
 * @example judgeVerdict({ text: 'may be', transcript: 'maybe' }, { saysText: 'yes', saysTranscript: 'no', heard: null }) // 'normalization'
 */
export function judgeVerdict(
  { text, transcript }: { readonly text: string; readonly transcript: string },
  { saysText, saysTranscript, heard }: PersonVerdict,
  same: (a: string, b: string) => boolean = sameLetters,
): VerdictKind | null {
  if (saysText === null || saysTranscript === null) return null;
  if (same(text, transcript)) return 'normalization';
  if (heard !== null && same(heard, text) && same(heard, transcript)) return 'normalization';
  if (saysText === 'unsure' || saysTranscript === 'unsure') return 'ambiguous';
  if (saysText === 'yes') return saysTranscript === 'yes' ? 'ambiguous' : 'true failure';
  return saysTranscript === 'yes' ? 'says the transcript' : 'says neither';
}

/**
 * Whether a person's own transcript is against the answers: it says the text although the sound was said not to, or the transcript.
 *
 * @param same whether two texts are the same but for their spelling
 */
export function contradictsItself(
  { text, transcript }: { readonly text: string; readonly transcript: string },
  { saysText, saysTranscript, heard }: PersonVerdict,
  same: (a: string, b: string) => boolean = sameLetters,
): boolean {
  if (heard === null || same(text, transcript)) return false;
  const [isText, isTranscript] = [same(heard, text), same(heard, transcript)];
  return (
    (isText && saysText === 'no') ||
    (isTranscript && saysTranscript === 'no') ||
    (isTranscript && !isText && saysText === 'yes' && saysTranscript !== 'yes')
  );
}

/**
 * Whether two texts have the same letters and numbers in the same order; blanks, punctuation and case left out.
 *
 * @example sameLetters('the taxpayers', 'The tax-payers.') // true
 */
export function sameLetters(a: string, b: string): boolean {
  return lettersOf(a) === lettersOf(b);
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
