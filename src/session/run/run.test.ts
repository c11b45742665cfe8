import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import type { EngineEvent } from '../../engine/events.ts';
import { estimateAt, numberAt, rowsOf, textAt } from '../../model/finding-rows.ts';
import { checkedConfig } from '../config/load-config.ts';
import { run } from './run.ts';

const texts: Readonly<Record<string, string>> = { one: 'so say all of us', two: 'the sea is high again' };
const written = {
  corpus: { type: 'folder', folder: '.', language: 'en' },
  recognizers: { parrot: { type: 'scripted', answers: texts }, deaf: { type: 'scripted', default: '' } },
  studies: [{ type: 'robustness', conditions: ['aequevox/noise:5'] }],
} as const;

async function recordings() {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(folder.file(`${name}.wav`), sineWav());
    await writeFile(folder.file(`${name}.txt`), text);
  }
  return folder;
}

// 2 utterances x 2 conditions x 2 recognizers.
test('a written config is run, and run again from what is stored', async () => {
  await using folder = await recordings();
  const events: EngineEvent[] = [];
  const config = {
    ...written,
    corpus: { ...written.corpus },
    studies: [...written.studies.map((study) => ({ ...study, conditions: [...study.conditions] }))],
  };
  const first = await run(config, { baseFolder: folder.path, on: (event) => events.push(event) });
  assert.deepEqual(
    { trials: first.report.tally.trials, answered: first.report.tally.answered, reused: first.report.tally.reused },
    { trials: 8, answered: 8, reused: 0 },
  );
  assert.ok(events.some(({ type }) => type === 'run'));
  assert.deepEqual(events.at(-1), { type: 'reporting', what: 'looking for examples in the answers' });
  assert.equal(first.excerpts.size, 0);
  const again = await run(await checkedConfig(config, folder.path), { mode: 'new' });
  assert.equal(again.report.tally.reused, 8);
  assert.deepEqual(
    again.report.findings.map(({ timing: _, ...rest }) => rest),
    first.report.findings.map(({ timing: _, ...rest }) => rest),
  );
});

test('an aborted signal stops a run with its reason', async () => {
  await using folder = await recordings();
  const stop = new AbortController();
  const reason = new Error('that is enough');
  const running = run(
    {
      corpus: { type: 'folder', folder: '.' },
      recognizers: { slow: { type: 'scripted', default: 'x', delaySeconds: 0.05 } },
    },
    {
      baseFolder: folder.path,
      workers: 1,
      signal: stop.signal,
      on: ({ type }) => type === 'planned' && stop.abort(reason),
    },
  );
  await assert.rejects(
    running,
    (thrown) => thrown === reason || (thrown as Error).cause === reason || /enough/.test(String(thrown)),
  );
});

test('what a voice is called decides nothing: a Chinese text is scored in characters, whoever reads it', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('sine.wav'), sineWav());
  const speak = (...voices: readonly string[]) => ({
    type: 'command',
    command: ['sh', '-c', 'cp sine.wav "$0"', '{output}'],
    voices: voices.map((name) => ({ name, language: name })),
  });
  // One character of all is taken for another.
  const said = '今天下午我们在公司开会';
  const heard = '今天下午我们在公司开车';
  const { report } = await run(
    await checkedConfig(
      {
        synthesizers: { own: speak('cmn-latn-pinyin', 'zh', 'en') },
        corpus: {
          ...{ type: 'sentences', texts: [said], synthesizer: 'own' },
          voices: ['cmn-latn-pinyin', 'zh', 'en'],
        },
        recognizers: { one: { type: 'scripted', default: heard } },
        studies: [{ type: 'robustness', conditions: [] }],
      },
      folder.path,
    ),
  );
  const [finding] = report.findings;
  assert.equal((finding!.settings.normalizer as { name: string }).name, 'chinese');
  const [clean] = rowsOf(finding!, 'robustness-conditions');
  assert.equal(estimateAt(clean!, 'wordErrorRate').value, 1 / [...said].length);
});

