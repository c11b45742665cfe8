import assert from 'node:assert/strict';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { exitCodes } from '../../base/errors.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const said = ['the train leaves at seven', 'put the letters down', 'nobody expected snow', 'she sells sea shells'];
const heard = ['the train leave at seven', 'put letters down', 'nobody expected know', 'she sells she shells'];

/** Some rows, as Hugging Face keeps them. */
function rows(from: number, to: number, texts = heard): Buffer {
  const column = (name: string, data: readonly string[]) => ({
    name,
    data: data.slice(from, to),
    type: 'STRING' as const,
  });
  const ids = said.map((_, place) => `u${place}`);
  return Buffer.from(
    parquetWriteBuffer({
      columnData: [column('id', ids), column('text', said), column('whisper', texts), column('vosk', said)],
    }),
  );
}

test('parts of a set in Parquet are one table, whichever of them, or their folder, is named', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('set'));
  await writeFile(folder.file('set/test-00000-of-00002.parquet'), rows(0, 1));
  // Older sets have a hash of each part in its name.
  await writeFile(folder.file('set/test-00001-of-00002-0123456789abcdef.parquet'), rows(1, 4));
  const parts = ['set/test-00000-of-00002.parquet', 'set/test-00001-of-00002-0123456789abcdef.parquet'];
  const command = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { cwd: folder.path });
    return { code, told: `${stdout}${stderr}`.replace(/\s+/g, ' ') };
  };
  // Of 16 words four are other ones or missing.
  for (const named of [['set'], parts.slice(0, 1), parts.slice(1), parts, parts.toReversed()]) {
    const scored = await command('score', ...named, '--hypothesis-column', 'whisper');
    assert.match(
      scored.told,
      /^Compared: set\/test-\*-of-00002\.parquet, row by row: reference in text, hypothesis in whisper\. .* 16 12 3 1 0 25\.0 %/,
    );
    const compared = await command('compare', ...named);
    assert.match(
      compared.told,
      /^Compared: set\/test-\*-of-00002\.parquet, row by row: reference in text, outputs in whisper and vosk\. .* clean 25\.0 0\.0 /,
    );
    if (named.length > 1) continue;
    const found = await command('init', ...named, '--yes');
    assert.match(found.told, /transcripts of 2 recognizers: 4 utterances, .* Recognizers: whisper, vosk: /);
    assert.match((await command('run', '--json')).told, /"words": 16\}, .*"value": 0\.25/);
    await rm(folder.file('earwitness.config.yaml'));
  }
  // Answers that are stored are those of all parts as they were.
  await command('init', 'set', '--yes');
  await writeFile(folder.file(parts[1]!), rows(1, 4, said));
  assert.match((await command('run', '--new', '--json')).told, /"words": 16\}, .*"value": 0\.0625/);
});

test('score takes as many parts as a set has, and more files for what they are', async () => {
  await using folder = await temporaryFolder();
  const names = [0, 1, 2].map((place) => `t-0000${place}-of-00003.parquet`);
  for (const [place, name] of names.entries()) await writeFile(folder.file(name), rows(place, place + 1));
  const score = (...args: readonly string[]) => runCommand(['score', ...args], { cwd: folder.path });
  // Of twelve words three are other ones or missing.
  assert.match((await score(...names, '--hypothesis-column', 'whisper', '--only', 'wer')).stdout, /^0\.25\n/);
  const several = await score('ref.txt', 'a.txt', 'b.txt');
  assert.equal(several.code, exitCodes['bad-usage']);
  assert.match(
    several.stderr,
    /but got 3 arguments; several outputs are compared by: earwitness compare REFERENCES A B/,
  );
});

test('a set of which a part is missing, there twice or damaged is not read at all', async () => {
  await using folder = await temporaryFolder();
  const part = (place: number, hash = '') => folder.file(`a-0000${place}-of-00002${hash}.parquet`);
  await writeFile(part(0), rows(0, 3));
  const score = async () => {
    const { code, stdout, stderr } = await runCommand(
      ['score', 'a-00000-of-00002.parquet', '--hypothesis-column', 'whisper'],
      { cwd: folder.path },
    );
    return { code, stdout, stderr };
  };
  const missing = await score();
  assert.equal(missing.code, exitCodes['bad-input']);
  assert.match(
    missing.stderr,
    /a-00000-of-00002\.parquet: expected all 2 parts of a-\*-of-00002\.parquet in one folder, but number 00001 is missing; copy it there, or give a part that is meant alone another name$/m,
  );
  await writeFile(part(1), rows(3, 4));
  await copyFile(part(1), part(1, '-0123abcd'));
  assert.match((await score()).stderr, /but number 00001 is there 2 times; take the others out, or give/);
  await rm(part(1, '-0123abcd'));
  assert.equal((await score()).code, 0);
  await writeFile(part(1), rows(3, 4).subarray(0, 100));
  const damaged = await score();
  assert.equal(damaged.stdout, '');
  assert.match(
    damaged.stderr,
    /^earwitness: a-00001-of-00002\.parquet: expected a Parquet file, but it is cut off after 100 bytes/m,
  );
  await rename(part(0), folder.file('alone.parquet'));
  const alone = await runCommand(['score', 'alone.parquet', '--hypothesis-column', 'vosk', '--only', 'wer'], {
    cwd: folder.path,
  });
  assert.match(alone.stdout, /^0\n/);
});
