import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { casualConversations } from './casual-conversations.ts';

const entry = (video: string, transcription: string) => ({
  video_path: video,
  subject_id: '1140',
  age: '27',
  gender: 'Female',
  'skin-type': '4',
  is_dark: true,
  transcription,
  transcription_timestamp: `[0.000] ${transcription} [3.100]`,
});
const list = [
  entry('CasualConversationsA/1140/1140_05.MP4', 'Hello <noise> there. [laugh] Yes'),
  { ...entry('CasualConversationsA/1140/1140_06.MP4', 'Again'), age: 'N/A' },
  entry('CasualConversationsA/1140/1140_07.MP4', 'not here'),
];
const files = {
  'CC_annotations/CasualConversations_transcriptions.json': JSON.stringify(list, null, 2),
  'CasualConversationsA/1140/1140_05.MP4': 'one',
  'CasualConversationsA/1140/1140_06.MP4': 'two',
};

testCorpus({ kind: casualConversations, files, options: { folder: '.' }, published: true });

test('transcripts of Casual Conversations come with sex, age and skin type', async () => {
  await using tree = await temporaryFolder(files);
  const services = testServices(tree.path);
  const read = async (sounds: boolean) =>
    utterancesOf(await casualConversations.open({ folder: '.', sounds }, services));
  const [first, second, ...others] = await read(true);
  assert.deepEqual(others, []);
  const { sex, age, skinType, dark } = first!.attributes;
  assert.deepEqual([sex, age, skinType, dark], ['female', '27', '4', 'true']);
  assert.deepEqual([first!.reference, first!.speaker], ['Hello there. Yes', '1140']);
  assert.equal(second!.attributes.age, undefined);
  assert.match(services.warnings.join(), /left out 1: transcripts whose videos/);
  assert.equal((await read(false)).length, 3);
});

test('a video outside of the folder and another JSON file are refused', async () => {
  for (const [content, message] of [
    [[entry('../../etc/passwd', 'x')], /json:1:2: expected a file inside of \./],
    [[{ a: 1 }], /json:1:1: expected video_path and transcription, but there are a;/],
  ] as const) {
    await using tree = await temporaryFolder({ 'CasualConversations_transcriptions.json': JSON.stringify(content) });
    await assertRefused(casualConversations.open({ folder: '.', sounds: true }, testServices(tree.path)), message);
  }
});