test('where a study draws few of the texts, the others are not spoken to describe the corpus; recordings are described', async () => {
  await using folder = await temporaryFolder();
  // Each call of the program leaves a line behind.
  await writeFile(folder.file('speak.sh'), `#!/bin/sh\necho "$1" >> spoken\ncp sine.wav "$2"\n`, { mode: 0o755 });
  await writeFile(folder.file('sine.wav'), sineWav());
  const colours = ['red', 'blue'].flatMap((colour) =>
    ['box', 'cup', 'chair', 'bag'].map((thing) => `${colour} ${thing}`),
  );
  const config = {
    synthesizers: {
      own: {
        type: 'command',
        command: ['sh', 'speak.sh', '{text}', '{output}'],
        voices: [{ name: 'v', language: 'en' }],
      },
    },
    corpus: { type: 'sentences', texts: colours, synthesizer: 'own', language: 'en' },
    recognizers: { one: { type: 'scripted', default: 'red blue' } },
    studies: [
      {
        type: 'fault-validation',
        words: { one: { robust: ['red'], nonRobust: ['blue'] } },
        sentences: 2,
        conditions: ['aequevox/noise:5'],
      },
    ],
  };
  const { report } = await run(await checkedConfig(config, folder.path));
  assert.deepEqual(
    report.findings.map(({ study }) => study.name),
    ['fault-validation'],
  );
  assert.equal(existsSync(folder.file('spoken')), false, 'a scripted recognizer hears no sound');

  const files = { type: 'folder', folder: '.', language: 'en' };
  for (const [index, text] of colours.entries()) {
    await writeFile(folder.file(`${index}.wav`), sineWav());
    await writeFile(folder.file(`${index}.txt`), text);
  }
  const { report: recorded } = await run(await checkedConfig({ ...config, corpus: files }, folder.path));
  assert.deepEqual(
    recorded.findings.map(({ study }) => study.name),
    ['fault-validation', 'corpus'],
  );
});

test('all systems of one table are recognizers of a run, and none of its entries has their names', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('utterances.tsv'), 'id\treference\na\tone two\nb\tthree\n');
  const rows = ['a\tsmall\tone too', 'b\tsmall\tthree', 'a\tbig\tone two', 'b\tbig\tthree'];
  await writeFile(folder.file('table.tsv'), ['utterance\tsystem\ttext', ...rows, ''].join('\n'));
  const config = (other: string) => ({
    corpus: { type: 'manifest', file: 'utterances.tsv', language: 'en' },
    recognizers: {
      [other]: { type: 'scripted', default: 'one' },
      table: { type: 'recorded', file: 'table.tsv', systems: 'all' },
    },
    studies: [{ type: 'robustness', conditions: ['clean'] }],
  });
  const { report } = await run(await checkedConfig(config('scripted'), folder.path));
  assert.deepEqual(
    report.recognizers.map(({ name }) => name),
    ['scripted', 'small', 'big'],
  );
  assert.equal(report.tally.answered, 6);
  await assert.rejects(run(await checkedConfig(config('big'), folder.path)), {
    message: /expected each name once, but "big" is an entry or a system twice/,
  });
});

test('recorded transcripts need no sounds of their scenarios; what stands in for a published collection has no published difficulty', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('utterances.tsv'), 'id\treference\na\tone two\nb\tthree\n');
  const names = ['', 'srb/env_noise:1', 'srb/rir:1'];
  const rows = names.flatMap((name) => [`a\t${name}\tone too`, `b\t${name}\tthree`]);
  await writeFile(folder.file('table.tsv'), ['utterance\tcondition\ttext', ...rows, ''].join('\n'));
  await mkdir(folder.file('few'));
  // Nothing is decoded: the names alone say that these are not the benchmark's.
  await writeFile(folder.file('few/rain.wav'), '');
  const difficulties = async (sounds: object) => {
    const { report } = await run(
      await checkedConfig(
        {
          corpus: { type: 'manifest', file: 'utterances.tsv', language: 'en' },
          recognizers: { table: { type: 'recorded', file: 'table.tsv' } },
          studies: [{ type: 'robustness', conditions: names.slice(1) }],
          ...sounds,
        },
        folder.path,
      ),
    );
    assert.deepEqual([report.tally.answered, report.tally.failed], [6, 0]);
    return rowsOf(report.findings[0]!, 'robustness-difficulties');
  };
  // Published for LibriSpeech, severity 1.
  assert.equal((await difficulties({}))[0]!.points, 44.6897);
  for (const absent of ['none', 'few']) {
    const own = await difficulties({ sounds: { 'ms-snsd': { type: 'folder', folder: absent } } });
    assert.equal(own[0]!.points, absent === 'none' ? 44.6897 : null);
    if (absent === 'few')
      assert.match(
        textAt(own[0]!, 'reason'),
        /belongs to the sounds of ms-snsd, and those of this name in the config are others/,
      );
    assert.ok(numberAt(own[1]!, 'points') > 0, 'nobody says of rooms what they are');
  }
});
