import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { sideOfPath } from '../../base/columns/roles.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

const said = ['the train leaves at seven', 'put the letters on the table', 'nobody expected any snow'];
const heard = ['the train leave at seven', 'put letters on the table', 'nobody expected any know'];
const list = (texts: readonly string[], column = 'text') =>
  [`file,${column}`, ...texts.map((text, place) => `${place}.wav,${text}`)].join('\n');

async function folderOf(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  const sounds = said.map((_, place) => [`${place}.wav`, sineWav()] as const);
  for (const [name, content] of [...sounds, ...Object.entries(files)]) {
    await mkdir(dirname(folder.file(name)), { recursive: true });
    await writeFile(folder.file(name), content);
  }
  const init = async (...args: readonly string[]) => {
    const { code, stderr } = await runCommand(['init', ...args, '--yes', '-r', 'scripted'], { cwd: folder.path });
    await rm(folder.file('earwitness.config.yaml'), { force: true });
    return { code, said: stderr.replace(/\s+/g, ' ') };
  };
  return Object.assign(folder, { init });
}

test('of two lists beside audio the one that is called an output is none of references, whichever name comes first', async () => {
  for (const [output, reference] of [
    ['predictions.csv', 'transcripts.csv'],
    ['hyp.csv', 'ref.csv'],
    ['whisper.csv', 'gold.csv'],
    ['hypotheses.csv', 'labels.csv'],
    ['asr_results.csv', 'manifest.csv'],
    ['canary.csv', 'metadata.csv'],
    ['model.csv', 'transkripte.csv'],
    ['a.csv', 'references.csv'],
    ['whisper/list.csv', 'z.csv'],
  ] as const) {
    await using folder = await folderOf({ [output]: list(heard), [reference]: list(said) });
    const sound = output.includes('/') ? output.replace('list.csv', '') : '';
    for (let place = 0; sound !== '' && place < said.length; place++)
      await writeFile(folder.file(`${sound}${place}.wav`), sineWav());
    const { code, said: told } = await folder.init();
    assert.equal(code, 0, told);
    assert.match(told, new RegExp(`Read as the manifest ${reference.replace('.', '\\.')}: `));
  }
});

test('a list that is called an output alone is refused, and taken where somebody says that it holds the references', async () => {
  for (const name of [
    'predictions.csv',
    'hypotheses.csv',
    'asr_output.csv',
    'whisper_output.csv',
    'whisper-large-v3.csv',
  ]) {
    await using folder = await folderOf({ [name]: list(said) });
    const refused = await folder.init();
    assert.equal(refused.code, 4);
    const way = `earwitness init ${name} --reference-column text`;
    assert.match(
      refused.said,
      new RegExp(` ${name}: by its name what a recognizer wrote: no reference; if it is: ${way} `),
    );
    const alone = await folder.init(name);
    assert.equal(alone.code, 4);
    assert.match(alone.said, /holds an output \("text": "the train leaves at seven"\).* --reference-column text $/);
    const taken = await folder.init(name, '--reference-column', 'text');
    assert.match(taken.said, /all with references/);
  }
  // A column that says so counts more than the name of the file.
  await using folder = await folderOf({ 'results.csv': list(said, 'gold') });
  assert.match((await folder.init()).said, /references in "gold"/);
});

test('two lists with other words for the same audio are asked about, where neither says what it is', async () => {
  await using folder = await folderOf({ 'one.csv': list(heard), 'two.csv': list(said) });
  const { code, said: told } = await folder.init();
  assert.equal(code, 4);
  assert.match(
    told,
    /expected one list that may hold the reference, but there are "one\.csv" \("the train leave at seven"\), "two\.csv" \("the train leaves at seven"\); name the right one with --reference-column $/,
  );
  assert.match((await folder.init('--reference-column', 'two.csv')).said, /Read as the manifest two\.csv/);
  await writeFile(folder.file('one.csv'), list(said.map((text) => `${text.toUpperCase()}.`)));
  assert.equal((await folder.init()).code, 0);
});

const time = '00:00:00,000 --> 00:00:01,000';
const forms: Readonly<Record<string, (text: string) => string>> = {
  txt: (text) => `${text}\n`,
  srt: (text) => `1\n${time}\n${text}\n`,
  vtt: (text) => `WEBVTT\n\n${time.replaceAll(',', '.')}\n${text}\n`,
  tsv: (text) => `start\tend\ttext\n0\t1000\t${text}\n`,
  json: (text) => JSON.stringify({ text, segments: [{ start: 0, end: 1, text }], language: 'en' }),
};
const beside = (texts: readonly string[], ...endings: readonly string[]) =>
  Object.fromEntries(
    endings.flatMap((ending) => texts.map((text, place) => [`${place}.${ending}`, forms[ending]!(text)])),
  );

test('what a recognizer wrote beside audio is no reference in any of its forms', async () => {
  for (const endings of [
    ['txt', 'srt', 'vtt', 'tsv', 'json'],
    ['txt', 'json'],
    ['txt', 'srt', 'vtt'],
    ['srt', 'json'],
  ]) {
    await using folder = await folderOf(beside(heard, ...endings));
    const { code, said: told } = await folder.init();
    assert.equal(code, 4, endings.join());
    assert.match(told, /words that stand in several files of its name, as recognizers write them: no reference;/);
  }
  // Other words beside them are what somebody said.
  await using folder = await folderOf({ ...beside(said, 'txt'), ...beside(heard, 'srt', 'vtt', 'json') });
  assert.match((await folder.init()).said, /all with references/);
});

