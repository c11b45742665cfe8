import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Finding } from '../../model/finding.ts';
import type { ClipMeasurement } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Answer, StudyRecognizer } from '../contract.ts';
import { corpus } from './corpus.ts';
import { oddCharacters } from './description.ts';
import { corpusStudyOptions } from './options.ts';

const measured = (durationSeconds: number, rest: Partial<ClipMeasurement> = {}): ClipMeasurement => ({
  durationSeconds,
  sampleRate: 16_000,
  levelDbfs: -20,
  clippedShare: 0,
  facts: [],
  sampleHash: '',
  ...rest,
});

const utterance = (id: string, rest: Partial<Utterance> = {}): Utterance => ({
  id,
  sound: { file: `${id}.wav` },
  language: 'en',
  attributes: {},
  tags: [],
  ...rest,
});

const recognizer = (name: string, vocabulary: readonly string[] | null): StudyRecognizer => ({
  name,
  input: 'sound',
  facts: {},
  pricePerMinute: null,
  vocabulary: vocabulary === null ? null : new Set(vocabulary),
});

/** Runs the study on these; `sounds` says what is measured, null what cannot be read. */
async function run(
  utterances: readonly Utterance[] | (() => Iterable<Utterance>),
  sounds: (utterance: Utterance) => ClipMeasurement | null,
  options: { recognizers?: readonly StudyRecognizer[]; options?: object } = {},
): Promise<{ finding: Finding; asked: number; size: number | null }> {
  let asked = 0;
  let size: number | null = null;
  const generator = corpus.run(corpusStudyOptions.parse(options.options ?? {}), {
    async *utterances() {
      yield* typeof utterances === 'function' ? utterances() : utterances;
    },
    utteranceCount: 0,
    recognizers: options.recognizers ?? [],
    ladders: [],
    seed: 1,
  });
  let step = await generator.next();
  while (!step.done) {
    const batch = step.value;
    size = batch.size;
    const answers = async function* (): AsyncGenerator<Answer> {
      for await (const question of batch.questions()) {
        assert.equal(question.ask, 'measurement');
        if (question.ask !== 'measurement') continue;
        assert.deepEqual([question.condition.steps, question.draw], [[], 0]);
        asked++;
        const measurement = sounds(question.utterance);
        yield measurement === null
          ? { ...question, measurement, failure: { kind: 'sound', message: 'a.wav: it is empty' } }
          : { ...question, measurement };
      }
    };
    step = await generator.next(answers());
  }
  return { finding: step.value, asked, size };
}

const tableOf = (finding: Finding, id: string) =>
  finding.sections.flatMap(({ tables = [] }) => tables).find((table) => table.id === id)?.rows;

test('clips, speakers, hours and groups are counted', async () => {
  const { finding, asked, size } = await run(
    [
      utterance('a', { speaker: 's1', reference: 'Yes, yes!', attributes: { sex: 'F' } }),
      utterance('b', { speaker: 's1', reference: 'no', attributes: { sex: 'F' } }),
      utterance('c', { speaker: 's2', reference: 'no', attributes: { sex: 'M', room: '1' }, language: 'en-GB' }),
    ],
    ({ id }) =>
      measured({ a: 1, b: 2, c: 3 }[id] ?? 0, {
        sampleRate: id === 'c' ? 8000 : 16_000,
        levelDbfs: id === 'c' ? -30.04 : -20,
      }),
  );
  assert.deepEqual([asked, size], [3, 3]);
  assert.deepEqual(tableOf(finding, 'corpus-overview'), [
    { clips: 3, speakers: 2, hours: 6 / 3600, shortest: 1, longest: 3, words: 4, differentWords: 2 },
  ]);
  assert.deepEqual(tableOf(finding, 'corpus-languages'), [
    { language: 'en', clips: 2, speakers: 1, hours: 3 / 3600 },
    { language: 'en-GB', clips: 1, speakers: 1, hours: 3 / 3600 },
  ]);
  assert.deepEqual(tableOf(finding, 'corpus-attributes'), [
    { attribute: 'room', value: '1', clips: 1, speakers: 1, hours: 3 / 3600, unreadable: 0 },
    { attribute: 'sex', value: 'F', clips: 2, speakers: 1, hours: 3 / 3600, unreadable: 0 },
    { attribute: 'sex', value: 'M', clips: 1, speakers: 1, hours: 3 / 3600, unreadable: 0 },
  ]);
  assert.deepEqual(tableOf(finding, 'corpus-sample-rates'), [
    { sampleRate: 8000, clips: 1 },
    { sampleRate: 16_000, clips: 2 },
  ]);
  assert.deepEqual(tableOf(finding, 'corpus-levels'), [
    { clips: 3, quietestDbfs: -30, medianDbfs: -20, loudestDbfs: -20, clippedShare: 0 },
  ]);
  assert.deepEqual(finding.sections[0]?.text, ['The shortest clip is a (1.00 s), the longest c (3.00 s).']);
  assert.equal(finding.answer[0]?.text, '3 utterances of 2 speakers, 6.0 seconds, 4 reference words (2 distinct).');
  assert.deepEqual(finding.warnings, [
    'The clips have 2 sample rates (8 kHz in 1, 16 kHz in 2): perturbed, all are made at one; clean, each is heard as it is.',
  ]);
});

