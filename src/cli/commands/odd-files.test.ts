import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

test('what cannot be read or written is told in one sentence, without the names that systems have for it', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.wav'), sineWav());
  await writeFile(folder.file('text.txt'), 'hello\n');
  await writeFile(folder.file('bytes'), Buffer.from([0x61, 0xff]));
  await mkdir(folder.file('folder'));
  // Not asked to speak before it is known where to write.
  const speak = ['--synthesizer', 'flite', '-o'];
  const clean = ['--scenario', 'clean'];
  const scripted = ['--recognizer', 'scripted:default=hello'];
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['normalize', 'missing.txt'], /missing\.txt: expected a text file, but there is none; check the path/],
    [['normalize', 'folder'], /folder: expected a text file, but this is a folder/],
    [['speak', '-f', 'missing.txt', ...speak, 'o.wav'], /missing\.txt: .* but there is no such file; check the path/],
    [['speak', '-f', 'folder', ...speak, 'o.wav'], /folder: expected a text in UTF-8, but it is a folder/],
    [['speak', '-f', 'bytes', ...speak, 'o.wav'], /bytes: expected a text in UTF-8, but it has other bytes/],
    [['speak', 'hello', ...speak, 'o.mp3'], /o\.mp3: expected a name that ends in \.wav, .* but it ends in \.mp3/],
    [['speak', 'hello', ...speak, '-'], /expected a file to write, but got - for stdout/],
    [
      ['perturb', 'missing.wav', ...clean, '--discard'],
      /missing\.wav: expected an audio file or a folder, but there is no/,
    ],
    [['perturb', 'a.wav', ...clean, '-o', 'b.flac'], /b\.flac: expected a name that ends in \.wav/],
    [['perturb', 'a.wav', ...clean, '-o', '-'], /expected a file to write, but got - for stdout/],
    [['perturb', 'a.wav', '--scenario', '', '--discard'], /expected --scenario to name at least one/],
    [['perturb', 'a.wav', ...clean, '-o', 'text.txt/b.wav'], /cannot be written \(a file stands where a folder/],
    [['recognize', 'a.wav', ...scripted, '-l', 'plain english'], /--language: expected a language like en or en-GB/],
    [
      ['recognize', 'a.wav', '--recognizer', './none.ts'],
      /none\.ts: expected .* cannot be read \(there is no such file\)/,
    ],
    [['run', '-c', 'missing.yaml'], /missing\.yaml: the config cannot be read \(there is no such file\)/],
    [['rooms', 'a.wav', '--speech', 'folder'], /a\.wav: expected a folder of audio files, but this is a file/],
    [['rooms', 'missing', '--speech', 'folder'], /missing: expected a folder of audio files, but there is none/],
  ];
  for (const [args, said] of cases) {
    const { code, stdout, stderr } = await runCommand(args, { cwd: folder.path });
    assert.ok(code !== 0 && code !== 1, `${args.join(' ')}: ${code} ${stderr}`);
    assert.equal(stdout, '', args.join(' '));
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /\bE[A-Z]{4,}\b|a fault of earwitness/);
  }
  for (const name of ['-', 'o.mp3', 'b.flac', 'o.wav']) assert.ok(!existsSync(folder.file(name)), name);
  const { stdout } = await runCommand(['normalize', 'text.txt'], { cwd: folder.path });
  assert.equal(stdout, 'hello\n');
});
