// Every sentence of every study takes all of its figures from one row of a table: held against the report as programs read it, of invented
// answers, and not against anything that a study does inside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { studies } from '../catalog.ts';
import { conditions, findingsOf, saidIn, type World, words, worlds } from '../cli/testing/invented-worlds.ts';
import { compareAnswers } from '../compare/compare-answers.ts';
import { historyFinding } from '../compare/history.ts';
import type { AnswerPair } from '../compare/tally-pairs.ts';
import type { Estimate, Finding } from '../model/finding.ts';
import { normalizerNamed } from '../scoring/normalizers/normalizers.ts';
import { said } from '../studies/shared/testing/testing.ts';
import { renderJson } from './json/render-json.ts';
import { resultTableOf } from './prepare/result-table.ts';
import { hollowSentences, tornSentences } from './testing/figures.ts';
import { sampleReport } from './testing/sample-report.ts';

/** Sentences that need no row, each with the reason why. */
const exempt: readonly (readonly [RegExp, reason: string])[] = [
  [/^A ratio of 1\.2 means 20 % more/, 'explains a column by an example'],
];

/** A finding as programs read it. */
function read(finding: Finding): Finding {
  return JSON.parse(renderJson({ ...sampleReport(), findings: [finding] })).findings[0];
}

/** Sentences that take their figures from no row or several, or tell of nothing. */
function wrong(made: Finding, recognizers: number): string[] {
  const finding = read(made);
  const asked = finding.answer.flatMap(({ about }) => about?.conditions ?? []);
  const names = [
    Array.from({ length: recognizers }, (_, place) => `engine${place + 1}`),
    ['female', 'male', ...Array.from({ length: 6 }, (_, place) => `region${place}`)],
    [...new Set([...conditions, ...asked])],
  ];
  // What stands above its first table is of the same rows.
  const table = resultTableOf(finding);
  const found = table === null ? [] : [...table.found, ...table.open];
  const whole = { ...finding, answer: [...finding.answer, ...found.map((text) => ({ text }))] };
  const told = [...tornSentences(whole, names), ...hollowSentences(whole, names)];
  return told.filter((sentence) => !exempt.some(([pattern]) => pattern.test(sentence)));
}

for (const name of Object.keys(studies) as (keyof typeof studies)[]) {
  for (const [world, invented] of Object.entries(worlds)) {
    // It takes two recognizers.
    if (name === 'differential' && invented.recognizers < 2) continue;
    test(`${name}, ${world}: every sentence takes its figures from one row`, async () => {
      for (const finding of await findingsOf(name, invented))
        assert.deepEqual(wrong(finding, invented.recognizers), []);
    });
  }
}

/** Answers of engine1 beside those of the next, or of itself where there is no other, as pairs of a comparison. */
async function* pairsOf({ people, says, recognizers }: World): AsyncGenerator<AnswerPair> {
  for (const utterance of people) {
    for (const name of ['clean', ...conditions]) {
      const condition = { name, steps: name === 'clean' ? [] : [{ perturbation: 'gain', parameters: {} }] };
      const [before, after] = [1, Math.min(2, recognizers)].map((number, draw) => {
        const trial = { utterance, condition, draw, recognizer: `engine${number}`, repeat: 0 };
        const answer = says(trial);
        return typeof answer === 'string' ? said(answer) : answer;
      });
      yield { utterance, conditionName: name, draw: 0, repeat: 0, before: before!, after: after! };
    }
  }
}