test('sounds of one group that cannot be read are counted there, and of whom nothing is known is told', async () => {
  const { finding } = await run(
    Array.from({ length: 12 }, (_, n) => utterance(`u${n}`, { attributes: n < 10 ? { sex: n < 5 ? 'F' : 'M' } : {} })),
    ({ id }) => (['u0', 'u1', 'u2'].includes(id) ? null : measured(1)),
  );
  assert.deepEqual(tableOf(finding, 'corpus-attributes'), [
    { attribute: 'sex', value: 'F', clips: 5, speakers: 0, hours: 2 / 3600, unreadable: 3 },
    { attribute: 'sex', value: 'M', clips: 5, speakers: 0, hours: 5 / 3600, unreadable: 0 },
  ]);
  assert.deepEqual(finding.sections.find(({ id }) => id === 'corpus-groups')!.text, [
    'Not known, and in no group below: sex of 2 (of 12 utterances).',
  ]);
});

test('words outside of a vocabulary are counted after both sides are normalized', async () => {
  const { finding } = await run(
    [utterance('a', { reference: "Don't say Zebra zebra" }), utterance('b', { reference: 'say xylophone' })],
    () => measured(2),
    {
      recognizers: [
        recognizer('small', ["don't", 'say', '<unk>']),
        recognizer('any', null),
        recognizer('all', ['do not say zebra xylophone']),
      ],
    },
  );
  // do not say zebra zebra say xylophone: 3 of 7 words and 2 of 5 different ones are not in the small vocabulary.
  assert.deepEqual(tableOf(finding, 'corpus-outside-vocabulary'), [
    { recognizer: 'small', vocabularySize: 3, tokensOutside: 3, typesOutside: 2, tokenShare: 3 / 7, typeShare: 2 / 5 },
    { recognizer: 'all', vocabularySize: 1, tokensOutside: 0, typesOutside: 0, tokenShare: 0, typeShare: 0 },
  ]);
  assert.deepEqual(tableOf(finding, 'corpus-outside-words'), [
    { recognizer: 'small', word: 'zebra', count: 2 },
    { recognizer: 'small', word: 'xylophone', count: 1 },
  ]);
  assert.match(finding.answer[1]!.text, /^42.9 % of the words are out of vocabulary for small/);
  assert.match(finding.answer[2]!.text, /^Every word is in the vocabulary of all/);
  assert.deepEqual(
    finding.warnings.filter((one) => one.includes('cannot write')).map((one) => one.split(':')[0]),
    ['small cannot write 42.9 % of the words'],
  );
});

