import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelFacts } from '../../audio/channels.ts';
import type { Utterance } from '../../model/utterance.ts';
import { bytesAsSounds, utterancesOf } from '../conformance.ts';
import type { Corpus } from '../contract.ts';
import { withChannels } from './with-channels.ts';

const facts = (count: number, relation: ChannelFacts['relation'], live: readonly number[]): ChannelFacts => ({
  count,
  relation,
  live,
  levelsDbfs: Array.from({ length: count }, () => -20),
  cancel: false,
  differ: null,
});
const known: Readonly<Record<string, ChannelFacts>> = {
  mono: facts(1, 'equal', [1]),
  dual: facts(2, 'alike', [1, 2]),
  call: facts(2, 'unlike', [1, 2]),
  table: facts(8, 'unlike', [2, 5]),
};
const sounds = {
  ...bytesAsSounds,
  async channels(path: string) {
    const found = known[path];
    if (found === undefined) throw new Error('no such file');
    return found;
  },
};

const plain = { reference: 'yes', language: 'en', speaker: 'anna', tags: [] };
const utterances: Utterance[] = [
  ...['mono', 'dual', 'call', 'table', 'absent'].map((file) => ({
    ...plain,
    id: file,
    sound: { file },
    attributes: {},
  })),
  { ...plain, id: 'row', sound: { file: 'call', channel: 2 }, attributes: { channel: 'B' } },
  { ...plain, id: 'worn', sound: { file: 'call', channel: 'mean' }, attributes: {} },
  { ...plain, id: 'spoken', sound: { silenceSeconds: 1 }, attributes: {} },
];
const corpus: Corpus = {
  async *utterances() {
    yield* utterances;
  },
  soundIdentity: async () => null,
  clip: async () => ({ samples: new Float32Array(1), sampleRate: 1 }),
  async close() {},
};
const heard = async (channels: Parameters<typeof withChannels>[1]) =>
  (await utterancesOf(withChannels(corpus, channels, sounds))).map(({ id, sound }) => [
    id,
    (sound as { readonly channel?: number | 'mean' }).channel,
  ]);

test('A chosen channel is that of every file but where a row names its own, or there is no file.', async () => {
  for (const channels of [2, 'mean'] as const) {
    assert.deepEqual(await heard(channels), [
      ['mono', channels],
      ['dual', channels],
      ['call', channels],
      ['table', channels],
      ['absent', channels],
      ['row', 2],
      ['worn', channels],
      ['spoken', undefined],
    ]);
  }
});

test('Each is an utterance for each channel in which there is something, and one where they are alike.', async () => {
  assert.deepEqual(await heard('each'), [
    ['mono', undefined],
    ['dual', undefined],
    ['call#1', 1],
    ['call#2', 2],
    ['table#2', 2],
    ['table#5', 5],
    ['absent', undefined],
    ['row', 2],
    ['worn#1', 1],
    ['worn#2', 2],
    ['spoken', undefined],
  ]);
  const all = await utterancesOf(withChannels(corpus, 'each', sounds));
  const { sound: _, ...second } = all.find(({ id }) => id === 'call#2')!;
  assert.deepEqual(second, { ...plain, id: 'call#2', attributes: { channel: '2' } });
});
