import { findRoot } from '../../statistics/optimization/find-root.ts';
import { logisticRegression } from '../../statistics/regression/logistic-regression.ts';
import { type SparseRows, timesColumns } from '../../statistics/regression/sparse-rows.ts';
import type { Prediction, TriedText } from '../contract.ts';
import type { FeatureBlock } from './hashed-features.ts';

/**
 * Penalties of the blocks of few measures, and of those of many features: how far coefficients are thought to lie from what was
 * expected beforehand (the inverse of a normal prior's variance). Where little is tried predictions are nearly what was expected. They
 * stay the same however many are tried: chosen anew by cross-validation they were too strong with hundreds of texts, and no better
 * with tens (design/predictors.md).
 */
const penalties = { few: 64, many: 30 } as const;

/** Raised whenever a prediction from the same features changes. */
export const stagesVersion = 2;

/**
 * The two stages of CrossASR (M. Asyrofi et al., "CrossASR: Efficient differential testing of automatic speech recognition via
 * text-to-speech", ICSME 2020, section III-C) with logistic regressions in place of its network: one for whether a text is
 * determinable, from all tried texts, and one for whether any recognizer fails, from those that were.
 */
export function predictStages(tried: readonly TriedText[], poolSize: number, blocks: StageBlocks): Prediction {
  const rows = [...tried.keys()];
  const determined = rows.filter((row) => tried[row]!.determinable && tried[row]!.failed !== null);
  const shares = determined.every((row) => typeof tried[row]!.failedShare === 'number');
  const stage = (name: StageData['name'], of: readonly number[], outcomeOf: (text: TriedText) => number) =>
    fitStage(
      { name, rows: of, outcomes: Float64Array.from(of, (row) => outcomeOf(tried[row]!)) },
      blocks[name],
      poolSize,
    );
  return {
    determinable: stage('determinable', rows, ({ determinable }) => Number(determinable)),
    failing: stage('failing', determined, ({ failed, failedShare }) => (shares ? failedShare! : Number(failed))),
  };
}

/** What either stage learns from. */
export type StageBlocks = Readonly<Record<'determinable' | 'failing', readonly FeatureBlock[]>>;

interface StageData {
  readonly name: 'determinable' | 'failing';
  readonly rows: readonly number[];
  readonly outcomes: Float64Array;
}

function fitStage({ name, rows, outcomes }: StageData, blocks: readonly FeatureBlock[], poolSize: number) {
  const table = joinBlocks(blocks, rows);
  const prior = joined(blocks, (block) => block.prior?.[name] ?? new Float64Array(block.columns));
  const offsets = new Float64Array(rows.length);
  timesColumns(table, prior, 0, offsets);

  const sum = outcomes.reduce((total, outcome) => total + outcome, 0);
  let coefficients = prior;
  let intercept: number;
  if (sum > 0 && sum < rows.length) {
    const penalty = joined(blocks, ({ columns, penalty }) => new Float64Array(columns).fill(penalties[penalty]));
    const fit = logisticRegression(table, outcomes, { penalty, offsets, tolerance: 1e-3 });
    coefficients = fit.coefficients.map((value, column) => value + prior[column]!);
    intercept = fit.intercept;
  } else {
    // All alike: what is expected beforehand, at the share that Jeffreys' prior gives.
    intercept = interceptFor((sum + 0.5) / (rows.length + 1), offsets);
  }

  const scores = new Float64Array(poolSize).fill(intercept);
  let column = 0;
  for (const block of blocks) {
    block.addScores(coefficients.subarray(column, column + block.columns), scores);
    column += block.columns;
  }
  return scores.map((score) => 1 / (1 + Math.exp(-score)));
}

/** More than any score that is told from a chance of 0 or 1. */
const greatestIntercept = 100;

/** What is to be added to scores so that their chances are so high on average. */
function interceptFor(share: number, scores: Float64Array): number {
  const known = scores.length === 0 ? new Float64Array(1) : scores;
  const excess = (intercept: number) =>
    known.reduce((sum, score) => sum + 1 / (1 + Math.exp(-score - intercept)) - share, 0);
  return findRoot(excess, -greatestIntercept, greatestIntercept);
}

function joinBlocks(blocks: readonly FeatureBlock[], rows: readonly number[]): SparseRows {
  const starts = new Uint32Array(rows.length + 1);
  const parts = rows.map((row) => blocks.map((block) => block.row(row)));
  parts.forEach((ofRow, place) => {
    starts[place + 1] = starts[place]! + ofRow.reduce((sum, { indexes }) => sum + indexes.length, 0);
  });
  const indexes = new Uint32Array(starts.at(-1)!);
  const values = new Float64Array(starts.at(-1)!);
  parts.forEach((ofRow, place) => {
    let at = starts[place]!;
    let firstColumn = 0;
    ofRow.forEach((part, block) => {
      for (let index = 0; index < part.indexes.length; index++, at++) {
        indexes[at] = firstColumn + part.indexes[index]!;
        values[at] = part.values[index]!;
      }
      firstColumn += blocks[block]!.columns;
    });
  });
  return { rows: rows.length, columns: blocks.reduce((sum, { columns }) => sum + columns, 0), starts, indexes, values };
}

function joined(blocks: readonly FeatureBlock[], of: (block: FeatureBlock) => Float64Array): Float64Array {
  const all = new Float64Array(blocks.reduce((sum, { columns }) => sum + columns, 0));
  let column = 0;
  for (const block of blocks) {
    all.set(of(block), column);
    column += block.columns;
  }
  return all;
}