test('each kind of suspicious utterance is found, and ordinary ones are not', async () => {
  const tenWords = 'a red dog ran over the low wall at noon';
  const cases: Record<string, [reference: string, measurement: ClipMeasurement | null]> = {
    fine: [tenWords, measured(3)],
    'short but fine': ['yes', measured(0.15)],
    fast: [tenWords, measured(1.4)],
    slow: ['yes', measured(4.1)],
    empty: [' ', measured(3)],
    noise: ['[noise]', measured(3)],
    silent: ['yes', measured(1, { levelDbfs: null })],
    quiet: ['yes', measured(1, { levelDbfs: -50.1 })],
    clipped: ['yes', measured(1, { clippedShare: 0.02 })],
    broken: ['yes', null],
    odd: ['a\u200Bb <b>', measured(1)],
    chinese: ['这是一个很长的句子没有空格', measured(30)],
  };
  const { finding } = await run(
    Object.entries(cases).map(([id, [reference]]) => utterance(id, { reference })),
    ({ id }) => cases[id]![1],
  );
  assert.deepEqual(
    tableOf(finding, 'corpus-suspicions')?.map(({ utteranceId, kind, reason }) => [utteranceId, kind, reason]),
    [
      ['broken', 'unreadable audio', 'a.wav: it is empty'],
      ['silent', 'silent audio', 'every sample is 0'],
      ['quiet', 'very quiet audio', 'its level is -50.1 dB of full scale'],
      ['clipped', 'clipped audio', '2.0 % of its samples are at full scale'],
      ['empty', 'empty reference', 'the reference is empty'],
      ['noise', 'empty reference', 'the normalizer leaves no word of the reference'],
      ['fast', 'too many words', '10 words in 1.40 s'],
      ['slow', 'too few words', '1 word in 4.10 s'],
      ['odd', 'odd characters', 'the reference holds the invisible character U+200B, markup (<…> or &…;)'],
    ],
  );
  assert.match(finding.warnings.join('\n'), /1 of 12 utterances could not be read/);
  assert.match(
    finding.warnings.join('\n'),
    /1 of 12 references are in scripts without blanks between words, and the normalizer does not divide them/,
  );
});

test('at most 50 are listed, shared out among the kinds, and all are counted', async () => {
  const { finding } = await run(
    Array.from({ length: 400 }, (_, n) => utterance(`u${n}`, { reference: n < 300 ? '' : 'a\u0007' })),
    ({ id }) => (id === 'u399' ? null : measured(1)),
  );
  const listed = tableOf(finding, 'corpus-suspicions')!;
  assert.equal(listed.length, 50);
  assert.deepEqual(
    Object.entries(Object.groupBy(listed, ({ kind }) => String(kind))).map(([kind, rows]) => [kind, rows!.length]),
    [
      ['unreadable audio', 1],
      ['empty reference', 25],
      ['odd characters', 24],
    ],
  );
  assert.deepEqual(
    tableOf(finding, 'corpus-suspicion-kinds')?.map(({ kind, utterances }) => [kind, utterances]),
    [
      ['unreadable audio', 1],
      ['empty reference', 300],
      ['odd characters', 100],
    ],
  );
});

test('where no reference is known, no words are counted', async () => {
  const { finding } = await run([{ id: 'a', language: 'en', attributes: {}, tags: [] }], () => assert.fail('no audio'));
  assert.equal(finding.answer[0]?.text, '1 utterance of unknown speakers, no audio, no words known.');
});

test('utterances without sound are described by their texts, and nothing is asked', async () => {
  const { finding, asked, size } = await run(
    [{ id: 'a', reference: 'hi there', language: 'en', attributes: {}, tags: [] }],
    () => assert.fail('no sound to measure'),
  );
  assert.deepEqual([asked, size], [0, null]);
  assert.equal(finding.answer[0]?.text, '1 utterance of unknown speakers, no audio, 2 reference words (2 distinct).');
  assert.match(finding.warnings.join('\n'), /There is no audio to play; the transcripts were recorded earlier\./);
  assert.equal(tableOf(finding, 'corpus-overview')?.[0]?.hours, null);
  assert.equal(tableOf(finding, 'corpus-sample-rates'), undefined);
});

test('an attribute with more than 1,000 values is not broken down', async () => {
  const { finding } = await run(
    Array.from({ length: 1001 }, (_, n) =>
      utterance(`u${n}`, { attributes: { number: String(n), half: String(n % 30) } }),
    ),
    () => measured(1),
  );
  const rows = tableOf(finding, 'corpus-attributes')!;
  assert.equal(rows.length, 20);
  assert.ok(rows.every(({ attribute }) => attribute === 'half'));
  assert.match(finding.sections.find(({ id }) => id === 'corpus-groups')!.text![0]!, /more than 1,000 values: number/);
});

