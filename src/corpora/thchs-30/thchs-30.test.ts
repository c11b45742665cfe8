import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { test } from 'node:test';
import {
  assertRefused,
  bytesAsSounds,
  temporaryFolder,
  testCorpus,
  testServices,
  utterancesOf,
} from '../conformance.ts';
import { thchs30 } from './thchs-30.ts';

// Layout of data_thchs30.tgz: what stands in test/ is a link, or a file with the path of the real one.
const files = {
  'data_thchs30/data/D11_750.wav': 'one',
  'data_thchs30/data/D11_750.wav.trn': '东北军 的 一些 爱国 将士\ndong1 bei3 jun1 de5\nd ong1 b ei3\n',
  'data_thchs30/data/D11_751.wav': 'two',
  'data_thchs30/data/D11_751.wav.trn': '王 英汉\nwang2 ying1 han4\nuu uang2\n',
  'data_thchs30/data/A2_0.wav': 'three',
  'data_thchs30/data/A2_0.wav.trn': '绿 是 阳春\nlv4 shi4\nl v4\n',
  'data_thchs30/test/D11_750.wav.trn': '../data/D11_750.wav.trn\n',
  'data_thchs30/test/D11_751.wav.trn': '../data/D11_751.wav.trn\n',
  'data_thchs30/train/A2_0.wav.trn': '../data/A2_0.wav.trn\n',
};

testCorpus({ kind: thchs30, files, options: { folder: '.', split: 'test' }, published: true });

test('THCHS-30 is read by part, with the sound that a link leads to', async () => {
  await using tree = await temporaryFolder(files);
  await symlink('../data/D11_750.wav', `${tree.path}/data_thchs30/test/D11_750.wav`);
  const corpus = await thchs30.open({ folder: '.', split: 'test' }, testServices(tree.path, { sounds: bytesAsSounds }));
  const utterances = await utterancesOf(corpus);
  assert.deepEqual(
    utterances.map(({ id, reference, speaker }) => [id, reference, speaker]),
    [
      ['D11_750', '东北军的一些爱国将士', 'D11'],
      ['D11_751', '王英汉', 'D11'],
    ],
  );
  assert.equal((await corpus.clip(utterances[0]!)).samples.length, 'one'.length);
});

test('a transcript without characters is refused', async () => {
  await using tree = await temporaryFolder({ ...files, 'data_thchs30/data/D11_750.wav.trn': 'dong1 bei3\n' });
  await assertRefused(
    thchs30.open({ folder: '.', split: 'test' }, testServices(tree.path)),
    /D11_750\.wav\.trn:1:1: expected Chinese characters/,
  );
});
