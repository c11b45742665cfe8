import type { Utterance } from '../../model/utterance.ts';
import { transcriptDistance } from '../../scoring/agreement/transcript-distance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, StudyContext } from '../contract.ts';
import { binning } from '../shared/attributes.ts';
import { countsNamed, groupsOf, type Part, type Slice } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import { openFailedTrials } from '../shared/cube/failed-trials.ts';
import { soundsOf } from '../shared/cube/sounds.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../shared/failures.ts';
import type { GroupSide } from '../shared/group-pairs.ts';
import { ListenerTally } from '../shared/listeners.ts';
import { conditionColumn } from '../shared/tables.ts';
import type { DegradationOptions, Measure, Plan } from './design.ts';

/** Edits and words of one sound, by one measure. */
interface Score {
  readonly errors: number;
  readonly words: number;
  /** What was recognized, of a word error rate. */
  readonly heard?: readonly string[];
}

/** With those of the baseline on the same utterance, once for each sound; of the baseline its own. */
interface Scored extends Score {
  readonly condition: string;
  readonly errorsBefore: number;
  readonly wordsBefore: number;
}

const counts = countsNamed(['errors', 'words', 'errorsBefore', 'wordsBefore']);

/** Cubes that are empty: measures by condition and group, and failed trials of recognizers by group. */
export function openCubes(
  { recognizers, conditions, measures }: Plan,
  { groupBy, level, resamples, minimumSpeakers }: DegradationOptions,
  seed: number,
) {
  const byCondition: Slice<Scored> = { columns: [conditionColumn], of: ({ condition }) => [[condition]] };
  const settings = { level, resamples, minimumSpeakers, seed };
  const names = recognizers.map(({ name }) => name);
  return {
    scores: openCube<Scored>()({
      series: measures.map(({ name }) => name),
      conditions: conditions.map(({ name }) => name),
      counts,
      ratios: {
        rate: { label: 'Rate', kind: 'rate', over: ['errors', 'words'], watched: true },
        before: { label: 'Before', kind: 'rate', over: ['errorsBefore', 'wordsBefore'] },
      },
      slices: { all: byCondition, group: groupsOf(groupBy, byCondition) },
      unit: 'speaker',
      words: 'words',
      heard: ({ heard = [] }) => heard,
      paired: false,
      settings,
    }),
    failures: openFailedTrials(names, groupBy, settings),
  };
}

export type Cubes = ReturnType<typeof openCubes>;
export type ScoredPart = Part<'errors' | 'words' | 'errorsBefore' | 'wordsBefore', 'rate' | 'before'>;

/** What was counted in one pass over the answers. */
export interface Counted extends Cubes {
  readonly plan: Plan;
  readonly options: DegradationOptions;
  readonly trials: readonly TrialRow[];
  /** What people heard beside machines; null where nobody is said to be people. */
  readonly heard: ListenerTally | null;
  readonly utterances: number;
  /** Perturbed clips that somebody was asked about. */
  readonly perturbed: number;
  readonly withReference: number;
  readonly withoutSpeaker: number;
}