test('the finding is plain JSON, and the same for the same answers', async () => {
  const some = [utterance('a', { reference: 'x', speaker: 's', attributes: { __proto__: 'p', constructor: 'c' } })];
  const [first, second] = [await run(some, () => measured(1)), await run(some, () => measured(1))];
  assert.deepEqual(JSON.parse(JSON.stringify(first.finding)), first.finding);
  assert.deepEqual(first.finding, second.finding);
});

test('memory stays flat over many utterances of few words and speakers', async () => {
  const many = (count: number) =>
    function* () {
      for (let n = 0; n < count; n++) {
        yield utterance(`u${n}`, {
          reference: `word${n % 50} again`,
          speaker: `s${n % 20}`,
          attributes: { n: String(n) },
        });
      }
    };
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const heapAtEnd = async (count: number) => {
    let heap = 0;
    await run(many(count), ({ id }) => {
      if (id === `u${count - 1}`) {
        collectGarbage();
        collectGarbage();
        heap = process.memoryUsage().heapUsed;
      }
      return measured(1);
    });
    return heap;
  };
  // The first run compiles and warms what later ones find: its heap says nothing.
  await heapAtEnd(20_000);
  const ofFew = Math.min(await heapAtEnd(2000), await heapAtEnd(2000));
  // The utterances would take 60 MB, their ids alone 6 MB.
  let growth = (await heapAtEnd(160_000)) - ofFew;
  // What the engine has compiled or not yet let go only adds, a megabyte and more at times: the least of two counts.
  if (growth >= 3e6) growth = Math.min(growth, (await heapAtEnd(160_000)) - ofFew);
  assert.ok(growth < 3e6, `${growth} bytes`);
});

test('odd characters are named by number and never shown', () => {
  const found = (text: string) => oddCharacters(text).join(' + ');
  assert.equal(found('It’s “fine” — naïve café, 5 µm, ½ €!'), '');
  assert.equal(found('Привет, мир'), '');
  assert.equal(found('می\u200cخواهم'), '');
  assert.equal(found('क्\u200dष'), '');
  assert.equal(found('a\u0000b'), 'the control character U+0000');
  assert.equal(found('a\u202eb'), 'the control character U+202E');
  assert.equal(found('no\u00adbreak'), 'the invisible character U+00AD');
  assert.equal(found('a\u200db'), 'the invisible character U+200D');
  assert.equal(found('<script>alert(1)</script>'), 'markup (<…> or &…;)');
  assert.equal(found('salt &amp; pepper'), 'markup (<…> or &…;)');
  assert.equal(found('2 < 3 & 4 > 1'), '');
  assert.equal(found('cafÃ©'), 'signs of a wrong encoding');
  assert.equal(found('itâ€™s'), 'signs of a wrong encoding');
  assert.equal(found('a\uFFFDb'), 'signs of a wrong encoding');
  assert.equal(found('pаypal'), 'a word with letters of several scripts');
});

test('the composition has a row for each kind of recording, with its devices by share (FairLENS, Table 1)', async () => {
  const clip = (id: string, speaker: string, environment: string, recordingDevice: string) =>
    utterance(id, { speaker, attributes: { environment, recordingDevice } });
  const { finding } = await run(
    [
      clip('a', 's1', 'indoor', 'phone'),
      clip('b', 's1', 'indoor', 'phone'),
      clip('c', 's2', 'indoor', 'phone'),
      clip('d', 's2', 'indoor', 'body camera'),
      clip('e', 's3', 'outdoor', 'body camera'),
    ],
    () => measured(1800),
    { options: { card: { by: ['environment'], shares: ['recordingDevice'] } } },
  );
  assert.deepEqual(tableOf(finding, 'corpus-card'), [
    { environment: 'indoor', speakers: 2, hours: 2, clips: 4, recordingDevice: '75 % phone, 25 % body camera' },
    { environment: 'outdoor', speakers: 1, hours: 0.5, clips: 1, recordingDevice: '100 % body camera' },
  ]);
  const [devices] = finding.sections
    .find(({ id }) => id === 'corpus-groups')!
    .bars!.filter(({ title }) => title === 'recordingDevice');
  assert.deepEqual(devices!.rows, [
    { name: 'phone', values: [3] },
    { name: 'body camera', values: [2] },
  ]);
  assert.equal(corpusStudyOptions.safeParse({ card: { by: ['sex'], shares: ['sex'] } }).success, false);
});
