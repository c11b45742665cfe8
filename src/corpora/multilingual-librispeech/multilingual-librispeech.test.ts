import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { multilingualLibrispeech } from './multilingual-librispeech.ts';

// The layout of mls_spanish.tar.gz; metainfo.txt has a row for each book of a speaker.
const files = {
  'mls_spanish/metainfo.txt':
    ' SPEAKER   |   GENDER   | PARTITION  |  MINUTES   |  BOOK ID   |             TITLE              |            CHAPTER             \n' +
    '  10367    |     M      |    test    |   30.002   |   10282    | Platero y yo | Capítulo 1\n' +
    '  10367    |     M      |    test    |   12.1     |   10283    | Otro | 2 | 3\n',
  'mls_spanish/test/transcripts.txt': '10367_10282_000000\tplatero es pequeño\n10367_10282_000003\tpeludo suave\n',
  'mls_spanish/test/audio/10367/10282/10367_10282_000000.flac': 'sound 0',
  'mls_spanish/test/audio/10367/10282/10367_10282_000003.opus': 'sound 3',
};

testCorpus({
  kind: multilingualLibrispeech,
  files,
  options: { folder: 'mls_spanish', split: 'test' },
  published: true,
});

test('Multilingual LibriSpeech is read in its language, which its folder or the options tell', async () => {
  await using tree = await temporaryFolder(files);
  for (const given of [{ folder: 'mls_spanish' }, { folder: '.', language: 'spanish' as const }]) {
    const corpus = await multilingualLibrispeech.open({ ...given, split: 'test' }, testServices(tree.path));
    assert.deepEqual(
      (await utterancesOf(corpus)).map(({ id, reference, language, speaker, attributes }) => [
        id,
        reference,
        language,
        speaker,
        attributes.sex,
      ]),
      [
        ['10367_10282_000000', 'platero es pequeño', 'es', '10367', 'male'],
        ['10367_10282_000003', 'peludo suave', 'es', '10367', 'male'],
      ],
    );
  }
});

test('a folder whose name tells no language needs the option', async () => {
  await using tree = await temporaryFolder({ 'data/dev/transcripts.txt': '1_2_000000\tja\n' });
  await assertRefused(
    multilingualLibrispeech.open({ folder: 'data', split: 'dev' }, testServices(tree.path)),
    /^data: expected a folder named like mls_spanish, .*dutch, english/,
  );
});