/** Scores the answers as they come. Those about one utterance come one after another, the baseline first. */
export async function countAnswers(
  answers: AsyncIterable<Answer>,
  plan: Plan,
  options: DegradationOptions,
  normalizer: Normalizer,
  { seed }: Pick<StudyContext, 'seed'>,
): Promise<Counted> {
  const { recognizers, conditions, measures } = plan;
  const cubes = openCubes(plan, options, seed);
  const trials = new FailureCounts(recognizers.length * conditions.length);
  const numbers = new Map(recognizers.map(({ name }, number) => [name, number]));
  const places = new Map(conditions.map(({ name }, number) => [name, number]));
  const binned = binning(options.bins);
  const people = options.people === null ? null : new ListenerTally(options.people, recognizers);
  const seen = { utterances: 0, perturbed: 0, withReference: 0, withoutSpeaker: 0 };
  let inGroup: Utterance | null = null;
  let reference: readonly string[] | null = null;
  let baseline: readonly (Score | null)[] = [];
  for await (const sound of soundsOf(answers)) {
    const { utterance, condition } = sound[0].trial;
    const place = places.get(condition.name)!;
    if (inGroup === null || inGroup.id !== utterance.id) {
      const { reference: said, language, speaker } = utterance;
      inGroup = binned(utterance);
      reference = said === undefined ? null : normalizer.words(said, language);
      baseline = measures.map(() => null);
      seen.utterances++;
      if (reference !== null) seen.withReference++;
      if (speaker === undefined) seen.withoutSpeaker++;
    }
    if (place > 0) seen.perturbed++;
    const heard = new Map<number, readonly string[]>();
    const failed = recognizers.map((): { readonly failed: boolean } | null => null);
    for (const { trial, observation } of sound) {
      const recognizer = numbers.get(trial.recognizer)!;
      failed[recognizer] = { failed: observation.failure !== undefined };
      if (observation.failure) {
        trials.addFailure(recognizer * conditions.length + place, observation.failure.kind);
        continue;
      }
      trials.addAnswer(recognizer * conditions.length + place);
      const words = normalizer.words(observation.transcript.text, utterance.language);
      heard.set(recognizer, words);
      if (people === null || reference === null) continue;
      const wrong = { errors: errors(countEdits(reference, words)), words: reference.length };
      people.take(trial, { condition: place, recognizer, ...wrong }, observation.transcript);
    }
    const scores = measures.map((measure) => scoreOf(measure, heard, reference));
    if (place === 0) baseline = scores;
    cubes.failures.add(inGroup, failed);
    cubes.scores.add(
      inGroup,
      scores.map((score, measure) => {
        const before = baseline[measure];
        if (score === null || before == null) return null;
        return { condition: condition.name, ...score, errorsBefore: before.errors, wordsBefore: before.words };
      }),
    );
  }
  people?.end();
  const named = namedTrials({ tally: { trials }, design: plan });
  return { ...cubes, plan, options, heard: people, trials: named, ...seen };
}

/** Null where somebody did not answer, or a reference is missing. */
function scoreOf(
  { kind, recognizers }: Measure,
  heard: ReadonlyMap<number, readonly string[]>,
  reference: readonly string[] | null,
): Score | null {
  const [one, other] = recognizers.map((recognizer) => heard.get(recognizer));
  if (one === undefined) return null;
  if (kind === 'word error rate') {
    return reference === null
      ? null
      : { errors: errors(countEdits(reference, one)), words: reference.length, heard: one };
  }
  if (other === undefined) return null;
  const { edits, words } = transcriptDistance([[one, other]]);
  return { errors: edits, words };
}

/** One measure in one condition. */
export interface Leaf {
  readonly measure: number;
  readonly condition: number;
}

/** What a part has in a leaf. */
export function countsIn(part: ScoredPart, { measure, condition }: Leaf, { conditions }: Plan) {
  return part.counts(measure, [conditions[condition]!.name]);
}

/** Whether a group has words in a leaf, and before it. */
export function hasWords(part: ScoredPart, leaf: Leaf, plan: Plan): boolean {
  const { words, wordsBefore } = countsIn(part, leaf, plan);
  return words > 0 && wordsBefore > 0;
}

/**
 * A rate of a group averaged over leaves: those of one family of conditions alike, then the families; `loss`: the rate less that before. Null
 * where there are no leaves, or the group has no words in one of them.
 */
export function averageOver(
  part: ScoredPart,
  leaves: readonly Leaf[],
  of: 'rate' | 'before' | 'loss',
  { families, conditions }: Plan,
): GroupSide | null {
  const own = [[0], ...families.map((family) => family.conditions)]
    .map((members) => leaves.filter(({ condition }) => members.includes(condition)))
    .filter((ofFamily) => ofFamily.length > 0);
  const terms = own.flatMap((ofFamily) =>
    ofFamily.map(({ measure, condition }) => ({
      series: measure,
      path: [conditions[condition]!.name],
      weight: 1 / own.length / ofFamily.length,
    })),
  );
  const rates = (ratio: 'rate' | 'before') => terms.map((term) => ({ ...term, ratio }));
  if (of !== 'loss') return part.weighted(rates(of));
  return part.weighted([...rates('rate'), ...rates('before').map((term) => ({ ...term, weight: -term.weight }))]);
}
