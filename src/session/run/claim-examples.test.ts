import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { About, Statement } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import { sampleReport } from '../../report/testing/sample-report.ts';
import { basic } from '../../scoring/normalizers/basic.ts';
import type { StoredTrial } from '../../store/contract.ts';
import { failedWith, said, spoken } from '../../studies/shared/testing/testing.ts';
import { withClaimExamples } from './claim-examples.ts';

// Expected by looking at the table: four words each, so that every wrong word is a quarter.
const people = [
  { id: 'p', age: '30', clean: ['a b c d', 'x b c d'], noise: ['x x c d', 'x b c d'] },
  { id: 'q', age: '70', clean: ['x x x d', 'a b c d'], noise: ['x x x x', 'a b c x'] },
  { id: 'r', age: '75', clean: ['a b c d', 'x x c d'], noise: ['a b c d', null] },
];
const recognizers = ['first', 'second'];
const trials = people.flatMap(({ id, age, ...conditions }, position) =>
  (['clean', 'noise'] as const).flatMap((conditionName) =>
    conditions[conditionName].map((answer, recognizer): StoredTrial => {
      const observation: Observation = answer === null ? failedWith('timeout') : said(answer);
      const utterance = spoken(id, 'a b c d', { speaker: `speaker of ${id}`, attributes: { age } });
      return { utterance, position, answer: 0, conditionName, draw: 0, repeat: 0, recognizer, observation };
    }),
  ),
);

async function shownBy(about: About, verdict?: Statement['verdict'], more: readonly StoredTrial[] = []) {
  const all = [...trials, ...more].sort((a, b) => a.position - b.position);
  const report = sampleReport();
  const answer = [{ text: 'a claim', about, ...(verdict && { verdict }) }];
  const [finding] = report.findings;
  const run = { id: 'r', recognizers: recognizers.map((name) => ({ name, identity: {}, epoch: null })) };
  const claimed = { ...report, findings: [{ ...finding!, settings: { bins: { age: [60] } }, answer }] };
  const { findings } = await withClaimExamples({ trials: () => all }, run, claimed, async () => basic);
  return findings[0]!.answer[0]!.examples ?? [];
}

const ids = async (...claim: Parameters<typeof shownBy>) =>
  (await shownBy(...claim)).map(({ utteranceId, conditionName }) => `${utteranceId} ${conditionName}`);

test('A claim shows the utterances with most errors of exactly its recognizer and conditions, each once.', async () => {
  assert.deepEqual(await ids({ recognizer: 'first' }), ['q noise', 'p noise']);
  assert.deepEqual(await ids({ recognizer: 'second', conditions: ['clean'] }), ['r clean', 'p clean']);
});

test('A group is told by ranges of numbers, as the study made them.', async () => {
  const group = { age: 'from 60' };
  assert.deepEqual(await ids({ conditions: ['clean'], group }), ['q clean', 'r clean']);
  assert.deepEqual(await ids({ conditions: ['clean'], group: { age: 'under 60' } }), ['p clean']);
});

test('Beside another recognizer the verdict says in which direction; where it is open, both do.', async () => {
  const about = { recognizer: 'first', conditions: ['clean'], than: { recognizer: 'second' } };
  assert.deepEqual(await ids(about, 'better'), ['r clean', 'p clean']);
  assert.deepEqual(await ids(about, 'worse'), ['q clean']);
  assert.deepEqual(await ids(about, 'cannot tell'), ['q clean', 'r clean', 'p clean']);
  const [example] = await shownBy(about, 'better');
  assert.deepEqual(
    example!.transcripts.map(({ label }) => label),
    ['second', 'first'],
  );
});

test('Beside another condition what was lost counts, and not what was wrong before.', async () => {
  const about = { recognizer: 'first', conditions: ['noise'], than: { condition: 'clean' } };
  assert.deepEqual(await ids(about), ['p noise', 'q noise']);
  assert.deepEqual(
    (await shownBy(about))[0]!.transcripts.map(({ label }) => label),
    ['first, clean', 'first'],
  );
  // The transcript of the clean clip is the reference: "x b c d" did not change.
  assert.deepEqual(await ids({ ...about, recognizer: 'second', by: 'change' }), ['q noise']);
});

test('What was asked again in a condition stands beside what was asked once in the other.', async () => {
  const again = trials
    .filter(({ conditionName, utterance }) => conditionName === 'noise' && utterance.id === 'r')
    .map((trial) => ({ ...trial, repeat: 1, observation: said('x x x x') }));
  const about = { recognizer: 'first', conditions: ['noise'], than: { condition: 'clean' } };
  const [example, ...others] = await shownBy(about, undefined, again);
  assert.deepEqual([example!.utteranceId, ...others.map(({ utteranceId }) => utteranceId)], ['r', 'p', 'q']);
  assert.deepEqual(
    example!.transcripts.map(({ label, aligned }) => [label, aligned!.map(({ hypothesis }) => hypothesis).join(' ')]),
    [
      ['first, clean', 'a b c d'],
      ['first', 'x x x x'],
    ],
  );
});

test('Beside another condition than clean the clean clip stands first, and each row says of which it is.', async () => {
  const attacked = trials
    .filter(({ conditionName }) => conditionName === 'noise')
    .map((trial) => ({ ...trial, conditionName: 'attack', observation: said('x x x x') }));
  const about = { recognizer: 'first', conditions: ['attack'], than: { condition: 'noise' } };
  const [example] = await shownBy(about, 'worse', attacked);
  assert.equal(example!.utteranceId, 'r');
  assert.deepEqual(
    example!.transcripts.map(({ label }) => label),
    ['first, clean', 'first, noise', 'first, attack'],
  );
});

test('Failures are shown with their reason.', async () => {
  const [example, ...others] = await shownBy({ recognizer: 'second', by: 'failures' });
  assert.deepEqual([example!.utteranceId, example!.transcripts[0]!.aligned, others.length], ['r', null, 0]);
  assert.deepEqual(example!.transcripts[0]!.failure, { kind: 'timeout', message: 'no answer' });
});

test('Where nobody speaks, most words come first.', async () => {
  const examples = await shownBy({ recognizer: 'second', conditions: ['noise'], by: 'words' });
  assert.deepEqual(
    examples.map(({ utteranceId }) => utteranceId),
    ['p', 'q'],
  );
  assert.ok(examples[0]!.transcripts[0]!.aligned!.every(({ reference }) => reference === null));
});
