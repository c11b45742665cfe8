import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { ami, partOf, xmlTags } from './ami.ts';

const root = 'xmlns:nite="http://nite.sourceforge.net/"';
const nxt = (body: string) =>
  Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>\n<nite:root ${root}>\n${body}\n</nite:root>\n`,
    'latin1',
  );
const segment = (start: string, end: string, href: string) =>
  `<segment nite:id="ES2004a.sync.4" channel="0" transcriber_start="${start}" transcriber_end="${end}">\n  <nite:child href="ES2004a.A.words.xml#${href}"/>\n</segment>`;
const word = (number: number, inside: string, text: string) =>
  `<w nite:id="ES2004a.A.words${number}" starttime="1" endtime="2"${inside}>${text}</w>`;

// The files of ami_public_manual_1.6.2 and amicorpus that one speaker of a meeting needs. Agent A wears headset 2.
const files = {
  'ami_public_manual_1.6.2/corpusResources/participants.xml': nxt(
    '<participant nite:id="FEE013" sex="F" native_language="English" age_at_collection="24">\n<english_language region="UK"/>\n</participant>',
  ),
  'ami_public_manual_1.6.2/corpusResources/meetings.xml': nxt(
    '<meeting nite:id="m1" observation="ES2004a" type="scenario">\n<speaker nite:id="s1" channel="2" nxt_agent="A" global_name="FEE013" role="PM"/>\n</meeting>',
  ),
  'ami_public_manual_1.6.2/words/ES2004a.A.words.xml': nxt(
    [
      word(0, '', 'It&#39;s'),
      word(1, '', 'café'),
      word(2, ' punc="true"', '.'),
      '<vocalsound nite:id="ES2004a.A.words3" type="laugh"/>',
      '<gap nite:id="ES2004a.A.words4"/>',
      word(5, '', 'R&amp;D'),
    ].join('\n'),
  ),
  'ami_public_manual_1.6.2/segments/ES2004a.A.segments.xml': nxt(
    [
      segment('1.5', '4.25', 'id(ES2004a.A.words0)..id(ES2004a.A.words3)'),
      segment('5', '6', 'id(ES2004a.A.words3)'),
      segment('6', '7', 'id(ES2004a.A.words3)..id(ES2004a.A.words5)'),
      segment('8', '9', 'id(ES2004a.A.words5)'),
      segment('9', '9', 'id(ES2004a.A.words5)'),
      segment('9', '10', 'id(ES2004a.A.words77)'),
    ].join('\n'),
  ),
  'amicorpus/ES2004a/audio/ES2004a.Headset-2.wav': 'h'.repeat(20),
  'amicorpus/ES2004a/audio/ES2004a.Array1-01.wav': 'a'.repeat(20),
};

testCorpus({ kind: ami, files, options: { folder: '.', split: 'test', microphone: 'headset' }, published: true });

test('AMI is cut by segment, near and far, the headset being the one that the meeting names', async () => {
  await using tree = await temporaryFolder(files);
  const services = testServices(tree.path);
  for (const [microphone, sound] of [
    ['headset', 'ES2004a.Headset-2.wav'],
    ['array', 'ES2004a.Array1-01.wav'],
  ] as const) {
    const utterances = await utterancesOf(await ami.open({ folder: '.', split: 'test', microphone }, services));
    assert.deepEqual(
      utterances.map(({ id, reference, speaker, sound: source }) => {
        const { file, startSeconds, endSeconds } = source as {
          file: string;
          startSeconds?: number;
          endSeconds?: number;
        };
        return [id, reference, speaker, file.replace(/.*\//, ''), startSeconds, endSeconds];
      }),
      [
        [`ES2004a-A-00001-${microphone}`, "It's café.", 'FEE013', sound, 1.5, 4.25],
        [`ES2004a-A-00004-${microphone}`, 'R&D', 'FEE013', sound, 8, 9],
      ],
    );
    const { sex, age, nativeLanguage, role } = utterances[0]!.attributes;
    assert.deepEqual([sex, age, nativeLanguage, role], ['female', '24', 'English', 'PM']);
  }
  const warnings = services.warnings.join('\n');
  for (const reason of ['without words', 'not written down', 'without times', 'which are not there']) {
    assert.ok(warnings.includes(reason), reason);
  }
});

// The numbers of meetings in each part of the documentation's partition: 16 for test, 18 for dev.
test('meetings are divided as the documentation says', () => {
  const letters = ['a', 'b', 'c', 'd'];
  for (const series of ['ES2004', 'IS1009', 'TS3003', 'EN2002']) {
    for (const letter of letters) assert.equal(partOf(series + letter), 'test');
  }
  for (const meeting of ['ES2011a', 'IS1008d', 'TS3004b', 'IB4010']) assert.equal(partOf(meeting), 'dev');
  for (const meeting of ['ES2002a', 'IN1016', 'EN2001e']) assert.equal(partOf(meeting), 'train');
  assert.equal(partOf('IB4005'), null);
});

test('tags are read in time that grows with the length, and hostile entities stay as they are', () => {
  const hostile = `<w a="${'x'.repeat(1e6)}" ${'y'.repeat(1e6)}${' z="'.repeat(50_000)}>&#1114112;&nope;&#x41;</w>${'<'.repeat(1e6)}`;
  const started = process.cpuUsage().user;
  const [tag] = [...xmlTags(Buffer.from(hostile))];
  assert.equal(tag!.text, '&#1114112;&nope;A');
  assert.ok(process.cpuUsage().user - started < 2e6);
});
