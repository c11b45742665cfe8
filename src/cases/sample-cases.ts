import { sha256 } from '../base/hash.ts';
import { proportionalAllocation, sampleSizeForProportion } from '../statistics/planning/sample-size.ts';
import type { DifferentialCase } from '../studies/differential/case.ts';

/** A failed case drawn to be listened to. */
export interface SampledCase {
  /** Of the row: text, transcript, who spoke and who wrote. 16 hexadecimal digits. */
  readonly id: string;
  readonly row: DifferentialCase;
  readonly synthesizer: string;
  /** Failed cases of its cell, synthesizer x recognizer, and how many of them were drawn. */
  readonly cellFailed: number;
  readonly cellSampled: number;
}

export interface CaseSample {
  /** Failed cases to draw from. */
  readonly population: number;
  /** How many the formula asks for, before they are spread over the cells. */
  readonly wanted: number;
  /** In random order. */
  readonly cases: readonly SampledCase[];
}

export interface SampleOptions {
  /** Half of the interval's length, .05 by default. */
  readonly halfWidth?: number;
  /** Confidence level, .95 by default. */
  readonly level?: number;
  /** So many instead of what the formula asks for. */
  readonly count?: number;
  readonly seed: number;
}

/**
 * Draws failed cases for people to verify: as many as a proportion needs to be known to a half width at a level in a population of
 * this size, spread in proportion over the cells synthesizer x recognizer, each share rounded up so that every cell has one (CrossASR,
 * section III-E). Whether a case is drawn depends on the seed, the case and the others of its cell.
 *
 * CrossASR's 33,618 need 380; its sample of 395 is that of an endless population, 385, spread over its 16 cells (393), and two more.
 *
 * @param failed every failed case of a run
 * @example sampleCases(cases.filter(({ status }) => status === 'failed'), { seed: 1 }).cases.length
 */
export function sampleCases(failed: readonly DifferentialCase[], options: SampleOptions): CaseSample {
  const { halfWidth = 0.05, level = 0.95, seed } = options;
  const population = failed.length;
  if (population === 0) return { population, wanted: 0, cases: [] };
  const wanted = options.count ?? sampleSizeForProportion({ halfWidth, level, population }).count;
  const cells = [...Map.groupBy(failed, cellOf)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rows]) => rows);
  const shares = proportionalAllocation(
    cells.map(({ length }) => length),
    wanted,
  );
  const drawn = cells.flatMap((rows, cell) =>
    rows
      .map((row) => ({ row, id: caseId(row) }))
      .map((one) => ({ ...one, order: sha256(`${seed} ${one.id}`) }))
      .sort(byOrder)
      .slice(0, shares[cell])
      .map(({ row, id, order }) => ({
        order,
        sampled: {
          ...{ id, row, synthesizer: synthesizerOfVoice(row.voice) },
          ...{ cellFailed: rows.length, cellSampled: shares[cell]! },
        },
      })),
  );
  return { population, wanted, cases: drawn.sort(byOrder).map(({ sampled }) => sampled) };
}

/** What stands before the colon of a voice: voices of one synthesizer are one cell. */
export function synthesizerOfVoice(voice: string): string {
  const colon = voice.indexOf(':');
  return colon < 0 ? voice : voice.slice(0, colon);
}

/**
 * The identity of a case: a check file whose text or transcript was edited no longer has it.
 *
 * Its first letters keep spreadsheets from reading digits with an e among them as a number.
 *
 * @example caseId(row) // 'case-3f0c5a9e12b47d68'
 */
export function caseId({
  text,
  transcript,
  voice,
  recognizer,
  sound,
}: Pick<DifferentialCase, 'text' | 'transcript' | 'voice' | 'recognizer' | 'sound'>): string {
  // As a table can carry them: neither half a pair of surrogates nor a zero comes back from a file.
  const told = [text, transcript, voice, recognizer, sound.conditionName].map((one) =>
    one.toWellFormed().replaceAll('\0', '␀'),
  );
  return `case-${sha256(JSON.stringify([...told, sound.draw])).slice(0, 16)}`;
}

function cellOf({ voice, recognizer }: DifferentialCase): string {
  return JSON.stringify([synthesizerOfVoice(voice), recognizer]);
}

function byOrder(a: { readonly order: string }, b: { readonly order: string }): number {
  return a.order < b.order ? -1 : 1;
}
