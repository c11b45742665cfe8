import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EarwitnessError } from '../../base/errors.ts';
import { createRandom } from '../../base/random.ts';
import { align, countEdits } from '../alignment/align.ts';
import type { AlignmentRule } from '../alignment/trace-back.ts';
import { type EditCounts, errors } from '../edit-counts.ts';
import { alignNetwork, fragmentsAgree, networkPath } from './align-network.ts';
import { type NetworkTable, tableOf } from './network-table.ts';
import { linearNetwork, parseReference, type ReferenceNetwork } from './reference-network.ts';
import { brokenSeeds } from './remaining-cost.ts';

const split = (text: string) => text.split(' ').filter(Boolean);
const slashed = (counts: EditCounts) =>
  [counts.correct, counts.substitutions, counts.deletions, counts.insertions].join('/');
const count = (reference: string, hypothesis: string, rule: AlignmentRule = 'least') =>
  slashed(alignNetwork(parseReference(reference), split(hypothesis), rule).counts);
const cost = (counts: EditCounts, rule: AlignmentRule) =>
  rule === 'least' ? errors(counts) : errors(counts) * 3 + counts.substitutions;

/** The words as a network, those of a list optional. */
function withOptionalWords(words: readonly string[], optional: readonly string[]): ReferenceNetwork {
  const { places, arcs } = linearNetwork(words);
  return { places, arcs: arcs.map((arc) => ({ ...arc, optional: optional.includes(arc.word!) })) };
}

/** Every wording, with optional words present and absent. */
function wordings({ places, arcs }: ReferenceNetwork): string[][] {
  const reached: string[][][] = Array.from({ length: places }, () => []);
  reached[0] = [[]];
  for (const { from, to, word, optional } of arcs) {
    for (const before of reached[from]!) {
      reached[to]!.push(word === null ? before : [...before, word]);
      if (optional) reached[to]!.push(before);
    }
  }
  return reached[1]!;
}

const word = fc.constantFrom('a', 'b', 'c');
const { text } = fc.letrec<{ text: string; item: string }>((tie) => ({
  text: fc.array(tie('item'), { minLength: 1, maxLength: 4 }).map((items) => items.join(' ')),
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc.constant('@'),
    fc.array(tie('text'), { minLength: 1, maxLength: 3 }).map((alternatives) => `{ ${alternatives.join(' / ')} }`),
  ),
}));

test('The best of all wordings is found by both rules, and the words along the path are that wording and the hypothesis.', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(word, { maxLength: 8 }),
      fc.constantFrom('least', 'sclite'),
      (reference, heard, rule) => {
        const network = parseReference(reference);
        const { counts, words } = alignNetwork(network, heard, rule);
        const all = wordings(network);
        assert.equal(cost(counts, rule), Math.min(...all.map((words) => cost(countEdits(words, heard, rule), rule))));
        const spoken = words.flatMap((pair) => pair.reference ?? []);
        assert.ok(all.some((words) => words.join(' ') === spoken.join(' ')));
        assert.deepEqual(
          words.flatMap((pair) => pair.hypothesis ?? []),
          heard,
        );
        if (rule === 'least') assert.deepEqual(words, align(spoken, heard));
      },
    ),
    { numRuns: 400, seed: 2 },
  );
});

test('A reference of one wording comes out as without a network, by both rules.', () => {
  const words = fc.array(word, { maxLength: 12 });
  fc.assert(
    fc.property(words, words, fc.constantFrom('least', 'sclite'), (reference, hypothesis, rule) => {
      for (const network of [reference, linearNetwork(reference), parseReference(reference.join(' '))]) {
        const result = alignNetwork(network, hypothesis, rule);
        assert.deepEqual(result.counts, countEdits(reference, hypothesis, rule));
        assert.deepEqual(result.words, align(reference, hypothesis, rule));
      }
    }),
    { numRuns: 200, seed: 3 },
  );
});