test('words beside audio stay references where a recognizer beside them heard the same, in however many clips', async () => {
  for (const endings of [['json'], ['tsv'], ['srt', 'vtt'], ['srt', 'vtt', 'json']]) {
    await using folder = await folderOf({
      ...beside(said, 'txt'),
      ...beside([said[0]!, said[1]!, heard[2]!], ...endings),
    });
    assert.match((await folder.init()).said, /all with references/, endings.join());
  }
  // One that stands alone was written by somebody.
  await using folder = await folderOf({ ...beside(said, 'txt'), ...beside(said.slice(0, 2), 'json') });
  assert.match((await folder.init()).said, /all with references/);
});

test('a table that names speakers takes nothing from the words beside audio', async () => {
  const sounds = said.map((_, place) => `${place}`);
  const tables = {
    'speakers.csv': `file,speaker\n${sounds.map((sound) => `${sound}.wav,s${sound}\n`).join('')}`,
    'meta.tsv': `path\tspeaker\tgender\n${sounds.map((sound) => `${sound}.wav\ts${sound}\tf\n`).join('')}`,
    'ids.csv': `id,speaker\n${sounds.map((sound) => `${sound},s${sound}\n`).join('')}`,
    'speakers.json': JSON.stringify(sounds.map((sound) => ({ file: `${sound}.wav`, speaker: `s${sound}` }))),
  };
  for (const [name, content] of Object.entries(tables))
    for (const [ending, at] of [
      ['txt', ''],
      ['lab', ''],
      ['txt', 'txt/'],
    ]) {
      const texts = said.map((text, place) => [`${at}${place}.${ending}`, text]);
      await using folder = await folderOf({ [name]: content, ...Object.fromEntries(texts) });
      const { code, said: told } = await folder.init();
      assert.equal(code, 0, told);
      assert.match(told, /all with references, 3 speakers/, `${name} ${ending} ${at}`);
    }
});

test('words beside audio and a list with others are asked about, where nothing calls the list references', async () => {
  for (const [ending, at, place] of [
    ['txt', '', '.'],
    ['lab', '', '.'],
    ['txt', 'txt/', 'txt'],
  ] as const) {
    const texts = Object.fromEntries(said.map((text, number) => [`${at}${number}.${ending}`, text]));
    await using folder = await folderOf({ ...texts, 'turbo.csv': list(heard) });
    const { code, said: told } = await folder.init();
    assert.equal(code, 4);
    assert.match(
      told,
      /there are "turbo\.csv" \("the train leave at seven"\), "(?:\.|txt)" \("the train leaves at seven"\); name the right one with --reference-column/,
    );
    assert.match((await folder.init('--reference-column', place)).said, /words in files /);
    assert.match((await folder.init('--reference-column', 'turbo.csv')).said, /Read as the manifest turbo\.csv/);
    await writeFile(folder.file('turbo.csv'), list(heard, 'reference'));
    assert.match((await folder.init()).said, /Read as the manifest turbo\.csv: .* references in "reference"/);
    await writeFile(folder.file('turbo.csv'), list(said));
    const same = await folder.init();
    assert.equal(same.code, 0);
    assert.doesNotMatch(same.said, /several files of its name/);
  }
});

test('of two lists that may hold the references neither wins by its name', async () => {
  for (const names of [
    ['truth.csv', 'labels.csv'],
    ['annotation.csv', 'labels.csv'],
    ['manual.csv', 'transcripts.csv'],
  ] as const) {
    await using folder = await folderOf({ [names[0]]: list(said), [names[1]]: list(heard) });
    assert.match((await folder.init()).said, /expected one list that may hold the reference, but there are/, names[1]);
  }
});

test('a list in a folder of its own is not told to be compared with that folder', async () => {
  await using folder = await folderOf({});
  for (const [place] of said.entries()) await rm(folder.file(`${place}.wav`));
  const rows = said.map((text, place) => JSON.stringify({ file_name: `${place}.wav`, transcription: text }));
  await mkdir(folder.file('test'));
  await writeFile(folder.file('test/metadata.jsonl'), rows.join('\n'));
  for (const [place] of said.entries()) await writeFile(folder.file(`test/${place}.wav`), sineWav());
  const { said: told } = await folder.init();
  assert.match(told, /all with references/);
  assert.doesNotMatch(told, /earwitness score/);
});

test('files speak by the names of columns', () => {
  const names = [
    'a/predictions.csv',
    'transcripts_whisper.csv',
    'gold.tsv',
    'asr/list.csv',
    'whisper/refs.csv',
    'list.csv',
  ];
  assert.deepEqual(names.map(sideOfPath), ['output', 'output', 'reference', 'output', 'reference', null]);
  // Who published a data set heard nothing in it; who is named beside one did.
  const sets = ['google_fleurs.tsv', 'google/fleurs.tsv', 'data/google-speech-commands.csv', 'espnet/yodas/list.csv'];
  assert.deepEqual(sets.map(sideOfPath), [null, null, null, null]);
  const outputs = ['fleurs_google.tsv', 'google/list.tsv', 'google_fleurs_whisper.tsv', 'whisper/google_fleurs.tsv'];
  assert.deepEqual(outputs.map(sideOfPath), ['output', 'output', 'output', 'output']);
});

test('a list that is called as a data set is one of references, whoever published that', async () => {
  await using folder = await folderOf({ 'google_fleurs.tsv': list(said).replaceAll(',', '\t') });
  const { code, said: told } = await folder.init();
  assert.equal(code, 0, told);
  assert.match(told, /Read as the manifest google_fleurs\.tsv: audio in "file", references in "text"/);
});
