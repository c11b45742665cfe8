import { createRandom } from '../../base/random.ts';
import type { AlignedWord, Chart, Comparison, Estimate, Example, Finding, Table } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';

const method = 'BCa bootstrap over speakers, 2,000 resamples';
const speakers = 16;
const recognizers = ['debian-default', 'narrow-beams'] as const;
const families = [
  { name: 'sample/noise', axis: 'SNR (dB)', ticks: ['clean', '20', '15', '10', '5', '2'], steep: 0.12 },
  { name: 'sample/drop', axis: 'Dropped frames (%)', ticks: ['clean', '5', '10', '15', '20', '25'], steep: 0.06 },
] as const;

/** Text that tries to be more than text, in every way known to the tests. */
export const hostileText =
  '</script><script>window.stolen=1</script><img src=x onerror="window.stolen=2">\u001b[31m\u202egnp.exe\u200b | `x` [a](javascript:alert(1)) & =1+1';

/**
 * A report with invented figures, for tests and for looking at the design: two recognizers, two ladders, sixteen speakers
 * of two sexes, failures, reasons instead of numbers, and (where asked) hostile text.
 */
export function sampleReport({ hostile = false }: { readonly hostile?: boolean } = {}): RunReport {
  return {
    earwitness: '0.1.0',
    run: { name: hostile ? hostileText : 'SAMPLE – made-up figures: two decoders on telephone speech', seed: 7 },
    recognizers: recognizers.map((name, index) => ({
      name,
      identity: {
        engine: 'pocketsphinx',
        version: '0.8+5prealpha',
        model: { acoustic: 'sample-acoustic', sha256: '0'.repeat(64) },
        settings: { beam: index === 0 ? 1e-48 : 1e-20, sampleRate: 16000 },
        ...(hostile && { note: hostileText }),
      },
    })),
    tally: {
      trials: 3520,
      answered: 3506,
      failed: 14,
      reused: 320,
      failures: hostile ? { crash: 9, timeout: 4, [hostileText]: 1 } : { crash: 9, timeout: 4, garbage: 1 },
      possiblyPaid: 2,
    },
    failures: [
      {
        recognizer: recognizers[0]!,
        trials: 1760,
        failed: 14,
        reasons: [
          { kind: 'crash', message: "the engine's process was ended by SIGSEGV", count: 9, varied: false },
          { kind: 'timeout', message: hostile ? hostileText : 'no answer within 300 s', count: 4, varied: true },
        ],
      },
    ],
    findings: [robustness(hostile)],
    warnings: [
      'These are made-up figures that show what a report looks like.',
      ...(hostile ? [hostileText] : []),
      '14 of 3,520 trials failed (0.40 %) and are left out of the rates.',
    ],
    timing: { run: 'sample', elapsedSeconds: 412.7, date: '2026-01-01' },
  };
}

