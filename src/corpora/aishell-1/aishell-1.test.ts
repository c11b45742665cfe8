import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { aishell1 } from './aishell-1.ts';

// Layout of data_aishell.tgz and resource_aishell.tgz, unpacked side by side.
const files = {
  'data_aishell/transcript/aishell_transcript_v0.8.txt':
    'BAC009S0002W0122 而 对 楼市\nBAC009S0764W0121 甚至 出现 交易 几乎 停滞\nBAC009S0764W0122 唱 卡拉 OK 吧\nBAC009S0764W0123 没有\n',
  'data_aishell/wav/train/S0002/BAC009S0002W0122.wav': 'one',
  'data_aishell/wav/test/S0764/BAC009S0764W0121.wav': 'two',
  'data_aishell/wav/test/S0764/BAC009S0764W0122.wav': 'three',
  'resource_aishell/speaker.info': '0002 F\n0764 M\n',
};

testCorpus({ kind: aishell1, files, options: { folder: '.', split: 'test' }, published: true });

test('AISHELL-1 is divided by the folders of its sounds, its characters without blanks', async () => {
  await using tree = await temporaryFolder(files);
  const services = testServices(tree.path);
  const utterances = await utterancesOf(await aishell1.open({ folder: '.', split: 'test' }, services));
  assert.deepEqual(
    utterances.map(({ id, reference, language, speaker, attributes }) => [
      id,
      reference,
      language,
      speaker,
      attributes.sex,
    ]),
    [
      ['BAC009S0764W0121', '甚至出现交易几乎停滞', 'zh', 'S0764', 'male'],
      ['BAC009S0764W0122', '唱卡拉 OK 吧', 'zh', 'S0764', 'male'],
    ],
  );
  assert.match(services.warnings.join(), /left out 1: lines whose sounds are not there/);
});
