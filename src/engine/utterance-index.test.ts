import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import type { Utterance } from '../model/utterance.ts';
import { openStore } from '../store/open-store.ts';
import { createUtteranceIndex } from './utterances.ts';

const size = 12_300;

const utteranceOf = (id: string, more: Partial<Utterance> = {}): Utterance => ({
  ...{ id, reference: id, language: 'en', attributes: {}, tags: [] },
  ...more,
});

test('utterances are found by id and by position without their list in memory, made ones too, in whatever order', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-utterances-'));
  const store = openStore(join(folder, 'store.sqlite'));
  context.after(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { id: run } = store.createRun({
    ...{ name: 'n', purpose: 'p', config: {}, seed: 1, fresh: false, parent: null, startedAtMs: 1, recognizers: [] },
  });
  for (let from = 0; from < size; from += 100)
    store.addUtterances(
      run,
      from,
      Array.from({ length: 100 }, (_, at) => utteranceOf(`u${from + at}`)),
    );
  store.completeUtterances(run);

  let read = 0;
  const counting = {
    ...store,
    utterances(id: string, range: { readonly from: number; readonly limit: number }) {
      const page = store.utterances(id, range);
      read += page.length;
      return page;
    },
  };
  const index = createUtteranceIndex(counting, run);
  assert.equal(read, 0, 'opening it reads nothing, however many there are');

  const random = createRandom('order');
  const made: string[] = [];
  for (let turn = 0; turn < 300; turn++) {
    const place = Math.floor(size * random.next());
    assert.equal(index.position(`u${place}`), place);
    if (turn % 3 > 0) continue;
    const own = utteranceOf(`made ${place} ${turn}`, { made: { from: `u${place}`, how: 'shortened' } });
    const before = made.length;
    assert.equal(index.place(own), size + before);
    assert.equal(index.place(own), size + before, 'the second time it has one');
    made.push(own.id);
    if (turn % 30 === 0) index.keepMade();
  }
  assert.equal(read, 0, 'where a position alone is asked for, no page is read');
  index.keepMade();
  const positions = Array.from({ length: 300 }, () => Math.floor((size + made.length) * random.next()));
  for (const place of positions)
    assert.equal(index.at(place).id, place < size ? `u${place}` : made[place - size], 'also behind what was collected');

  const again = createUtteranceIndex(counting, run);
  assert.equal(again.place(utteranceOf('next', { made: { from: 'u0', how: 'shortened' } })), size + made.length);
  assert.throws(() => again.place(utteranceOf('stranger', { made: { from: 'nobody', how: 'shortened' } })), /nobody/);
  assert.throws(() => again.position('stranger'), /stranger, which is not in the run/);
  const inOrder = createUtteranceIndex(counting, run);
  read = 0;
  for (let place = 0; place < 5000; place++) assert.equal(inOrder.position(`u${place}`), place);
  assert.equal(read, 5000, 'in their order they are read a page at a time');
});