test('Words left out of the optional ones cost nothing by least, whichever they are.', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 7 }), fc.array(word, { maxLength: 7 }), (reference, heard) => {
      const network = withOptionalWords(reference, ['b', 'c']);
      const { counts, words } = alignNetwork(network, heard);
      const least = Math.min(...wordings(network).map((words) => errors(countEdits(words, heard))));
      assert.equal(errors(counts), least);
      assert.deepEqual(
        words.flatMap((pair) => pair.reference ?? []),
        reference,
      );
    }),
    { numRuns: 200, seed: 4 },
  );
});

test('Alternatives, empty alternatives and optional words have the counts that sclite -s -D (SCTK 2.4.10) printed.', () => {
  for (const [reference, hypothesis, expected] of [
    ['{ cannot / can not } stop', 'can not stop', '3/0/0/0'],
    ['{ cannot / can not } stop', 'cannot stop', '2/0/0/0'],
    ['{ cannot / can not } stop', 'not stop', '2/0/1/0'],
    ['i (uh) see', 'i see', '3/0/0/0'],
    ['i (uh) see', 'i uh see', '3/0/0/0'],
    ['i (uh) see', 'i ah see', '2/1/0/0'],
    ['{ you know / @ } yes', 'yes', '1/0/0/0'],
    ['{ you know / @ } yes', 'know yes', '2/0/1/0'],
    ['a { b { c / d e } / @ } f', 'a b d e f', '5/0/0/0'],
    ['a { b { c / d e } / @ } f', 'a d f', '2/0/0/1'],
    ['{ a b / c }', 'x y', '0/1/0/1'],
    ['(uh) (um)', '', '2/0/0/0'],
    ['{ a / @ } (b) { c d / e }', 'b d', '2/0/1/0'],
    ['b b a { @ / { b a (c) / @ / { @ } c } c c } c a', 'a', '1/0/4/0'],
    ['b b b c c { a @ (a) / @ / b }', 'c b c', '2/1/2/0'],
    ['@ a @', 'a', '1/0/0/0'],
  ] as const) {
    assert.equal(count(reference, hypothesis, 'sclite'), expected, `${reference} | ${hypothesis}`);
  }
});

test('Fragments agree with words that begin or end so, on either side, where that is asked for.', () => {
  const network = parseReference('we recog- speech -nition');
  const heard = ['we', 'recognize', 'sp-', 'recognition'];
  assert.equal(slashed(alignNetwork(network, heard, 'least', { fragments: true }).counts), '4/0/0/0');
  assert.equal(slashed(alignNetwork(network, heard, 'sclite', { fragments: true }).counts), '4/0/0/0');
  assert.equal(slashed(alignNetwork(network, heard).counts), '1/3/0/0');
  assert.equal(slashed(alignNetwork(['-'], ['a'], 'least', { fragments: true }).counts), '0/1/0/0');
});

test('Optional words: spoken they count, left out they count nowhere by least and as correct by sclite.', () => {
  assert.equal(count('i (uh) see', 'i uh see'), '3/0/0/0');
  assert.equal(count('i (uh) see', 'i see'), '2/0/0/0');
  assert.equal(count('i (uh) see', 'i see', 'sclite'), '3/0/0/0');
  const fillers = ['uh', 'um', '%hesitation'];
  const heard = withOptionalWords(['i', 'um', 'see', '%hesitation'], fillers);
  const { counts, words } = alignNetwork(withOptionalWords(['uh', 'i', 'see'], fillers), heard);
  assert.equal(slashed(counts), '2/0/0/0');
  assert.deepEqual(words, [
    { reference: 'uh', hypothesis: null, leftOut: true },
    { reference: 'i', hypothesis: 'i' },
    { reference: null, hypothesis: 'um', leftOut: true },
    { reference: 'see', hypothesis: 'see' },
    { reference: null, hypothesis: '%hesitation', leftOut: true },
  ]);
});

test('Both sides may have alternatives, and both, one or none may be empty.', () => {
  const heard = parseReference("{ he's / he is / he has } gone");
  assert.equal(slashed(alignNetwork(parseReference('he { is / was } gone'), heard).counts), '3/0/0/0');
  assert.equal(slashed(alignNetwork([], []).counts), '0/0/0/0');
  assert.equal(slashed(alignNetwork(parseReference(' '), ['a']).counts), '0/0/0/1');
  assert.equal(slashed(alignNetwork(parseReference('{ a b / c }'), []).counts), '0/0/1/0');
  assert.equal(slashed(alignNetwork(parseReference('{ a b / @ }'), [], 'sclite').counts), '0/0/0/0');
});

