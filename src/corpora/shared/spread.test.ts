import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Utterance } from '../../model/utterance.ts';
import { corpusOf, utterancesOf } from '../conformance.ts';
import { spread } from './selection.ts';

const said = (speaker: string | undefined, number: number): Utterance => ({
  id: `${speaker ?? 'nobody'}-${number}`,
  ...(speaker !== undefined && { speaker }),
  language: 'en',
  attributes: {},
  tags: [],
});
const many = (speaker: string | undefined, count: number) => Array.from({ length: count }, (_, n) => said(speaker, n));
const chosen = async (utterances: readonly Utterance[], count: number) =>
  (await utterancesOf(spread(corpusOf(utterances), count))).map(({ id, speaker }) => ({ id, speaker }));

test('a few utterances come from as many speakers as can be, and from all alike where there are fewer', async () => {
  const talkative = [...many('anna', 500), ...many('ben', 3), ...many('carla', 1), ...many('dora', 2)];
  const four = await chosen(talkative, 4);
  assert.deepEqual(new Set(four.map(({ speaker }) => speaker)), new Set(['anna', 'ben', 'carla', 'dora']));
  const eight = Map.groupBy(await chosen(talkative, 8), ({ speaker }) => speaker);
  // Rounds: four speakers, three of them twice, and of the two that are left one a third time.
  assert.deepEqual(
    ['carla', 'dora'].map((speaker) => eight.get(speaker)!.length),
    [1, 2],
  );
  assert.equal(eight.get('anna')!.length + eight.get('ben')!.length, 5);
  const ids = talkative.map(({ id }) => id);
  const order = (await chosen(talkative, 8)).map(({ id }) => ids.indexOf(id));
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
});

test('which ones depends on no order; all come where there are no more', async () => {
  const twenty = Array.from({ length: 20 }, (_, n) => many(`speaker ${n}`, 5)).flat();
  const ids = async (all: readonly Utterance[]) => (await chosen(all, 10)).map(({ id }) => id).sort();
  assert.deepEqual(await ids(twenty), await ids(twenty.toReversed()));
  assert.equal((await chosen(many(undefined, 100), 10)).length, 10);
  assert.equal((await chosen(many(undefined, 3), 10)).length, 3);
});
