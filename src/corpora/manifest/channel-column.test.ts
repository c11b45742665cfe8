import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChannelFacts, oneChannel } from '../../audio/channels.ts';
import { writtenChannel } from '../../base/columns/channels.ts';
import { assertRefused, bytesAsSounds, temporaryFolder, testServices, utterancesOf } from '../conformance.ts';
import { type ManifestOptions, manifest } from './manifest.ts';

const call: ChannelFacts = {
  count: 2,
  relation: 'unlike',
  live: [1, 2],
  levelsDbfs: [-20, -20],
  cancel: false,
  differ: null,
};

/** What a list says of the channels of files that are there, of which `mono.wav` has one. */
async function read(list: string, options: Partial<ManifestOptions> = {}, file = 'list.csv') {
  await using folder = await temporaryFolder({ [file]: list, 'call.wav': 'one', 'mono.wav': 'two', 'b.wav': 'three' });
  const channels = async (path: string) => (path.endsWith('mono.wav') ? oneChannel : call);
  const services = testServices(folder.path, { sounds: { ...bytesAsSounds, channels } });
  const corpus = await manifest.open({ file, ...options }, services);
  const utterances = await utterancesOf(corpus);
  return {
    heard: utterances.map(({ id, sound }) => [id, (sound as { readonly channel?: number }).channel]),
    attributes: utterances.map(({ attributes }) => attributes),
    warnings: services.warnings,
    corpus,
    utterances,
  };
}

const rows = (...lines: string[]) => `${lines.join('\n')}\n`;

test('channels are written as numbers from 0 or 1, letters and sides', () => {
  const written = ['0', '1', '12', 'A', 'b', 'L', 'right', 'ch2', 'Channel 3', 'h'].map(
    (text) => writtenChannel(text)?.value,
  );
  assert.deepEqual(written, [0, 1, 12, 1, 2, 1, 2, 2, 3, 8]);
  for (const text of ['near', '', '-1', '1.5', 'YouTube', '0,1', 'z']) assert.equal(writtenChannel(text), null, text);
});

test('rows about the channels of one file are utterances of their own, whichever way they are counted', async () => {
  for (const [first, second, channelsFrom] of [
    ['0', '1', undefined],
    ['1', '2', undefined],
    ['A', 'B', undefined],
    ['left', 'right', undefined],
    ['0', '1', 0],
    ['1', '2', 1],
  ] as const) {
    const list = rows('path,channel,text,speaker', `call.wav,${first},one,agent`, `call.wav,${second},two,customer`);
    const { heard, attributes, warnings } = await read(list, channelsFrom === undefined ? {} : { channelsFrom });
    assert.deepEqual(heard, [
      [`call#${first}`, 1],
      [`call#${second}`, 2],
    ]);
    assert.deepEqual(attributes, [{ channel: first }, { channel: second }]);
    assert.deepEqual(warnings, []);
  }
});

test('segments of each side, JSON lines and columns of other names are read alike', async () => {
  const list = rows('file,start,end,side,text', 'call.wav,0,1.5,A,one', 'call.wav,1,2,B,two', 'call.wav,0,1.5,B,three');
  const { heard } = await read(list, { columns: { channel: 'side' } });
  assert.deepEqual(heard, [
    ['call#A@0-1.5', 1],
    ['call#B@1-2', 2],
    ['call#B@0-1.5', 2],
  ]);
  const json = rows(
    '{"audio_filepath":"call.wav","channel":0,"text":"x"}',
    '{"audio_filepath":"call.wav","channel":1,"text":"y"}',
    '{"audio_filepath":"b.wav","text":"z"}',
  );
  assert.deepEqual((await read(json, {}, 'list.jsonl')).heard, [
    ['call#0', 1],
    ['call#1', 2],
    ['b', undefined],
  ]);
  const named = rows('id,path,channel', 'u1,call.wav,1', 'u2,call.wav,2');
  assert.deepEqual((await read(named)).heard, [
    ['u1', 1],
    ['u2', 2],
  ]);
});

test('a column of that name which says something else, or stands beside files of one channel, is an attribute as before', async () => {
  const other = await read(rows('path,channel', 'call.wav,near', 'b.wav,far'));
  assert.deepEqual(other.heard, [
    ['call', undefined],
    ['b', undefined],
  ]);
  assert.deepEqual(other.attributes, [{ channel: 'near' }, { channel: 'far' }]);
  const mono = await read(rows('path,channel', 'mono.wav,3', 'b.wav,4'));
  assert.deepEqual(mono.heard, [
    ['mono', undefined],
    ['b', undefined],
  ]);
  const none = await read(rows('path,channel', 'call.wav,1', 'b.wav,2'), { columns: { channel: null } });
  assert.deepEqual(none.heard, [
    ['call', undefined],
    ['b', undefined],
  ]);
});

test('one side alone is told with what it was taken for, as nothing says from what the list counts', async () => {
  const list = rows('path,channel', 'call.wav,1', 'b.wav,1');
  const { heard, warnings } = await read(list);
  assert.deepEqual(heard, [
    ['call', 1],
    ['b', 1],
  ]);
  assert.match(warnings.join(), /all rows say channel 1, which is taken for the first .* set channelsFrom: 0$/);
  const counted = await read(list, { channelsFrom: 0 });
  assert.deepEqual([counted.heard[0], counted.warnings], [['call', 2], []]);
});

test('a side is listed once, and what is no channel is refused where the column is named', async () => {
  await assertRefused(read(rows('path,channel', 'call.wav,0', 'call.wav,1', 'call.wav,0')), /list\.csv:4:.*call#0/);
  await assertRefused(
    read(rows('path,side', 'call.wav,A', 'call.wav,other'), { columns: { channel: 'side' } }),
    /^list\.csv:3:10: expected a channel \(0, 1, A, left, …\) in "side", but found "other"/,
  );
  await assertRefused(
    read(rows('path,channel', 'call.wav,1', 'call.wav,0'), { channelsFrom: 1 }),
    /^list\.csv:3:10: expected channels from 1 on, .* set channelsFrom: 0/,
  );
});
