import type { SampleSize } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { errors, referenceLength } from '../../scoring/edit-counts.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { countsNamed, groupsOf, type Slice } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { conditionColumn } from '../shared/tables.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { type Design, isAttack } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { placesOf, type UtteranceSheet } from './worst-utterances.ts';

/** What counts of one recognition. */
interface Scored {
  readonly condition: string;
  /** Number of its data set. */
  readonly dataset: string;
  /** Each recognizer hears attacks of its own: they are pooled with nothing. */
  readonly isAttack: boolean;
  readonly errors: number;
  readonly words: number;
  readonly characterErrors: number;
  readonly characters: number;
  /** Of the same words in clean sound; null where that was not answered, or is none. */
  readonly errorsBefore: number | null;
  readonly transcript: string;
}

type Settings = Pick<RobustnessOptions, 'level' | 'resamples' | 'minimumSpeakers' | 'groupBy'>;

const ofWords = countsNamed(['errors', 'words']);
const ofCharacters = countsNamed(['characterErrors', 'characters']);
const ofClean = {
  errorsBefore: { label: 'Errors in clean audio', hidden: true, of: ({ errorsBefore }: Scored) => errorsBefore ?? 0 },
} as const;
const rates = { wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'], watched: true } } as const;

/** Errors by condition and data set; empty. */
function openCells({ recognizers }: Design, unit: Clusters, options: Settings, seed: number) {
  const { level, resamples, minimumSpeakers } = options;
  const place = ({ dataset, condition }: Scored) => [dataset, condition];
  const columns = [{ key: 'dataset', label: 'Data set', kind: 'text' } as const, conditionColumn];
  return openCube<Scored>()({
    series: recognizers.map(({ name }) => name),
    conditions: [],
    counts: { ...ofWords, ...ofCharacters, ...ofClean },
    ratios: { ...rates, cer: { label: 'CER', kind: 'rate', over: ['characterErrors', 'characters'] } },
    slices: {
      condition: { columns, apart: true, paired: true, of: (scored) => [place(scored)] },
      // On what was answered in clean sound too.
      change: { columns, apart: true, of: (scored) => (scored.errorsBefore === null ? [] : [place(scored)]) },
      pooled: { columns: [], paired: true, of: (scored) => (scored.isAttack ? [] : [[]]) },
    },
    unit,
    words: 'words',
    heard: ({ transcript }) => transcript.split(/\s+/u),
    paired: false,
    settings: { level, resamples, minimumSpeakers, seed },
  });
}

/** Errors by group and condition; empty. */
function openGroups(recognizers: Design['recognizers'], unit: Clusters, options: Settings, seed: number) {
  const { level, resamples, minimumSpeakers } = options;
  const byCondition: Slice<Scored> = {
    columns: [conditionColumn],
    paired: true,
    of: ({ condition }) => [[condition]],
  };
  return openCube<Scored>()({
    series: recognizers.map(({ name }) => name),
    conditions: [],
    counts: ofWords,
    ratios: rates,
    slices: {
      clean: { ...byCondition, of: ({ condition }) => (condition === clean.name ? [[condition]] : []) },
      group: groupsOf(options.groupBy, byCondition),
    },
    unit,
    words: 'words',
    heard: ({ transcript }) => transcript.split(/\s+/u),
    paired: false,
    settings: { level, resamples, minimumSpeakers, seed },
  });
}

type Clusters = ReturnType<typeof createSpeakerClusters>;
export type Cells = ReturnType<typeof openCells>;
export type Groups = ReturnType<typeof openGroups>;
export type GroupPart = ReturnType<Groups['parts']>[number];

/** What was counted in one pass; the same number is the same speaker everywhere. */
export interface Counts {
  readonly cells: Cells;
  /** By data set. */
  readonly groups: readonly Groups[];
  /** Groups of all data sets together, on clean sound. */
  readonly everybody: Groups;
  /** What a validity gate keeps; null without one. */
  readonly valid: ValidCounts | null;
}

/** What remains when only those trials count whose sound is valid. */
export interface ValidCounts {
  readonly cells: Cells;
  /** Trials whose sound was judged. */
  readonly judged: number;
  /** By condition: trials of all recognizers whose sound is not valid, and of those that nobody rated. */
  readonly excluded: Float64Array;
  readonly unrated: Float64Array;
}

/** Counts that are empty, and how an utterance of which everything is known is added. */
export function openCounts(design: Design, options: RobustnessOptions, seed: number, validity: CaseValidity | null) {
  const { recognizers, conditions, survey, repeats } = design;
  const clusters = createSpeakerClusters();
  const groupsOfOne = () => openGroups(recognizers, clusters, options, seed);
  const cells = openCells(design, clusters, options, seed);
  const groups = survey.datasets.map(groupsOfOne);
  const everybody = groups.length === 1 ? groups[0]! : groupsOfOne();
  const valid = validity && {
    cells: openCells(design, clusters, options, seed),
    judged: 0,
    excluded: new Float64Array(conditions.length),
    unrated: new Float64Array(conditions.length),
  };
  const places = placesOf(design);

  const add = (sheet: UtteranceSheet): void => {
    const { utterance, reference, scored, observations } = sheet;
    const dataset = survey.datasetOf(utterance);
    const all = [cells, groups[dataset]!, everybody, ...(valid === null ? [] : [valid.cells])];
    // Who speaks counts, answered or not.
    for (const cube of new Set(all)) cube.add(utterance, []);
    for (const condition of design.conditionsOf(utterance)) {
      for (let draw = 0; draw < design.soundDraws(condition); draw++) {
        for (let repeat = 0; repeat < repeats; repeat++) {
          const here = recognizers.map((_, recognizer) => places.of({ condition, draw, repeat, recognizer }));
          const facts = here.map((place, recognizer): Scored | null => {
            const own = scored[place];
            if (own === undefined) return null;
            const before = scored[places.of({ condition: 0, draw: 0, repeat, recognizer })];
            const isCompared = condition > 0 && condition < design.disturbed;
            return {
              condition: conditions[condition]!.name,
              dataset: String(dataset),
              isAttack: isAttack(condition, design),
              ...{ errors: errors(own.words), words: reference.length },
              ...{ characterErrors: errors(own.characters), characters: referenceLength(own.characters) },
              transcript: observations[place]?.transcript?.text ?? '',
              errorsBefore: isCompared && before !== undefined ? errors(before.words) : null,
            };
          });
          cells.add(utterance, facts);
          groups[dataset]!.add(utterance, facts);
          if (condition === 0 && groups.length > 1) everybody.add(utterance, facts);
          if (valid === null) continue;
          // Clean sound is always kept.
          const always = condition === 0 || isAttack(condition, design);
          const asked = always ? 0 : here.filter((place) => observations[place] !== undefined).length;
          const judgement = asked === 0 ? 'kept' : validity!.judge(utterance, conditions[condition]!, draw);
          valid.judged += asked;
          if (judgement === 'kept') valid.cells.add(utterance, facts);
          else (judgement === 'excluded' ? valid.excluded : valid.unrated)[condition]! += asked;
        }
      }
    }
  };
  return { counts: { cells, groups, everybody, valid } satisfies Counts, add };
}

/** Errors under words by speaker, and how much stands behind them. */
export interface Heard {
  readonly words: ClusteredCounts;
  readonly characters: ClusteredCounts;
  /** The same words in clean sound; of `change`. */
  readonly before: ClusteredCounts;
  readonly n: Required<Pick<SampleSize, 'utterances' | 'speakers' | 'words' | 'pairs'>>;
}

/**
 * What a recognizer made of some data sets in a condition, or of all conditions.
 *
 * @param also on the trials that this one answered too
 */
export function heardOf(
  cells: Cells,
  slice: 'condition' | 'change' | 'pooled',
  paths: readonly (readonly string[])[],
  recognizer: number,
  also?: number,
): Heard {
  const gathered = cells.gather(slice, paths, recognizer, also);
  const { counts } = gathered;
  return {
    words: { numerators: counts.errors, denominators: counts.words },
    get characters() {
      return { numerators: counts.characterErrors, denominators: counts.characters };
    },
    get before() {
      return { numerators: counts.errorsBefore, denominators: counts.words };
    },
    get n() {
      return { ...gathered.n, words: sum(counts.words) };
    },
  };
}

/** The cells of a condition in every data set. */
export function everywhere(condition: number, { conditions, survey }: Design): (readonly string[])[] {
  return survey.datasets.map((_, dataset) => [String(dataset), conditions[condition]!.name]);
}

/** The cell of a condition in one data set. */
export function cellOf(
  { condition, dataset }: { readonly condition: number; readonly dataset: number },
  { conditions }: Design,
): [readonly string[]] {
  return [[String(dataset), conditions[condition]!.name]];
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Null where there are no words. */
export function rateOf({ numerators, denominators }: ClusteredCounts): number | null {
  const words = sum(denominators);
  return words === 0 ? null : sum(numerators) / words;
}
