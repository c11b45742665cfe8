import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { chime6 } from './chime-6.ts';

// Members of an entry as in transcriptions/dev/S02.json.
const entry = (start: string, end: string, words: string, speaker: string, ref?: string) => ({
  end_time: end,
  start_time: start,
  words,
  speaker,
  ...(ref !== undefined && { ref, location: 'kitchen' }),
  session_id: 'S02',
});
const transcript = [
  entry('0:00:01.50', '0:00:04.00', 'I want [laughs] a million dollars.', 'P05', 'U02'),
  entry('0:00:01.50', '0:00:03.00', 'Yeah.', 'P06', 'U01'),
  entry('0:00:05.00', '0:00:06.00', '[noise]', 'P06', 'U01'),
  entry('0:00:05.00', '0:00:06.00', 'so [inaudible 0:00:05.5] no', 'P05', 'U01'),
  entry('0:00:07.00', '0:01:08.25', 'Right.', 'P05'),
];
const files = {
  'CHiME6/transcriptions/dev/S02.json': JSON.stringify(transcript, null, 4),
  'CHiME6/audio/dev/S02_P05.wav': 'x'.repeat(80),
  'CHiME6/audio/dev/S02_P06.wav': 'y'.repeat(80),
  'CHiME6/audio/dev/S02_U01.CH1.wav': 'u1',
  'CHiME6/audio/dev/S02_U02.CH1.wav': 'u2',
};

testCorpus({ kind: chime6, files, options: { folder: '.', split: 'dev', microphone: 'near' }, published: true });
testCorpus({ kind: chime6, files, options: { folder: '.', split: 'dev', microphone: 'far' }, published: true });

async function read(options: object) {
  await using tree = await temporaryFolder(files);
  const services = testServices(tree.path);
  const given = chime6.options.parse({ folder: '.', split: 'dev', ...options });
  const utterances = await utterancesOf(await chime6.open(given, services));
  const rows = utterances.map(({ id, sound, reference, attributes }) => {
    const { file, startSeconds, endSeconds } = sound as { file: string; startSeconds?: number; endSeconds?: number };
    return [id, file.replace(/.*\//, ''), startSeconds, endSeconds, reference, attributes.recordingDevice];
  });
  return { rows, warnings: services.warnings.join('\n') };
}

test('CHiME-6 is cut by utterance from the microphones that the speaker wears', async () => {
  const { rows, warnings } = await read({ microphone: 'near' });
  assert.deepEqual(rows, [
    ['S02-P05-00001-near', 'S02_P05.wav', 1.5, 4, 'I want a million dollars.', 'binaural'],
    ['S02-P06-00002-near', 'S02_P06.wav', 1.5, 3, 'Yeah.', 'binaural'],
    ['S02-P05-00005-near', 'S02_P05.wav', 7, 68.25, 'Right.', 'binaural'],
  ]);
  assert.match(warnings, /left out 1: entries without words/);
  assert.match(warnings, /left out 1: entries with words that are not written down/);
});

test('the far microphone is the array that the entry names, or one for all', async () => {
  const named = await read({ microphone: 'far' });
  assert.deepEqual(
    named.rows.map(([id, file]) => [id, file]),
    [
      ['S02-P05-00001-far', 'S02_U02.CH1.wav'],
      ['S02-P06-00002-far', 'S02_U01.CH1.wav'],
    ],
  );
  assert.match(named.warnings, /left out 1: entries that name no array/);
  const one = await read({ microphone: 'far', array: 'U01' });
  assert.deepEqual(
    one.rows.map(([, file]) => file),
    ['S02_U01.CH1.wav', 'S02_U01.CH1.wav', 'S02_U01.CH1.wav'],
  );
});

test("CHiME-5's times by device are refused", async () => {
  const times = { original: '0:00:01.00', U01: '0:00:01.02' };
  const older = [{ start_time: times, end_time: times, words: 'Hi.', speaker: 'P01' }];
  await using tree = await temporaryFolder({ ...files, 'CHiME6/transcriptions/dev/S02.json': JSON.stringify(older) });
  await assertRefused(
    chime6.open(chime6.options.parse({ folder: '.', split: 'dev', microphone: 'near' }), testServices(tree.path)),
    /S02\.json:1:\d+: expected a time like 0:01:34\.35 for start_time/,
  );
});
