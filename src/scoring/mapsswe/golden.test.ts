// What NIST's sc_stats said of five pairs of systems, in shared/golden/mapsswe, whose make.py tells how it was asked.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mcnemar } from '../../statistics/significance/binomial-test.ts';
import { mapsswe, scStatsBinomial, scStatsSignTest, scStatsWilcoxon } from '../../statistics/significance/mapsswe.ts';
import { align } from '../alignment/align.ts';
import { countEdits } from '../alignment/count-edits.ts';
import { errors, referenceLength } from '../edit-counts.ts';
import { comparedSegments } from './compared-segments.ts';

const file = new URL('../../../../shared/golden/mapsswe/mapsswe.json', import.meta.url);
const skip = existsSync(file) ? false : 'shared/golden/mapsswe is not beside the repository';
// biome-ignore lint/suspicious/noExplicitAny: the golden file is read as it is
const sets: any[] = skip ? [] : JSON.parse(readFileSync(file, 'utf8')).sets;

interface Utterance {
  readonly speaker: number;
  readonly texts: readonly [reference: string[], first: string[], second: string[]];
}

const utterancesOf = (set: Record<string, [number, string, string, string][]>): Utterance[] =>
  set['utterances [speaker, ref, A, B]']!.map(([speaker, ...texts]) => {
    const words = texts.map((text) => text.split(' ').filter(Boolean));
    return { speaker, texts: words as [string[], string[], string[]] };
  });

test('Segments, their mean, deviation and z are those of sc_stats, segment by segment.', { skip }, () => {
  for (const set of sets) {
    const segments = utterancesOf(set).flatMap(({ texts: [reference, first, second] }) =>
      comparedSegments(align(reference, first, 'sclite'), align(reference, second, 'sclite')),
    );
    const first = segments.map(({ firstErrors }) => firstErrors);
    const second = segments.map(({ secondErrors }) => secondErrors);
    const byFormula = set.by_the_formula_on_sclite_alignments;
    assert.deepEqual(
      segments.map(({ firstErrors, secondErrors }) => firstErrors - secondErrors),
      byFormula.differences_A_minus_B,
    );
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    assert.deepEqual([sum(first), sum(second)], [set.mapsswe.errors_A, set.mapsswe.errors_B]);
    const result = mapsswe(first, second);
    assert.equal(result.segments, set.mapsswe.segments);
    assert.equal(Number(result.meanDifference!.toFixed(3)), set.mapsswe.mean);
    assert.equal(Number(result.standardDeviation!.toFixed(3)), set.mapsswe.sd);
    assert.equal(Number(result.z!.toFixed(3)), set.mapsswe.z);
    assert.equal(result.pValue! <= 0.05, set.mapsswe['different_at_.05']);
    assert.ok(Math.abs(result.z! - byFormula.z) < 1e-9);
    assert.ok(Math.abs(result.pValue! / byFormula.p_two_sided_normal - 1) < 1e-9);
  }
  assert.equal(sets.length, skip ? 0 : 5);
});

test('McNemar’s table of sentences is sc_stats’, its exact p scipy’s, and what sc_stats prints is reproduced too.', {
  skip,
}, () => {
  for (const set of sets) {
    const table = [
      [0, 0],
      [0, 0],
    ];
    for (const { texts } of utterancesOf(set)) {
      const [reference, first, second] = texts.map((words) => words.join(' '));
      table[first === reference ? 0 : 1]![second === reference ? 0 : 1]!++;
    }
    const golden = set.mcnemar_sentences;
    assert.deepEqual(table, golden['table [[both right, only A right],[only B right, both wrong]]']);
    const [onlyFirst, onlySecond] = [table[0]![1]!, table[1]![0]!];
    assert.ok(Math.abs(mcnemar(onlyFirst, onlySecond).pValue! / golden.p_exact_scipy - 1) < 1e-9);
    assert.equal(Number(scStatsBinomial(onlyFirst, onlySecond).toFixed(3)), golden.p_printed);
  }
});

test('Wilcoxon’s and the sign test by speaker are sc_stats’ as named variants, zeros counted as it does.', {
  skip,
}, () => {
  let zeros = 0;
  for (const set of sets) {
    const counts = new Map<number, { words: number; errors: [number, number] }>();
    for (const { speaker, texts } of utterancesOf(set)) {
      const [reference, ...hypotheses] = texts;
      const of = counts.get(speaker) ?? { words: 0, errors: [0, 0] };
      const edits = hypotheses.map((hypothesis) => countEdits(reference, hypothesis, 'sclite'));
      counts.set(speaker, {
        words: of.words + referenceLength(edits[0]!),
        errors: [of.errors[0] + errors(edits[0]!), of.errors[1] + errors(edits[1]!)],
      });
    }
    const rates = (system: 0 | 1) => [...counts.values()].map((of) => (100 * of.errors[system]) / of.words);
    const [first, second] = [rates(0), rates(1)];
    const golden = set.wilcoxon_by_speaker;
    const result = scStatsWilcoxon(first, second);
    assert.deepEqual([result.positiveRanks, result.negativeRanks], [golden.positive, golden.negative]);
    assert.equal(Number(result.z!.toFixed(2)), golden.z_printed);
    const { '+': positive, '-': negative, '0': zero } = set.sign_by_speaker.counts;
    const sign = scStatsSignTest(first, second);
    assert.deepEqual([sign.positive, sign.negative, sign.zero], [positive, negative, zero]);
    assert.equal(Number(sign.pValue!.toFixed(3)), set.sign_by_speaker.p_printed);
    const rows = golden['rows [speaker, x, y, difference, rank, signed rank] as printed'];
    const printed = scStatsWilcoxon(
      rows.map((row: number[]) => row[1]),
      rows.map((row: number[]) => row[2]),
    );
    assert.deepEqual([printed.positiveRanks, printed.negativeRanks], [golden.positive, golden.negative]);
    zeros += sign.zero;
  }
  assert.equal(zeros, 2);
});