function robustness(hostile: boolean): Finding {
  const random = createRandom('sample report');
  const jitter = () => (random.next() - 0.5) * 0.012;
  const rate = (value: number, utterances = 160): Estimate => {
    const half = 0.012 + value * 0.11;
    const n = { utterances, speakers, words: utterances * 9 };
    return { value, low: Math.max(0, value - half), high: value + half * 1.15, level: 0.95, n, method };
  };
  const compare = (value: number, half: number, pValue: number): Comparison => ({
    difference: {
      value,
      low: value - half,
      high: value + half,
      level: 0.95,
      n: { utterances: 160, speakers, pairs: 160 },
      method,
    },
    pValue,
    adjustedPValue: Math.min(1, pValue * 4),
    test: 'paired permutation test over speakers',
    verdict: Math.abs(value) < half ? 'cannot tell' : value < 0 ? 'better' : 'worse',
  });
  const none: Estimate = {
    value: null,
    low: null,
    high: null,
    level: 0.95,
    n: { utterances: 3, speakers: 1 },
    reason: { code: 'text', text: 'only 1 speaker: an interval needs at least 5' },
    method,
  };
  const noInterval: Estimate = {
    ...rate(0.31, 9),
    low: null,
    high: null,
    reason: { code: 'text', text: 'only 2 speakers: an interval needs at least 5' },
  };
  const wer = (recognizer: number, steep: number, rank: number) =>
    rate(0.112 + recognizer * 0.021 + steep * rank * (1 + recognizer * 0.25) + jitter());

  const charts: Chart[] = families.map(({ name, axis, ticks, steep }) => ({
    title: hostile ? `${name} ${hostileText}` : name,
    xLabel: axis,
    xTicks: ticks,
    yLabel: 'Word error rate',
    yKind: 'rate',
    series: recognizers.map((recognizer, index) => ({
      name: recognizer,
      points: ticks
        .map((_, x) => ({ x, estimate: index === 1 && x === 4 ? none : wer(index, steep, x) }))
        .filter(({ x }) => !(index === 1 && x === 2 && steep < 0.1)),
    })),
  }));
  const groups: Table = {
    id: 'groups',
    title: 'Word error rate by sex of the speaker',
    columns: [
      { key: 'group', label: 'Group', kind: 'text' },
      { key: 'condition', label: 'Condition', kind: 'text' },
      { key: 'utterances', label: 'Utterances', kind: 'count' },
      ...recognizers.map((name) => ({
        key: name,
        label: name,
        kind: 'rate' as const,
        help: 'Errors per reference word.',
      })),
      { key: 'difference', label: 'Difference', kind: 'difference', help: 'Second recognizer minus first.' },
    ],
    rows: [
      ['female', 'clean', 72, rate(0.121), rate(0.148), compare(0.027, 0.019, 0.004)],
      ['male', 'clean', 88, rate(0.104), rate(0.117), compare(0.013, 0.017, 0.12)],
      ['female', 'sample/noise:5', 72, rate(0.742), rate(0.93), compare(0.188, 0.041, 0.0001)],
      ['male', 'sample/noise:5', 88, rate(0.655), rate(0.617), compare(-0.038, 0.03, 0.009)],
      [hostile ? hostileText : 'not stated', 'clean', 9, noInterval, none, null],
    ].map(([group, condition, utterances, first, second, difference]) => ({
      group: group as string,
      condition: condition as string,
      utterances: utterances as number,
      [recognizers[0]]: first as Estimate,
      [recognizers[1]]: second as Estimate,
      difference: difference as Comparison | null,
    })),
    note: 'Speakers, not utterances, are drawn again for the intervals.',
  };
  const suspicious: Table = {
    id: 'suspicious',
    title: 'References worth a second look',
    columns: [
      { key: 'utterance', label: 'Utterance', kind: 'text' },
      { key: 'reference', label: 'Reference', kind: 'text', transcript: true },
      { key: 'rate', label: 'Words per second', kind: 'ratio' },
    ],
    rows: [
      { utterance: 'sample-0042', reference: hostile ? hostileText : 'go', rate: 0.12 },
      { utterance: 'sample-0107', reference: 'she had your dark suit in greasy wash water all year', rate: 9.4 },
    ],
  };
  return {
    study: { name: 'robustness', version: 1 },
    title: 'Robustness: word error rate as the audio gets worse',
    settings: {
      normalizer: 'basic@1',
      level: 0.95,
      resamples: 2000,
      minimumSpeakers: 5,
      ladders: ['sample/noise', 'sample/drop'],
    },
    answer: [
      {
        text: 'debian-default makes fewer errors than narrow-beams on clean speech: 11.2 % against 13.3 % of words.',
        verdict: 'better',
        estimate: rate(0.112),
        comparison: compare(-0.021, 0.012, 0.0006),
      },
      {
        text: 'In the worst condition, sample/noise:5, debian-default stays ahead.',
        estimate: rate(0.712),
        comparison: compare(-0.063, 0.031, 0.0004),
      },
      {
        text: 'narrow-beams makes more errors for women than for men in noise.',
        verdict: 'worse',
        estimate: rate(0.93),
        comparison: compare(0.118, 0.055, 0.002),
      },
      {
        text: 'These data do not show whether the two differ under dropped frames.',
        comparison: compare(0.004, 0.017, 0.61),
      },
      { text: 'Speakers who did not state their sex are too few to judge.', estimate: none },
    ],
    sections: [
      {
        id: 'ladders',
        title: 'Over each ladder',
        text: ['Each line is a recognizer, each band its 95 % interval. Further right, the audio is worse.'],
        charts,
      },
      { id: 'groups', title: 'For whom', tables: [groups] },
      { id: 'corpus', title: 'The references', tables: [suspicious] },
      { id: 'worst', title: 'Worst utterances', examples: examples(hostile) },
    ],
    warnings: ['With 16 speakers, intervals are wide: differences below about 2 points cannot be seen.'],
    timing: {
      answer: [
        {
          text: 'debian-default needs 0.21 seconds of computing per second of audio, free of charge; narrow-beams 0.09.',
          estimate: { ...rate(0.21), value: 0.21, low: 0.2, high: 0.23 },
          kind: 'ratio',
        },
      ],
      sections: [
        {
          id: 'speed',
          title: 'Speed',
          tables: [
            {
              id: 'speed',
              title: 'Seconds per trial and price',
              columns: [
                { key: 'recognizer', label: 'Recognizer', kind: 'text' },
                { key: 'median', label: 'Median', kind: 'seconds' },
                { key: 'slowest', label: 'Slowest', kind: 'seconds' },
                { key: 'price', label: 'Price per hour (USD)', kind: 'money' },
                { key: 'verdict', label: 'Against the first', kind: 'verdict' },
                { key: 'p', label: 'p', kind: 'pvalue' },
              ],
              rows: [
                { recognizer: recognizers[0], median: 0.64, slowest: 4.1, price: 0, verdict: null, p: null },
                {
                  recognizer: recognizers[1],
                  median: 0.047,
                  slowest: 132.5,
                  price: 0.0216,
                  verdict: 'better',
                  p: 0.0002,
                },
              ],
            },
          ],
        },
      ],
    },
  };
}

function examples(hostile: boolean): readonly Example[] {
  const same = (text: string): AlignedWord[] => text.split(' ').map((word) => ({ reference: word, hypothesis: word }));
  return Array.from({ length: 6 }, (_, index) => ({
    title: hostile && index === 0 ? hostileText : `Everything but the verb was misrecognized (${index + 1})`,
    utteranceId: hostile && index === 0 ? hostileText : `sample-00${40 + index}`,
    conditionName: 'sample/noise:5',
    draw: index % 2,
    transcripts: [
      {
        label: recognizers[0],
        aligned: [
          ...same('she had your'),
          { reference: 'dark', hypothesis: hostile ? hostileText : 'park' },
          { reference: 'suit', hypothesis: null },
          ...same('in greasy wash water'),
          { reference: null, hypothesis: 'tall' },
          ...same('all year'),
        ],
      },
      {
        label: recognizers[1],
        aligned: null,
        note: index === 1 ? 'crash: the process died twice' : 'timeout: no answer in 30 s',
      },
      { label: 'another, correct', aligned: same('she had your dark suit in greasy wash water all year') },
    ],
  }));
}
