import { asJson, type Json } from '../../base/json.ts';
import { formatFixed } from '../../base/number-format.ts';
import { clean } from '../../model/condition.ts';
import type { Section, Statement } from '../../model/finding.ts';
import { column, comparisonColumns, recognizerIn, tableOf } from '../shared/tables.ts';
import { counted, named } from '../shared/wording.ts';
import { type Breaking, type BreakingPoint, highestDb, lowestDb } from './breaking.ts';
import type { Design } from './design.ts';

/** At which SNR half of the clips are heard otherwise, for each recognizer. */
export function breakingAnswer({ points }: Breaking, { recognizers }: Design): Statement[] {
  return points
    .filter(({ group, kind }) => group === null && kind === 'kenansville')
    .map(({ recognizer, median }): Statement => {
      const name = named(recognizers[recognizer]!.name);
      const noise = points.find(
        (one) => one.recognizer === recognizer && one.group === null && one.kind !== 'kenansville',
      )!;
      const beside = noise.median.value === null ? 'unknown' : `${formatFixed(noise.median.value, 0)} dB`;
      if (median.value === null)
        return {
          text: `${name}: it is not known at which SNR kenansville changes half of the transcripts: ${median.reason}.`,
        };
      return {
        text: `${name}: kenansville changes half of the transcripts at ${formatFixed(median.value, 0)} dB SNR (white noise: ${beside}).`,
        estimate: median,
        kind: 'number',
        headline: true,
        about: {
          recognizer: recognizers[recognizer]!.name,
          conditions: asFaint(median.value),
          than: { condition: clean.name },
          by: 'change',
        },
      };
    });
}

/** Conditions of the search at this SNR and above it. */
function asFaint(snrDb: number): string[] {
  const from = Math.ceil(snrDb);
  return Array.from({ length: Math.max(1, highestDb - from + 1) }, (_, step) => `kenansville, ${from + step} dB`);
}

/** The distribution over clips of the SNR at which a transcript first changes. */
export function breakingSection({ points, leftOut }: Breaking, { recognizers }: Design, breakingCer: number): Section {
  const id = 'adversarial-breaking';
  const change =
    breakingCer === 0
      ? 'any word of it differs from that of the clean clip'
      : `it is at least ${Number((100 * breakingCer).toFixed(1))} % of its characters (CER) away from that of the clean clip`;
  const ticks = Array.from({ length: (highestDb - lowestDb) / 5 + 1 }, (_, index) => lowestDb + 5 * index);
  const failed = leftOut.reduce((sum, clips) => sum + clips, 0);
  return {
    id,
    title: 'SNR at which a transcript changes',
    text: [
      `A transcript has changed where ${change}. The highest SNR at which it has is searched for clip by clip, by halving over whole decibels from ${lowestDb} to ${highestDb}; the higher it is, the fainter a sound is enough. The median is over clips, its interval by speaker.`,
      ...(failed > 0 ? [`Left out because a recognizer failed on the way: ${counted(failed, 'clip')}.`] : []),
    ],
    charts: recognizers.map(({ name }, place) => ({
      ...{
        title: `Changed transcripts of ${named(name)}`,
        xLabel: 'SNR (dB)',
        yLabel: 'Share of clips',
        yKind: 'rate' as const,
      },
      xTicks: ticks.map(String),
      series: points
        .filter(({ recognizer, group }) => recognizer === place && group === null)
        .map(({ kind, shares, median }) => ({
          name: kind.replace('-', ' '),
          points: ticks.map((snrDb, x) => ({
            x,
            estimate: {
              ...{ value: shares[snrDb - lowestDb]!, low: null, high: null, level: median.level, n: median.n },
              ...{ reason: 'the median has one', method: 'share of clips' },
            },
          })),
        })),
    })),
    tables: [
      tableOf(id, 'Highest SNR at which the transcript has changed', points, [
        recognizerIn(recognizers),
        column('sounds', 'Sounds', 'text', ({ kind }) => kind.replace('-', ' ')),
        column('group', 'Group', 'text', ({ group }) => (group === null ? 'all' : `${group.attribute} ${group.value}`)),
        column('median', 'Median (dB)', 'number', ({ median }) => median),
        column('upper', 'A quarter changed at (dB)', 'number', ({ shares }) => reachedAt(shares, 0.25)),
        column('lower', 'Three quarters changed at (dB)', 'number', ({ shares }) => reachedAt(shares, 0.75)),
        column('clips', 'Clips', 'count', ({ clips }) => clips),
        column('never', 'Never changed', 'count', ({ never }) => never),
        column(
          'overNoise',
          'Mean, less that of white noise (dB)',
          'number',
          ({ overNoise }) => overNoise?.difference ?? null,
        ),
        ...comparisonColumns(
          'From swapping attack and noise speaker by speaker',
          (row: BreakingPoint) => row.overNoise!,
        ).map((one) => ({ ...one, of: (row: BreakingPoint) => (row.overNoise === null ? null : one.of(row)) })),
      ]),
    ],
  };
}

/** The highest SNR at which at least a share of the clips has changed; null: at none. */
function reachedAt(shares: readonly number[], share: number): number | null {
  const step = shares.findLastIndex((one) => one >= share);
  return step === -1 ? null : lowestDb + step;
}

/** All numbers as plain rows. */
export function breakingData({ points, leftOut }: Breaking, { recognizers }: Design): Json {
  return asJson({
    points: points.map(({ recognizer, ...rest }) => ({ recognizer: recognizers[recognizer]!.name, ...rest })),
    leftOut: leftOut.map((clips, place) => ({ recognizer: recognizers[place]!.name, clips })),
  });
}
