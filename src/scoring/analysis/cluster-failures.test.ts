// Expected values are arguments on paper: small sets of failures whose causes are counted by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { brokenPlaces } from './broken-words.ts';
import { clusterFailures, type FailedWords, greedyCover } from './cluster-failures.ts';

const words = (text: string) => text.split(' ').filter(Boolean);
const failed = (text: string, transcript: string): FailedWords => ({
  reference: words(text),
  hypothesis: words(transcript),
});
const places = (text: string, transcript: string) =>
  brokenPlaces(words(text), words(transcript)).map(
    ({ kind, words: broken, said, written }) => `${kind} ${broken}: ${said} -> ${written}`,
  );

test('Words written apart or together are one place, also beside other errors.', () => {
  assert.deepEqual(places('the taxpayers pay', 'the tax payers pay'), ['spelling taxpayers: taxpayers -> tax payers']);
  assert.deepEqual(places('it may be so', 'it maybe so'), ['spelling may be: may be -> maybe']);
  assert.deepEqual(places('in as much as', 'inasmuch as'), ['spelling in as much: in as much -> inasmuch']);
  assert.deepEqual(places('all ready made', 'al ready maid'), ['word all: all -> al', 'word made: made -> maid']);
  assert.deepEqual(places('our taxpayers say', 'are tax payers say'), [
    'word our: our -> are',
    'spelling taxpayers: taxpayers -> tax payers',
  ]);
});

test('A stretch of errors breaks each of its words; what stands for it is told as a whole unless words pair off.', () => {
  assert.deepEqual(places('the member states agree', 'the remembrance agree'), [
    'word member: member states -> remembrance',
    'word states: member states -> remembrance',
  ]);
  assert.deepEqual(places('two new laws', 'to knew laws'), ['word two: two -> to', 'word new: new -> knew']);
  assert.deepEqual(places('we agree', 'we we agree now'), ['inserted we:  -> we', 'inserted now:  -> now']);
  assert.deepEqual(places('we agree', 'agree'), ['word we: we -> ']);
  assert.deepEqual(places('we agree', ''), ['nothing : we agree -> ']);
  assert.deepEqual(places('', 'a'), ['inserted a:  -> a']);
  assert.deepEqual(places('we agree', 'we agree'), []);
});

test('Each failure is explained by the first cause it has, and the counts are told with what else broke.', () => {
  const failures = [
    failed('the tax rises', 'the tacks rises'),
    failed('a tax is paid', 'a tacks is paid'),
    failed('no tax on wine', 'no tax on whine'),
    failed('tax the wine', 'tags the whine'),
    failed('red wine', 'red whine'),
    failed('we meet', ''),
    failed('they left', ''),
    failed('a budget', 'a budge it'),
  ];
  const { causes, explained, rest, failures: count, tooLong, alike } = clusterFailures(failures);
  assert.deepEqual(
    causes.map(({ kind, words: broken, failures: n, alone, everywhere, texts }) => [
      kind,
      broken,
      n,
      alone,
      everywhere,
      texts,
    ]),
    [
      // Three each: the order of the code units decides. One of those of wine is explained by tax already.
      ['word', 'tax', 3, 2, 3, 4],
      ['nothing', '', 2, 2, 2, null],
      ['word', 'wine', 2, 2, 3, 3],
    ],
  );
  assert.deepEqual(causes[0]!.outcomes, [
    { said: 'tax', written: 'tacks', failures: 2 },
    { said: 'tax', written: 'tags', failures: 1 },
  ]);
  assert.deepEqual(causes[0]!.examples, [failures[0], failures[1], failures[3]]);
  assert.deepEqual(
    { count, explained, rest, tooLong, alike },
    { count: 8, explained: 7, rest: { failures: 1, causes: 1 }, tooLong: 0, alike: 0 },
  );
  assert.deepEqual(causes[1]!.outcomes, [{ said: '', written: '', failures: 2 }]);
});

test('Where most of a text is lost none of its words is blamed.', () => {
  const failures = [
    failed('we pay the tax on wine', 'wipe a the attacks on wine'),
    failed('the tax is too high today', 'attack says to hide a day'),
    failed('this is the end', 'thesis beyond hand'),
    failed('the tax is due', 'the tacks is due'),
    failed('two words', 'too birds'),
  ];
  const { causes } = clusterFailures(failures, { minFailures: 1 });
  const told = causes.map(({ kind, words: broken, failures: n }) => [kind, broken, n]);
  assert.deepEqual(told, [
    // Three words of six are not most of them, two of two are too few to speak of.
    ['lost', '', 2],
    ['word', 'tax', 2],
    ['word', 'two', 1],
  ]);
});

