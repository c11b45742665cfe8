// Expected values are arguments on paper: which words make a text fail is decided here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../base/random.ts';
import { shrinkTogether } from './follow-up.ts';
import { type ShrinkVerdict, type ShrunkText, shrinkText } from './shrink-text.ts';

type Fails = (words: readonly string[]) => boolean;

function shrink(text: string, fails: Fails, maxCalls = 10_000): ShrunkText & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  const search = shrinkText(text, { maxCalls });
  let step = search.next();
  while (!step.done) {
    asked.push(step.value);
    step = search.next(fails(step.value.split(' ')));
  }
  return { ...step.value, asked };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);

test('A text that fails for one word is cut down to it, in a number of calls that grows as the logarithm.', () => {
  for (const place of [0, 1, 500, 998, 999]) {
    const { text, minimal, calls } = shrink(numbered(1000).join(' '), (words) => words.includes(`w${place}`));
    assert.equal(text, `w${place}`);
    assert.ok(minimal);
    // Two questions halve the text at worst; the end of a search asks a few more.
    assert.ok(calls <= 2 * 10 + 10, `${calls} calls`);
  }
});

test('Words that must stand together far from each other are both kept, and nothing between them.', () => {
  const { text, minimal } = shrink(numbered(12).join(' '), (words) => words.includes('w2') && words.includes('w9'));
  assert.equal(text, 'w2 w9');
  assert.ok(minimal);
});

test('Contiguous pieces are asked before anything is left out within.', () => {
  const { asked } = shrink('a b c d', () => false);
  assert.deepEqual(asked, ['a b', 'c d', 'a b c', 'b c d', 'a c d', 'a b d']);
});

test('What fails alone as a whole stays whole, and is known to be minimal only when every word was left out once.', () => {
  const text = 'a b c d e';
  assert.deepEqual((({ text, minimal }) => ({ text, minimal }))(shrink(text, () => false)), { text, minimal: true });
  const cut = shrink(text, () => false, 3);
  assert.deepEqual([cut.text, cut.minimal, cut.calls], [text, false, 3]);
});

test('One word, no word and blanks are asked nothing; the empty text is never asked.', () => {
  assert.deepEqual(shrink('word', () => true).asked, []);
  assert.equal(shrink(' ', () => true).text, '');
  const { text, asked } = shrink(' one\ttwo  three ', () => true);
  assert.equal(text, 'one');
  assert.ok(asked.every((candidate) => candidate !== ''));
});

test('Names of object members and words that repeat are words like others.', () => {
  const { text } = shrink(
    'the __proto__ the constructor the',
    (words) => words.filter((word) => word === 'the').length >= 2,
  );
  assert.equal(text, 'the the');
});

test('Whatever decides, the result fails, no single word can be left out, and no text is asked twice.', () => {
  const random = createRandom('shrinking');
  for (let round = 0; round < 400; round++) {
    const words = numbered(1 + random.integer(25)).map((word) => (random.integer(5) === 0 ? 'again' : word));
    // Fails with all of some words, or by a rule without any order in it: a hash of the text.
    const needed = words.filter(() => random.integer(4) === 0);
    const chance = random.integer(1000);
    const fails: Fails = (left) =>
      round % 2 === 0
        ? needed.every((word) => left.includes(word))
        : left.length === words.length || createRandom([chance, left.join(' ')]).integer(3) === 0;
    const { words: left, asked, minimal, calls, wordsBefore } = shrink(words.join(' '), fails);
    assert.ok(fails(left), `round ${round}`);
    assert.ok(minimal);
    for (let place = 0; left.length > 1 && place < left.length; place++) {
      assert.ok(!fails(left.toSpliced(place, 1)), `round ${round}: ${left.join(' ')} without word ${place} fails too`);
    }
    assert.equal(new Set(asked).size, asked.length);
    assert.equal(calls, asked.length);
    assert.equal(wordsBefore, words.length);
  }
});

test('What may not fail is not asked, and the result is as minimal.', () => {
  const asked: string[] = [];
  const search = shrinkText('a b c d e f', { maxCalls: 100, mayFail: (words) => words.includes('e') });
  let step = search.next();
  while (!step.done) {
    asked.push(step.value);
    step = search.next(step.value.includes('b') && step.value.includes('e'));
  }
  assert.deepEqual([step.value.text, step.value.minimal, step.value.calls], ['b e', true, asked.length]);
  assert.ok(asked.every((text) => text.includes('e')));
});

test('A budget is never passed, and the best so far is given.', () => {
  const needed = ['w3', 'w17', 'w40'];
  for (let maxCalls = 0; maxCalls < 60; maxCalls++) {
    const { words, calls, minimal } = shrink(
      numbered(50).join(' '),
      (left) => needed.every((word) => left.includes(word)),
      maxCalls,
    );
    assert.ok(calls <= maxCalls);
    assert.ok(needed.every((word) => words.includes(word)));
    if (minimal) assert.deepEqual(words, needed);
  }
});

test('A stop ends a search with what is known to fail.', () => {
  const search = shrinkText('a b c d', { maxCalls: 10 });
  assert.equal(search.next().value, 'a b');
  assert.equal(search.next(true).value, 'a');
  const end = search.next('stop' satisfies ShrinkVerdict);
  assert.deepEqual(end, {
    done: true,
    value: { text: 'a b', words: ['a', 'b'], wordsBefore: 4, minimal: false, calls: 1 },
  });
});

test('Many texts shrink together as each would alone, one question of each in a round.', () => {
  const fails: Fails = (words) => words.includes('x') || words.includes('y');
  const texts = ['a x b c d e', 'y', 'a b x c y', 'b y'];
  const rounds: number[] = [];
  const together = (options: { maxCallsEach: number; maxCalls?: number }) => {
    const search = shrinkTogether(
      texts.map((text) => ({ text })),
      options,
    );
    let step = search.next();
    while (!step.done) {
      rounds.push(step.value.length);
      assert.equal(new Set(step.value.map(({ of }) => of)).size, step.value.length);
      step = search.next(step.value.map(({ text }) => fails(text.split(' '))));
    }
    return step.value;
  };
  const alone = texts.map((text) => (({ asked: _, ...rest }) => rest)(shrink(text, fails)));
  assert.deepEqual(together({ maxCallsEach: 100 }), alone);

  rounds.length = 0;
  const few = together({ maxCallsEach: 100, maxCalls: 4 });
  assert.equal(
    rounds.reduce((sum, count) => sum + count, 0),
    4,
  );
  assert.ok(few.every(({ words }) => fails(words)));
  assert.deepEqual(few[1], alone[1]);
  assert.deepEqual(
    together({ maxCallsEach: 100, maxCalls: 0 }).map(({ text, minimal }) => [text, minimal]),
    texts.map((text) => [text, text === 'y']),
  );
});
