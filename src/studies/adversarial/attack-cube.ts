import type { StudyContext } from '../contract.ts';
import { countsNamed, groupsOf, type Slice } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import { conditionColumn } from '../shared/tables.ts';
import type { AttackDesign } from './design.ts';
import type { AdversarialOptions } from './options.ts';

const counted = [
  ...(['clips', 'words', 'errors', 'lost', 'characters', 'characterErrors', 'empty', 'oneWord'] as const),
  // Beside the clean clip: clips for which an attack succeeds, errors there, and those beyond.
  ...(['successes', 'cleanErrors', 'costs', 'noiseErrors'] as const),
] as const;

/** What counts of a clip of a recognizer in a condition. */
export type AttackedClip = Readonly<Partial<Record<(typeof counted)[number], number>>> & {
  readonly condition: string;
  readonly heard: readonly string[];
};

const answered: Slice<AttackedClip> = { columns: [conditionColumn], of: ({ condition }) => [[condition]] };
/** Beside the clean clip, and beside noise, only those count of which both were answered. */
const besideClean: Slice<AttackedClip> = {
  ...answered,
  of: ({ condition, cleanErrors }) => (cleanErrors === undefined ? [] : [[condition]]),
};
const besideNoise: Slice<AttackedClip> = {
  ...answered,
  of: ({ condition, noiseErrors }) => (noiseErrors === undefined ? [] : [[condition]]),
};

/** Clips by condition, for everybody and by group. */
export function attackCube(
  { recognizers, conditions }: AttackDesign,
  { groupBy, level, resamples, minimumSpeakers }: AdversarialOptions,
  { seed, computing }: Pick<StudyContext, 'seed' | 'computing'>,
) {
  return openCube<AttackedClip>()({
    series: recognizers.map(({ name }) => name),
    conditions: conditions.map(({ name }) => name),
    counts: countsNamed(counted),
    ratios: {
      wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'], watched: true },
      cer: { label: 'CER', kind: 'rate', over: ['characterErrors', 'characters'] },
      success: { label: 'Success', kind: 'rate', over: ['successes', 'clips'], proportion: true },
      lost: { label: 'Words lost', kind: 'rate', over: ['lost', 'words'] },
      cleanWer: { label: 'WER, clean', kind: 'rate', over: ['cleanErrors', 'words'] },
      cost: { label: 'Cost', kind: 'difference', over: ['costs', 'words'] },
      noiseWer: { label: 'WER, noise', kind: 'rate', over: ['noiseErrors', 'words'] },
    },
    slices: {
      answered,
      besideClean,
      besideNoise,
      groups: groupsOf(groupBy, answered),
      groupsBesideClean: groupsOf(groupBy, besideClean),
    },
    unit: 'speaker',
    words: 'words',
    heard: ({ heard }) => heard,
    paired: false,
    settings: { level, resamples, minimumSpeakers, seed, ...(computing && { computing }) },
  });
}

export type AttackCube = ReturnType<typeof attackCube>;