test('Outcomes that are not listed are counted.', () => {
  const failures = ['a', 'b', 'b', 'c', 'd', 'e'].map((letter) => failed('word', letter));
  const [cause] = clusterFailures(failures).causes;
  assert.deepEqual(
    cause!.outcomes.map(({ written, failures: n }) => [written, n]),
    [
      ['b', 2],
      ['a', 1],
      ['c', 1],
    ],
  );
  assert.equal(cause!.otherOutcomes, 2);
  assert.equal(cause!.examples.length, 3);
});

test('Names of object members, failures without a difference and failures too long are counted apart.', () => {
  const endless = failed('a '.repeat(1001), 'b');
  const { causes, rest, tooLong, alike } = clusterFailures([
    failed('constructor', '__proto__'),
    failed('the constructor', 'the __proto__'),
    failed('same', 'same'),
    endless,
  ]);
  assert.deepEqual(
    causes.map((cause) => [cause.words, cause.failures, cause.outcomes[0]!.written]),
    [['constructor', 2, '__proto__']],
  );
  assert.deepEqual({ rest, tooLong, alike }, { rest: { failures: 2, causes: 0 }, tooLong: 1, alike: 1 });
  assert.deepEqual(clusterFailures([]).rest, { failures: 0, causes: 0 });
  assert.throws(() => clusterFailures([], { maxCauses: 0 }), RangeError);
});

test('A thousand failures with twenty causes behind them read as these twenty.', () => {
  const random = createRandom('causes');
  const causes = Array.from({ length: 20 }, (_, index) => `cause${index}`);
  const failures = Array.from({ length: 1000 }, (_, index) => {
    const cause = causes[index % 20]!;
    const text = Array.from({ length: 10 }, () => `w${random.integer(5000)}`);
    // One failure in five has another broken word, seldom the same twice.
    const transcript = text.map((word, place) => (place === 3 && index % 5 === 0 ? `x${word}` : word));
    return { reference: text.toSpliced(5, 0, cause), hypothesis: transcript.toSpliced(5, 0, `${cause}s`) };
  });
  const clusters = clusterFailures(failures);
  assert.deepEqual(new Set(clusters.causes.map((cause) => cause.words)), new Set(causes));
  assert.ok(clusters.causes.every((cause) => cause.failures === 50 && cause.everywhere === 50));
  assert.equal(clusters.explained, 1000);
});

test('A cover takes what covers most of the rest, as brute force does; sets too small are left.', () => {
  const random = createRandom('cover');
  for (let round = 0; round < 50; round++) {
    const setsOfItem = Array.from({ length: 30 }, () => [0, 1, 2, 3, 4, 5, 6, 7].filter(() => random.integer(4) === 0));
    const left = new Set(setsOfItem.keys());
    const expected: { set: number; items: number[] }[] = [];
    for (;;) {
      const covers = Array.from({ length: 8 }, (_, set) => [...left].filter((item) => setsOfItem[item]!.includes(set)));
      const most = Math.max(...covers.map((items) => items.length));
      if (most < 2) break;
      const set = covers.findIndex((items) => items.length === most);
      expected.push({ set, items: covers[set]! });
      for (const item of covers[set]!) left.delete(item);
    }
    assert.deepEqual(greedyCover(setsOfItem, 8, { maxSets: 8, minItems: 2 }), expected);
    assert.deepEqual(greedyCover(setsOfItem, 8, { maxSets: 2, minItems: 2 }), expected.slice(0, 2));
  }
  assert.deepEqual(greedyCover([], 0, { maxSets: 3, minItems: 1 }), []);
});

test('Time grows as the number of failures: twenty thousand take no more than a few seconds.', () => {
  const random = createRandom('many');
  const text = () => Array.from({ length: 12 }, () => `w${Math.floor(20_000 * random.next() ** 3)}`);
  const failures = Array.from({ length: 20_000 }, () => {
    const reference = text();
    return { reference, hypothesis: reference.map((word) => (random.integer(8) === 0 ? `${word}x` : word)) };
  });
  const begun = process.cpuUsage();
  const { explained, rest } = clusterFailures(failures);
  const { user, system } = process.cpuUsage(begun);
  assert.equal(explained + rest.failures, 20_000);
  assert.ok((user + system) / 1e6 < 4, `${(user + system) / 1e6} s`);
});
