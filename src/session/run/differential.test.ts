import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import type { EngineEvent } from '../../engine/events.ts';
import { openStore } from '../../store/open-store.ts';
import type { EarwitnessConfig } from '../config/written-config.ts';
import { run } from './run.ts';

const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliet'];

/** 100 texts; those with "delta" in them fail for one of the two, those with "golf" are understood by nobody. */
const texts = words.flatMap((first) => words.map((second) => `${first} and ${second}`));
const idOf = (text: string) => `${createHash('sha256').update(text).digest('hex').slice(0, 16)}-slt`;
const answers = (deaf: boolean) =>
  Object.fromEntries(
    texts.map((text) => [idOf(text), text.includes('golf') || (deaf && text.includes('delta')) ? 'what' : text]),
  );

const config: EarwitnessConfig = {
  corpus: { type: 'sentences', texts, synthesizer: 'flite', voices: ['slt'], language: 'en' },
  synthesizers: { flite: { type: 'flite' } },
  recognizers: {
    keen: { type: 'scripted', answers: answers(false) },
    deaf: { type: 'scripted', answers: answers(true) },
  },
  studies: [{ type: 'differential', replicates: 2, stop: { iterations: 4 } }],
};

const findingOf = ({ report }: Awaited<ReturnType<typeof run>>) => {
  const { timing: _, ...rest } = report.findings.find(({ study }) => study.name === 'differential')!;
  return rest;
};

test('Stopped at any batch and continued, the same texts are tried in the same order, and nothing is predicted twice.', async () => {
  await using folder = await temporaryFolder();
  const whole = await run({ ...config, store: 'whole.sqlite' }, { baseFolder: folder.path });
  assert.equal(JSON.stringify(findingOf(whole)).includes('"status":"failed"'), true);

  const about: string[] = [];
  let stopped = 0;
  for (let most = 2; ; most += 5) {
    const stop = new AbortController();
    let batches = 0;
    const on = (event: EngineEvent) => {
      if (event.type !== 'batch' || event.study !== 'differential') return;
      about.push(event.about);
      if (++batches === most) stop.abort(new Error('stopped by the test'));
    };
    const ended = await run(
      { ...config, store: 'stopped.sqlite' },
      { baseFolder: folder.path, on, signal: stop.signal },
    ).catch((error: Error) => error);
    if (ended instanceof Error) {
      assert.match(String(ended.message), /stopped by the test/);
      stopped++;
      continue;
    }
    assert.deepEqual(findingOf(ended), findingOf(whole));
    break;
  }
  assert.ok(stopped >= 3, `${stopped} stops in ${about.length} batches`);
  assert.ok(about.some((one) => one.endsWith(': prediction')));

  // The clock goes on from what the journal says.
  using store = openStore(`${folder.path}/stopped.sqlite`, { readonly: true });
  const [finished] = store.runs();
  const looks = store
    .batches(finished!.id)
    .flatMap(({ batch }) => store.answers(finished!.id, batch, { from: 0, limit: 1 }))
    .filter(({ asks }) => asks === 'elapsed')
    .map(({ elapsedSeconds }) => elapsedSeconds!);
  assert.equal(looks.length, 5);
  assert.deepEqual(
    looks,
    looks.toSorted((a, b) => a - b),
  );
  assert.equal(store.elapsed(finished!.id), looks.at(-1));
});

test('A second run of the same takes over every answer and every prediction.', async () => {
  await using folder = await temporaryFolder();
  const first = await run(config, { baseFolder: folder.path });
  const again = await run(config, { baseFolder: folder.path, mode: 'new' });
  assert.deepEqual(findingOf(again), findingOf(first));
  assert.equal(again.report.tally.reused, again.report.tally.trials);
});

test('A predictor that the config does not have, and an embedder that a predictor does not find, are refused.', async () => {
  await using folder = await temporaryFolder();
  const wrong = { ...config, studies: [{ type: 'differential' as const, predictor: 'text-feature' }] };
  await assert.rejects(run(wrong, { baseFolder: folder.path }), /did you mean "text-features"/);
});
