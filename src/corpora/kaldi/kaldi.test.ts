import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { kaldi } from './kaldi.ts';

// Kaldi's documentation, "Data preparation": paths are meant from the folder in which the recipe is started.
const files = {
  's5/data/test/wav.scp': 'anna-1 audio/a 1.wav\nben-1 flac -c -d -s audio/b.flac |\n',
  's5/data/test/text': 'anna-1 GO DO YOU HEAR\nben-1 YES\n',
  's5/data/test/utt2spk': 'anna-1 anna\nben-1 ben\n',
  's5/data/test/spk2gender': 'anna f\nben m\n',
  's5/data/test/spk2age': 'anna 31\nben ?\n',
  's5/data/test/utt2channel': 'anna-1 near\nben-1 far\n',
  's5/data/test/utt2dur': 'anna-1 1.0\nben-1 2.0\n',
  's5/audio/a 1.wav': 'one',
  's5/audio/b.flac': 'another',
};

testCorpus({ kind: kaldi, files, options: { folder: 's5/data/test', language: 'en' }, published: false });

async function read(changes: Readonly<Record<string, string>> = {}, options: object = {}) {
  await using tree = await temporaryFolder({ ...files, ...changes });
  const corpus = await kaldi.open(kaldi.options.parse({ folder: 's5/data/test', ...options }), testServices(tree.path));
  return (await utterancesOf(corpus)).map(({ sound, ...utterance }) => ({
    ...utterance,
    sound: { ...sound, file: (sound as { file: string }).file.slice(tree.path.length) },
  }));
}

test('words, speakers and what is known of them come from the files beside wav.scp, sounds from where the recipe starts', async () => {
  assert.deepEqual(await read(), [
    {
      id: 'anna-1',
      reference: 'GO DO YOU HEAR',
      language: 'und',
      speaker: 'anna',
      attributes: { age: '31', sex: 'female', channel: 'near' },
      tags: [],
      sound: { file: '/s5/audio/a 1.wav' },
    },
    {
      id: 'ben-1',
      reference: 'YES',
      language: 'und',
      speaker: 'ben',
      attributes: { sex: 'male', channel: 'far' },
      tags: [],
      sound: { file: '/s5/audio/b.flac' },
    },
  ]);
});

test('segments are stretches of recordings, one that ends at -1 goes to the end', async () => {
  const found = await read({ 's5/data/test/segments': 'anna-1 ben-1 0.5 2\nben-1 ben-1 2 -1\n' });
  assert.deepEqual(
    found.map(({ sound }) => sound),
    [
      { file: '/s5/audio/b.flac', startSeconds: 0.5, endSeconds: 2 },
      { file: '/s5/audio/b.flac', startSeconds: 2 },
    ],
  );
});

test('programs are never started, and what leads out or is of another form is refused with its place', async () => {
  const scp = 's5/data/test/wav.scp';
  await assertRefused(
    read({ [scp]: 'a sox b.wav -t wav - speed 0.9 |\n' }),
    /^s5\/data\/test\/wav\.scp:1:1: expected an id and the path .* programs of wav\.scp are not started/,
  );
  await assertRefused(read({ [scp]: 'a sph2pipe -f wav -c 3 call.sph |\n' }), /programs of wav\.scp are not started/);
  await assertRefused(read({ [scp]: 'a sox call.wav -t wav - remix 1,2 |\n' }), /programs of wav\.scp are not started/);
  await assertRefused(read({ [scp]: 'a /etc/passwd\n' }), /wav\.scp:1:1: expected a file inside of/);
  await assertRefused(read({ [scp]: '' }), /wav\.scp: expected at least one sound, but the list is empty/);
  await assertRefused(
    read({ 's5/data/test/segments': 'x anna-1 2 1\n' }),
    /segments:1:1: expected an id, a recording, and where the utterance begins/,
  );
  await assertRefused(read({ 's5/data/test/segments': 'x y 1 2\n' }), /segments:1:1: expected the name of a recording/);
});

test('sounds are looked for no higher than the config lies, unless they may lie anywhere', async () => {
  await using tree = await temporaryFolder({ 'theirs/data/test/wav.scp': 'a voice.wav\n', 'voice.wav': 'private' });
  const fileFrom = async (base: string, folder: string, more: object = {}) => {
    const corpus = await kaldi.open(kaldi.options.parse({ folder, ...more }), testServices(`${tree.path}/${base}`));
    const [utterance] = await utterancesOf(corpus);
    return (utterance!.sound as { file: string }).file.slice(tree.path.length);
  };
  assert.equal(await fileFrom('theirs', 'data/test'), '/theirs/data/test/voice.wav', 'which is not there');
  assert.equal(await fileFrom('theirs', 'data/test', { allowOutside: true }), '/voice.wav');
  assert.equal(await fileFrom('.', 'theirs/data/test'), '/voice.wav');
});

test('each side of a call is the channel that sph2pipe and sox are told to write', async () => {
  // As in the recipes of Switchboard and Fisher.
  const lines = [
    'c-A sph2pipe -f wav -p -c 1 audio/c.sph |',
    'c-B sph2pipe -f wav -p -c 2 audio/c.sph |',
    'd-2 sox audio/d.wav -t wav - remix 2 |',
    'e sph2pipe -f wav audio/e.sph |',
  ];
  const found = await read({ 's5/data/test/wav.scp': `${lines.join('\n')}\n` });
  assert.deepEqual(
    found.map(({ sound }) => sound),
    [
      { file: '/s5/data/test/audio/c.sph', channel: 1 },
      { file: '/s5/data/test/audio/c.sph', channel: 2 },
      { file: '/s5/data/test/audio/d.wav', channel: 2 },
      { file: '/s5/data/test/audio/e.sph' },
    ],
  );
});