test('Notation needs no blanks around braces, a slash outside them is a word, and words go through a normalizer by the stretch.', () => {
  const arcs = (text: string, words?: (text: string) => string[]) => parseReference(text, words).arcs;
  assert.deepEqual(arcs('{a/b c}d'), arcs('{ a / b c } d'));
  assert.deepEqual(
    arcs('and/or / (you know)').map(({ word }) => word),
    ['and/or', '/', '(you', 'know)'],
  );
  const stretches: string[] = [];
  const spy = (stretch: string) => {
    stretches.push(stretch);
    return stretch === '...' ? [] : [stretch.toUpperCase()];
  };
  assert.deepEqual(
    arcs('twenty one { a b / ... } (uh) @ end', spy).map(({ word, optional }) => [word, optional]),
    [
      ['TWENTY ONE', false],
      ['A B', false],
      [null, false],
      ['UH', true],
      [null, false],
      ['END', false],
    ],
  );
  assert.deepEqual(stretches, ['twenty one', 'a b', '...', 'uh', 'end']);
});

test('Faults of notation are told in one sentence with the column, in characters.', () => {
  for (const [text, message] of [
    ['a { b / c', /^R\.stm:7:3: expected a "}" for this "{"/],
    ['𠮷 b } c', /^R\.stm:7:5: expected a "{" before this "}"/],
    ['{ a / }', /^R\.stm:7:7: expected a word or @/],
    ['{ / a }', /^R\.stm:7:3: expected a word or @/],
    ['{ }', /^R\.stm:7:3: expected a word or @/],
    ['{'.repeat(1e6), /^R\.stm:7:33: expected at most 32 braces/],
  ] as const) {
    assert.throws(
      () => parseReference(text, undefined, 'R.stm:7'),
      (error) => error instanceof EarwitnessError && error.code === 'bad-input' && message.test(error.message),
      text.slice(0, 20),
    );
  }
});

test('Networks made by hand are refused where their arcs are not in order or lead nowhere.', () => {
  const arc = (from: number, to: number) => ({ from, to, word: 'a', optional: false });
  for (const [places, ...arcs] of [
    [3, arc(2, 1), arc(0, 2)],
    [2, arc(0, 0)],
    [2, arc(1, 0)],
    [3, arc(0, 2)],
    [3, arc(0, 1)],
    [2, arc(0, 5)],
    [2],
  ] as const) {
    assert.throws(() => alignNetwork({ places, arcs }, ['a']), RangeError);
  }
});

test('A path is the same computed in one stretch and in many, whatever arcs are open between them.', () => {
  const costs = { substitution: 4, deletionOrInsertion: 3, optionalLeftOut: 2, nothing: 0.001 };
  const symbolOf = (word: string) => word.charCodeAt(0);
  fc.assert(
    fc.property(text, text, fc.boolean(), fc.nat({ max: 400 }), (reference, hypothesis, linear, bytes) => {
      const heard = parseReference(linear ? hypothesis.replace(/[{}/@]/g, ' ') : hypothesis);
      const tables = [tableOf(parseReference(reference), symbolOf), tableOf(heard, symbolOf)] as const;
      assert.deepEqual(
        networkPath(...tables, costs, null, { historyBytes: bytes }),
        networkPath(...tables, costs, null),
      );
    }),
    { numRuns: 400, seed: 6 },
  );
});