for (const [world, invented] of Object.entries(worlds)) {
  test(`comparison, ${world}: every sentence takes its figures from one row`, async () => {
    const finding = await compareAnswers(pairsOf(invented), {
      ...{ beforeLabel: 'engine1', afterLabel: 'engine2', normalizer: normalizerNamed('basic') },
      ...{ seed: 1, unpaired: { onlyBefore: 0, onlyAfter: 0 } },
    });
    assert.deepEqual(wrong(finding, 2), []);
  });

  test(`history, ${world}: every sentence takes its figures from one row`, () => {
    const runs = Array.from({ length: 6 }, (_, run) => {
      return { id: `run-${run}`, begunAtMs: Date.UTC(2026, 0, run + 1), changed: [] };
    });
    const trialsOf = (run: number) =>
      invented.people.map((utterance, place) => {
        const condition = { name: 'clean', steps: [] };
        const answer = invented.says({ utterance, condition, draw: run, recognizer: 'engine1', repeat: 0 });
        const heard = typeof answer === 'string' ? answer.split(' ') : [];
        const errors = saidIn(utterance).filter((word, at) => word !== heard[at]).length;
        // It gets worse from the fourth run on, but where nobody errs.
        const more = run > 3 && world !== 'ties and zeros' && place % 3 > 0 ? 2 : 0;
        return {
          question: utterance.id,
          utterance,
          words: words.length,
          errors: Math.min(words.length, errors + more),
        };
      });
    const options = { recognizer: 'engine1', condition: 'clean', normalizer: () => normalizerNamed('basic'), seed: 1 };
    const finding = historyFinding(runs, ({ id }) => trialsOf(Number(id.slice(4))), options);
    assert.deepEqual(wrong(finding, 1), []);
  });
}

const estimate = (value: number, low: number, high: number): Estimate => {
  return { value, low, high, level: 0.95, n: { utterances: 40, speakers: 20 }, method: 'invented' };
};

/** Two recognizers with a comparison each, and what is said of them. */
const findingThatSays = (...texts: string[]): Finding => ({
  study: { name: 'invented', version: 1 },
  title: 'Invented',
  settings: {},
  answer: texts.map((text) => ({ text })),
  sections: [
    {
      id: 'rows',
      title: 'Rows',
      tables: [
        {
          id: 'rows',
          title: 'Rows',
          columns: [
            { key: 'recognizer', label: 'Recognizer', kind: 'text' },
            { key: 'rate', label: 'Rate', kind: 'rate' },
            { key: 'gap', label: 'Gap', kind: 'difference' },
          ],
          rows: [['engine1', 0.018, 0.041, 36] as const, ['engine2', 0.052, 0.3, 7] as const].map(
            ([recognizer, rate, pValue, more]) => ({
              recognizer,
              rate: estimate(rate, rate - 0.01, rate + 0.01),
              gap: {
                difference: estimate(rate / 2, -0.01, rate),
                ...{ pValue, adjustedPValue: pValue, test: 'invented', verdict: 'cannot tell' as const },
                open: { reason: { code: 'holds-nothing' as const }, more, unit: 'speaker' as const },
              },
            }),
          ),
        },
      ],
    },
  ],
  warnings: [],
});

test('a sentence whose figures are of one row is right, and one that takes any of another is found', () => {
  const why = (p: string, more: number) =>
    `No verdict: not significant: p = ${p}; about ${more} more speakers would settle it.`;
  assert.deepEqual(
    wrong(
      findingThatSays(
        'engine1: 1.8 % WER (95 % CI 0.8-2.8), over 20 speakers.',
        `engine2: 5.2 % WER (95 % CI 4.2-6.2). engine1: 1.8 % WER. ${why('.041', 36)}`,
        'engine1 makes fewer errors than engine2.',
      ),
      2,
    ),
    [],
  );
  const glued = [
    // The value of one with the p, the speakers or the interval of another; a name that is another's; a number of nobody.
    `engine1: 1.8 % WER. ${why('.300', 36)}`,
    `engine1: 1.8 % WER. ${why('.041', 7)}`,
    'engine1: 1.8 % WER (95 % CI 4.2-6.2).',
    'engine2: 1.8 % WER.',
    'engine1: 1.8 % WER, 5.2 % for engine2.',
    'engine1: 2.8 % WER.',
    'engine1: 1.8 % WER, over 21 speakers.',
  ];
  assert.equal(wrong(findingThatSays(...glued), 2).length, glued.length);
});

test('the most of nothing, nothing beside an interval on one side of it, and a case that is not there are found', () => {
  const hollow = [
    'engine1 loses most words in noise: 0 of 20 speakers.',
    'engine1: 0.0 % WER in noise, the worst condition.',
    'engine1: 0.0 points more (95 % CI 0.4-1.2).',
    'engine1 and engine2: no difference (there is nothing to count).',
  ];
  const names = [['engine1', 'engine2']];
  assert.deepEqual(hollowSentences(findingThatSays(...hollow), names), hollow);
  assert.deepEqual(hollowSentences(findingThatSays('engine1: 5.2 % WER, the worst, and 0.0 % in quiet.'), names), []);
});
