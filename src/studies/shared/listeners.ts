import { badConfig } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { formatFixed } from '../../base/number-format.ts';
import { list, nonEmpty, orNull } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { shownDifference } from '../../model/comparison.ts';
import type { Comparison, Section, Statement } from '../../model/finding.ts';
import type { Transcript } from '../../model/observation.ts';
import type { Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import {
  type CrossedCell,
  crossedContrast,
  minimumListeners,
  type Stratum,
} from '../../statistics/fairness/crossed-contrast.ts';
import { correctByHolm, toComparison } from './comparisons.ts';
import { toEstimate } from './estimates.ts';
import { whyOpen } from './open-verdict.ts';
import { column, judgedColumns, recognizerColumn, tableOf } from './tables.ts';
import { differenceInWords, named } from './wording.ts';

/** The option `people` of a study. */
export const peopleOption = orNull(list(nonEmpty(200), 1, 100)).describe(
  'Recognizers that are people (panels of transcribe): gaps are measured beyond those that people have on the same clips too',
);

/**
 * Which of the recognizers are people, by number.
 *
 * @throws EarwitnessError `bad-config` for people who are no recognizers, or where nobody else is one
 */
export function peopleAmong(
  people: readonly string[],
  recognizers: readonly { readonly name: string }[],
): ReadonlyMap<number, string> {
  const names = recognizers.map(({ name }) => name);
  const unknown = people.find((name) => !names.includes(name));
  if (unknown !== undefined || names.every((name) => people.includes(name))) {
    const near = unknown === undefined ? null : nearestName(unknown, names);
    throw badConfig(
      unknown === undefined
        ? 'people: expected recognizers to set beside people, but all of them are people; add a recognizer'
        : `people: expected names of recognizers, but got ${JSON.stringify(printable(unknown, 60))}; ${
            near === null
              ? `there are ${names
                  .slice(0, 12)
                  .map((name) => printable(name, 40))
                  .join(', ')}`
              : `did you mean ${JSON.stringify(printable(near, 60))}?`
          }`,
    );
  }
  return new Map(names.flatMap((name, number) => (people.includes(name) ? [[number, name]] : [])));
}

/** What a listener and a machine made of the same clip. */
export interface HeardClip {
  readonly utterance: Utterance;
  readonly listener: string;
  readonly condition: number;
  /** Number of the machine. */
  readonly recognizer: number;
  readonly machineErrors: number;
  readonly peopleErrors: number;
  readonly words: number;
}

/** Pairs what people wrote down with what machines made of the same clips, utterance by utterance. Memory follows what people heard. */
export class ListenerTally {
  readonly clips: HeardClip[] = [];
  readonly machines: readonly number[];
  readonly #people: ReadonlyMap<number, string>;
  #utterance: Utterance | null = null;
  #sheet: {
    readonly condition: number;
    readonly recognizer: number;
    readonly listener: string | null;
    readonly errors: number;
    readonly words: number;
  }[] = [];

  /** @throws EarwitnessError as `peopleAmong` */
  constructor(people: readonly string[], recognizers: readonly { readonly name: string }[]) {
    this.#people = peopleAmong(people, recognizers);
    this.machines = recognizers.flatMap((_, number) => (this.#people.has(number) ? [] : [number]));
  }

  /** Answers about one utterance come one after another; only the first draw is heard by people. */
  take(
    { utterance, draw }: Pick<Trial, 'utterance' | 'draw'>,
    answer: {
      readonly condition: number;
      readonly recognizer: number;
      readonly errors: number;
      readonly words: number;
    },
    { details }: Transcript,
  ): void {
    if (draw > 0 || answer.words === 0) return;
    if (this.#utterance?.id !== utterance.id) this.end();
    this.#utterance = utterance;
    const panel = this.#people.get(answer.recognizer);
    const listener = panel === undefined ? null : typeof details?.listener === 'string' ? details.listener : panel;
    this.#sheet.push({ ...answer, listener });
  }

  /** What is known of the last utterance is complete. */
  end(): void {
    for (const heard of this.#sheet) {
      if (heard.listener === null) continue;
      for (const { condition, recognizer, errors, listener } of this.#sheet) {
        if (listener !== null || condition !== heard.condition) continue;
        this.clips.push({
          ...{ utterance: this.#utterance!, listener: heard.listener, condition, recognizer, words: heard.words },
          ...{ machineErrors: errors, peopleErrors: heard.errors },
        });
      }
    }
    this.#sheet = [];
  }
}

/** A gap of a machine beyond that of people on the same clips. */
export interface GapBeyond {
  readonly recognizer: number;
  /** Whose gap, as sentences and tables name it: `accent Indian`; with whom it is compared; where: `clean`. */
  readonly group: string;
  readonly comparedWith: string;
  readonly where: string;
  readonly clips: number;
  readonly listeners: number;
  /** On the clips that people heard. */
  readonly machineGap: number | null;
  readonly peopleGap: number | null;
  /** The machine's gap less that of people. */
  readonly beyond: Comparison;
  /** What would be found in 80 of 100 such studies, tested alone. */
  readonly detectable: number | null;
}

/** One question: which clips, in which strata, and what they are weighted with. */
export interface BeyondQuestion extends Pick<GapBeyond, 'recognizer' | 'group' | 'comparedWith' | 'where'> {
  readonly strata: readonly Stratum[];
  /** Null: the clip is not asked about. */
  stratumOf(clip: HeardClip): number | null;
  speakerOf(clip: HeardClip): number;
  /** Questions of the same name have one answer (two groups, each beside the other): they are corrected for once. */
  readonly same: string;
}

/**
 * Gaps of machines beyond those of people, clip by clip: what a group suffers that listeners do not suffer on the same audio. Clusters are speakers and listeners
 * (`crossedContrast`); all questions are corrected together by Holm.
 */
export function gapsBeyondListeners(
  clips: readonly HeardClip[],
  questions: readonly BeyondQuestion[],
  { level, minimumSpeakers }: { readonly level: number; readonly minimumSpeakers: number },
): GapBeyond[] {
  const listeners = new Map<string, number>();
  for (const { listener } of clips) if (!listeners.has(listener)) listeners.set(listener, listeners.size);
  const found = questions.map((question) => {
    const own = clips.flatMap((clip) => {
      const stratum = clip.recognizer === question.recognizer ? question.stratumOf(clip) : null;
      return stratum === null || question.strata[stratum]!.weight === 0 ? [] : [{ clip, stratum }];
    });
    const cells = (errorsOf: (clip: HeardClip) => number): CrossedCell[] =>
      own.map(({ clip, stratum }) => ({
        ...{ speaker: question.speakerOf(clip), listener: listeners.get(clip.listener)!, stratum },
        ...{ numerator: errorsOf(clip), denominator: clip.words },
      }));
    const contrast = (errorsOf: (clip: HeardClip) => number) =>
      crossedContrast(cells(errorsOf), question.strata, { level, minimumSpeakers });
    return {
      question,
      clips: own.length,
      machineGap: contrast(({ machineErrors }) => machineErrors).interval.value,
      peopleGap: contrast(({ peopleErrors }) => peopleErrors).interval.value,
      difference: contrast(({ machineErrors, peopleErrors }) => machineErrors - peopleErrors),
      words: own.reduce((sum, { clip }) => sum + clip.words, 0),
      utterances: new Set(own.map(({ clip }) => clip.utterance.id)).size,
    };
  });
  const firsts = new Map<string, number>();
  found.forEach(({ question: { same } }, place) => {
    if (!firsts.has(same)) firsts.set(same, place);
  });
  const places = [...firsts.values()];
  const { adjusted, correction } = correctByHolm(
    places.map((place) => found[place]!.difference.pValue),
    'each is about clips of its own',
  );
  return found.map(({ question, clips: heard, machineGap, peopleGap, difference, words, utterances }) => {
    const n = { utterances, speakers: difference.speakers, words };
    const { strata: _, stratumOf: __, speakerOf: ___, same, ...named } = question;
    return {
      ...named,
      ...{ clips: heard, listeners: difference.listeners, machineGap, peopleGap, detectable: difference.detectable },
      beyond: toComparison(
        toEstimate(difference.interval, n),
        {
          pValue: difference.pValue,
          test: 't test with speakers and listeners as clusters',
          ...(difference.interval.reason !== undefined && { reason: difference.interval.reason }),
        },
        adjusted[places.indexOf(firsts.get(same)!)]!,
        correction,
      ),
    };
  });
}

const maxStatements = 4;

/** What machines do to groups beyond what listeners do: what is shown, or that nothing is. */
export function beyondStatements(
  gaps: readonly GapBeyond[],
  recognizers: readonly { readonly name: string }[],
): Statement[] {
  const sized = gaps
    .filter(({ beyond }) => beyond.difference.value !== null)
    .toSorted((a, b) => b.beyond.difference.value! - a.beyond.difference.value!);
  const proven = sized.filter(({ beyond }) => beyond.verdict === 'worse').slice(0, maxStatements);
  const nameOf = ({ recognizer }: GapBeyond) => named(recognizers[recognizer]!.name);
  const inWords = (gap: GapBeyond) =>
    `${nameOf(gap)}, ${gap.group} beside ${gap.comparedWith} (${gap.where}): a gap of ${pointsOf(gap.machineGap)}, where listeners have ${pointsOf(gap.peopleGap)} on the same clips: ${differenceInWords(shownDifference(gap.beyond), 'than listeners')}`;
  if (proven.length > 0)
    return proven.map((gap) => ({
      text: `${inWords(gap)}.`,
      verdict: 'worse' as const,
      comparison: gap.beyond,
      kind: 'difference' as const,
    }));
  const [widest] = sized;
  const none = 'No gap is shown to be larger than that of people who heard the same clips';
  if (widest === undefined) return [{ text: `${none}: none of them can be measured.`, verdict: 'cannot tell' }];
  return [
    {
      ...{ text: `${none}. The largest: ${inWords(widest)}.${whyOpen(widest.beyond)}`, verdict: 'cannot tell' },
      ...{ comparison: widest.beyond, kind: 'difference' },
    },
  ];
}

/** Gap by gap. */
export function beyondSection(
  id: string,
  gaps: readonly GapBeyond[],
  recognizers: readonly { readonly name: string }[],
): Section {
  return {
    id: `${id}-beyond-listeners`,
    title: 'Gaps beyond listeners',
    text: [
      'People heard the same clips. What is left of a gap when theirs is taken off is not explained by audio that is hard for everybody; what people cannot hear, no machine is blamed for. An unintelligible clip counts as no words.',
      `Clusters of the intervals are speakers and listeners; with fewer than ${minimumListeners} listeners there is none.`,
    ],
    tables: [
      tableOf(`${id}-beyond-listeners`, 'Gaps of machines less those of listeners on the same clips', gaps, [
        column('group', 'Group', 'text', ({ group }) => group),
        column('comparedWith', 'Compared with', 'text', ({ comparedWith }) => comparedWith),
        { ...recognizerColumn, of: ({ recognizer }) => recognizers[recognizer]!.name },
        column('where', 'Where', 'text', ({ where }) => where),
        column('speakers', 'Speakers', 'count', ({ beyond }) => beyond.difference.n.speakers),
        column('listeners', 'Listeners', 'count', ({ listeners }) => listeners),
        column('clips', 'Clips heard', 'count', ({ clips }) => clips),
        column('machineGap', 'Gap', 'difference', ({ machineGap }) => machineGap),
        column('peopleGap', 'Gap of listeners', 'difference', ({ peopleGap }) => peopleGap),
        column('beyond', 'Beyond listeners', 'difference', ({ beyond }) => beyond),
        ...judgedColumns(
          'From a t test with two-way clusters; corrected by Holm for all rows.',
          ({ beyond }: GapBeyond) => beyond,
        ),
        {
          ...column('detectable', 'Shown in 80 %', 'points', ({ detectable }: GapBeyond) => detectable),
          help: 'A gap beyond listeners of this size is found in 80 of 100 such studies, tested alone.',
        },
      ]),
    ],
  };
}

function pointsOf(gap: number | null): string {
  return gap === null ? 'unknown size' : `${formatFixed(100 * gap, 1)} points`;
}
