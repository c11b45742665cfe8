import { clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import type { ReadAttribute } from '../shared/attributes.ts';
import type { ComparisonSettings } from '../shared/comparisons.ts';
import { cellsOfGroups, countsNamed, type DecidedCell, whole } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import { createGroupTrials, type GroupTrials } from '../shared/failure-gaps.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../shared/failures.ts';
import type { GroupPair } from '../shared/group-pairs.ts';
import { type ClipFacts, clipFacts, type Equalized, type Targets } from './causes.ts';
import { type Design, inVariant, type Survey } from './design.ts';

/** Errors of utterances by recognizer and variant. */
export interface Tally {
  /** Of an utterance by its place in the survey; null where there is no transcript. */
  errors(recognizer: number, variant: number, place: number): number | null;
  /** Whether the clip was changed for this variant, and not asked about as it is. */
  changed(variant: number, place: number): boolean;
  /** As things are, and in all other conditions together. */
  readonly trials: readonly TrialRow[];
  /** Of clips as they are. */
  readonly groupTrials: GroupTrials;
  /** Word error rates of clips as they are that one utterance or speaker decides. */
  readonly decided: readonly DecidedCell[];
}

/** The utterance in hand, and what is asked of it in each variant. */
interface Sheet {
  readonly id: string;
  readonly place: number;
  readonly reference: string[];
  readonly conditions: readonly Equalized[];
}

/** What was measured of each clip, in the order of the survey. Clips without sound, and those that cannot be made, have none. */
export async function tallyClips(answers: AsyncIterable<Answer>, { survey }: Design): Promise<ClipFacts[]> {
  const places = new Map(survey.utterances.map(({ id }, place) => [id, place]));
  const clips = survey.utterances.map(({ letters }) => clipFacts(letters, null));
  for await (const answer of answers) {
    if (answer.ask !== 'measurement') continue;
    const place = places.get(answer.utterance.id)!;
    clips[place] = clipFacts(survey.utterances[place]!.letters, answer.measurement);
  }
  return clips;
}

/** Scores the answers as they come. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  { survey, recognizers, variants }: Design,
  clips: readonly ClipFacts[],
  targets: Targets,
  {
    normalizer,
    read,
    settings,
  }: { readonly normalizer: Normalizer; readonly read: ReadAttribute; readonly settings: ComparisonSettings },
): Promise<Tally> {
  const { utterances } = survey;
  /** -1 failed, -2 not asked. */
  const found = recognizers.map(() => variants.map(() => new Int32Array(utterances.length).fill(-2)));
  const trials = new FailureCounts(2 * recognizers.length);
  const groupTrials = createGroupTrials(
    recognizers.map(({ name }) => name),
    survey.groupBy,
    read,
  );
  const watched = openCube<{ readonly errors: number; readonly words: number; readonly heard: readonly string[] }>()({
    series: recognizers.map(({ name }) => name),
    conditions: [],
    counts: countsNamed<'errors' | 'words'>(['errors', 'words']),
    ratios: { wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'], watched: true } },
    slices: {
      all: whole,
      group: cellsOfGroups(survey.groupBy, read),
    },
    unit: 'speaker',
    heard: ({ heard }) => heard,
    paired: false,
    settings,
  });
  const numbers = new Map(recognizers.map(({ name }, number) => [name, number]));
  const places = new Map(utterances.map(({ id }, place) => [id, place]));
  const { words } = normalizer;
  const open = (utterance: Utterance): Sheet => {
    const { id, reference = '' } = utterance;
    const place = places.get(id)!;
    const conditions = variants.map((variant) => inVariant(variant, clips[place]!, targets));
    return { id, place, reference: words(reference, utterance.language), conditions };
  };
  let sheet: Sheet | null = null;
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, condition, recognizer } = answer.trial;
    const mine: Sheet = sheet?.id === utterance.id ? sheet : open(utterance);
    sheet = mine;
    const { place, reference, conditions } = mine;
    const number = numbers.get(recognizer)!;
    const { observation } = answer;
    const isClean = condition.name === clean.name;
    const trial = 2 * number + (isClean ? 0 : 1);
    if (isClean) {
      const failed = observation.failure !== undefined;
      groupTrials.add(
        utterance,
        recognizers.map((_, one) => (one === number ? failed : null)),
      );
    }
    let wrong = -1;
    if (observation.failure) trials.addFailure(trial, observation.failure.kind);
    else {
      trials.addAnswer(trial);
      const heard = words(observation.transcript.text, utterance.language);
      wrong = errors(countEdits(reference, heard));
      if (isClean) {
        const fact = { errors: wrong, words: reference.length, heard };
        watched.add(
          utterance,
          recognizers.map((_, one) => (one === number ? fact : null)),
        );
      }
    }
    conditions.forEach((own, variant) => {
      const isThis = own === 'as it is' ? isClean : own?.name === condition.name;
      if (isThis && (variant === 0 || recognizers[number]!.input === 'sound')) found[number]![variant]![place] = wrong;
    });
  }
  return {
    errors: (recognizer, variant, place) => {
      const wrong = found[recognizer]![variant]![place]!;
      return wrong < 0 ? null : wrong;
    },
    changed: (variant, place) => {
      const asked = inVariant(variants[variant]!, clips[place]!, targets);
      return asked !== null && asked !== 'as it is';
    },
    trials: namedTrials({ tally: { trials }, design: { recognizers, conditions: [clean, { name: 'made alike' }] } }),
    groupTrials,
    decided: (['all', 'group'] as const).flatMap((slice) => watched.decisive(slice, 'wer')),
  };
}

/** Places of utterances of both groups that have words, and transcripts of the recognizer in all of these variants. */
export function placesOf(
  pair: GroupPair,
  recognizer: number,
  variants: readonly number[],
  { survey }: Pick<Design, 'survey'>,
  { errors }: Pick<Tally, 'errors'>,
): number[] {
  return survey.utterances.flatMap(({ values, words }, place) => {
    const value = values[pair.place];
    if (words === 0 || (value !== pair.value && value !== pair.comparedWith)) return [];
    return variants.some((variant) => errors(recognizer, variant, place) === null) ? [] : [place];
  });
}

/** How much stands behind some utterances. */
export function sizeOf(places: readonly number[], { utterances, clusters }: Survey) {
  const rows = places.map((place) => utterances[place]!);
  const speakers = new Set(rows.map(({ cluster }) => cluster).filter(clusters.isSpeaker)).size;
  return { utterances: rows.length, speakers, words: rows.reduce((sum, { words }) => sum + words, 0) };
}
