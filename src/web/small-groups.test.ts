// How few is too few: each limit by counts on either side of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell, Finding } from '../model/finding.ts';
import { findingWithoutSmallGroups, withholdSmallGroups } from './small-groups.ts';

/** What is left out of clips of these speakers with one attribute, at five speakers. */
function leftOut(clips: readonly (readonly [speaker: string, value: string])[], minSpeakers = 5) {
  const valuesOf = (place: 0 | 1) => [...new Set(clips.map((clip) => clip[place]))];
  const attributes = (['speaker', 'accent'] as const).map((name, place) => ({
    name,
    values: valuesOf(place as 0 | 1),
  }));
  const codes = Uint32Array.from(
    attributes.flatMap(({ values }, place) => clips.map((clip) => 1 + values.indexOf(clip[place]!))),
  );
  const header = { attributes, utterances: clips.length };
  const { withheld, ...kept } = withholdSmallGroups(header, { codes }, minSpeakers, []);
  return { withheld, why: withheld.attributes.get('accent')?.why, kept: kept.attributes.map(({ name }) => name) };
}

/** So many clips of each of so many speakers. */
const spoken = (value: string, speakers: number, clips = 2) =>
  Array.from({ length: speakers * clips }, (_, at) => [`${value}${at % speakers}`, value] as const);

test('A value of five speakers is shown, one of four is not.', () => {
  const others = spoken('Kent', 8);
  assert.deepEqual(leftOut([...others, ...spoken('Sark', 5)]).kept, ['accent']);
  const { why, kept, withheld } = leftOut([...others, ...spoken('Sark', 4)]);
  assert.deepEqual([why, kept, withheld.attributes.get('accent')!.large], ['alone', [], ['Kent']]);
  // Where two are enough, so are they; and one speaker is nobody to hide among.
  assert.deepEqual(leftOut([...others, ...spoken('Sark', 2)], 2).kept, ['accent']);
  assert.equal(leftOut([...others, ...spoken('Sark', 1)], 2).why, 'alone');
  assert.deepEqual(leftOut([...others, ...spoken('Sark', 1)], 1).kept, ['speaker', 'accent']);
});

test('A value of which one speaker says half is shown, one of which one says more is not.', () => {
  const others = spoken('Kent', 8);
  const five = spoken('Sark', 5, 1);
  const much = (clips: number) => spoken('Jersey', 1, clips).map(([speaker]) => [speaker, 'Sark'] as const);
  assert.deepEqual(leftOut([...others, ...five, ...much(5)]).kept, ['accent']);
  assert.equal(leftOut([...others, ...five, ...much(6)]).why, 'alone');
});

test('Of an attribute with a value for more than every other clip nothing is counted by group.', () => {
  const groupsOf = (values: number) =>
    leftOut(Array.from({ length: 20 }, (_, at) => [`s${at}`, `v${at % values}`] as const)).withheld.attributes.get(
      'accent',
    )!.groups;
  assert.deepEqual([groupsOf(10), groupsOf(11)], [true, false]);
});

test('A number of fewer than five speakers, or of all but fewer than five, is withheld with its finding.', () => {
  const { withheld } = leftOut(spoken('Kent', 20));
  const n = (speakers: number) => ({ utterances: 40, speakers });
  const estimate = (speakers: number) =>
    ({ value: 0.1, low: null, high: null, level: 0.95, n: n(speakers), method: 'x' }) as const;
  const finding = (more: Partial<Finding>): Finding => ({
    ...{ study: { name: 'mine', version: 1 }, title: 'Mine', settings: {}, answer: [], sections: [], warnings: [] },
    ...more,
  });
  const table = (row: Readonly<Record<string, Cell>>) => ({
    id: 's',
    title: 'S',
    tables: [
      {
        ...{ id: 't', title: 'T', rows: [row] },
        columns: [{ key: 'rate', label: 'Rate', kind: 'rate' } as const],
      },
    ],
  });
  const names = { renamed: () => null, unnamed: (text: string) => text };
  const isShown = (one: Finding, own = withheld) => !('why' in findingWithoutSmallGroups(one, own, names));
  for (const [speakers, shown] of [
    [0, true],
    [1, false],
    [4, false],
    [5, true],
    [15, true],
    [16, false],
    [19, false],
    [20, true],
  ] as const) {
    const said = finding({ answer: [{ text: 'so it is', estimate: estimate(speakers) }] });
    const inRate = finding({ sections: [table({ rate: estimate(speakers) })] });
    const inCount = finding({ sections: [table({ rate: null, speakers })] });
    for (const one of [said, inRate, inCount]) assert.equal(isShown(one), shown, `${speakers} speakers`);
  }
  // Of three speakers there are no others: what is of all three is shown.
  const few = leftOut(spoken('Kent', 3)).withheld;
  const ofThree = (speakers: number) =>
    isShown(finding({ answer: [{ text: 'x', estimate: estimate(speakers) }] }), few);
  assert.deepEqual([ofThree(3), ofThree(2), ofThree(1)], [true, false, false]);
});