test('A path found within bounds is that of the whole matrix, with its ties, by both rules, with and without fragments.', () => {
  const random = createRandom('networks within bounds');
  const rules = [
    { substitution: 1, deletionOrInsertion: 1, optionalLeftOut: 0, nothing: 0 },
    { substitution: 4, deletionOrInsertion: 3, optionalLeftOut: 2, nothing: 0.001 },
  ];
  for (let round = 0; round < 300; round++) {
    const vocabulary = 2 + random.integer(40);
    const any = () => `w${random.integer(vocabulary)}${random.next() < 0.02 ? '-' : ''}`;
    const varied = (word: string, share: number) => {
      const chance = random.next();
      if (chance < share / 2) return `{ ${word} / ${any()} ${any()} / @ }`;
      return chance < share ? `(${any()}) ${word}` : word;
    };
    const said = Array.from({ length: random.integer(120) }, any);
    const errorShare = random.next() * 0.6;
    const heard = said.flatMap((word) => {
      if (random.next() >= errorShare) return word;
      return [[], any(), [word, any()]][random.integer(3)]!;
    });
    const shares = [0, 0.3].map((share) => share * random.integer(2));
    const symbols = new Map<string, number>();
    const symbolOf = (word: string) => symbols.set(word, symbols.get(word) ?? symbols.size + 1).get(word)!;
    const tables = [said, heard].map((words, side) =>
      tableOf(parseReference(words.map((word) => varied(word, shares[side]!)).join(' ')), symbolOf),
    ) as [NetworkTable, NetworkTable];
    const costs = rules[round % 2]!;
    const agree = round % 5 === 0 ? fragmentsAgree([...symbols.keys()]) : null;
    const whole = networkPath(...tables, costs, agree, { smallMatrix: Number.POSITIVE_INFINITY });
    const historyBytes = random.integer(5000);
    assert.deepEqual(networkPath(...tables, costs, agree, { smallMatrix: 0, historyBytes }), whole);
  }
});

test('Stretches that were not heard in one piece are told apart, whatever may be left out or said otherwise.', () => {
  const symbols = new Map<string, number>();
  const symbolOf = (word: string) => symbols.set(word, symbols.get(word) ?? symbols.size + 1).get(word)!;
  const table = (text: string) => tableOf(parseReference(text), symbolOf);
  const broken = (reference: string, hypothesis: string) =>
    brokenSeeds(table(reference), table(hypothesis)).reduce((sum, one) => sum + one, 0);
  // By hand: "c d" and "x" are nowhere to be heard; then nothing is; then each pair but "a b".
  assert.equal(broken('a b c d x a', 'a b c a d'), 2);
  assert.equal(broken('a b c', ''), 3);
  assert.equal(broken('a b b a b b', 'b a b'), 2);
  assert.equal(broken('a b c', 'a (uh) b { x / @ } c'), 0);
  assert.equal(broken('a { b / c } (d) e', 'a e'), 0);
  assert.equal(broken('a { b / c } d e', 'e a d'), 1);
  // Too many words that may be left out to look at all stretches: single words must do.
  assert.equal(broken('a b', `b ${'(uh) '.repeat(20_000)} a`), 0);
});

test('Of long transcripts with few errors a small part of the matrix is computed.', () => {
  const random = createRandom('a long transcript');
  const word = () => `w${random.integer(2000)}`;
  const said = Array.from({ length: 5000 }, word);
  const heard = said.map((spoken) => (random.next() < 0.1 ? word() : spoken));
  const text = said.map((spoken, place) => (place % 10 ? spoken : `{ ${spoken} / x y }`)).join(' ');
  const symbols = new Map<string, number>();
  const symbolOf = (one: string) => symbols.set(one, symbols.get(one) ?? symbols.size + 1).get(one)!;
  const tables = [tableOf(parseReference(text), symbolOf), tableOf(linearNetwork(heard), symbolOf)] as const;
  const costs = { substitution: 1, deletionOrInsertion: 1, optionalLeftOut: 0, nothing: 0 };
  const secondsOf = (smallMatrix: number) => {
    const before = process.cpuUsage();
    networkPath(...tables, costs, null, { smallMatrix });
    return process.cpuUsage(before).user / 1e6;
  };
  const [part, whole] = [0, Number.POSITIVE_INFINITY].map((small) => Math.min(secondsOf(small), secondsOf(small)));
  assert.ok(part! < whole! / 3, `${part} s of ${whole} s`);
});
