import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { EarwitnessError } from '../../base/errors.ts';
import { basicText } from './basic.ts';
import { normalizerNamed, normalizers } from './normalizers.ts';

const golden = new URL('../../../../shared/golden/normalizer/basic.tsv', import.meta.url);
const skip = existsSync(golden) ? false : 'shared/golden/normalizer is not beside the repository';

test('The basic normalizer leaves every golden text as Whisper’s does.', { skip }, () => {
  const lines = readFileSync(golden, 'utf8').trimEnd().split('\n').slice(1);
  assert.equal(lines.length, 600);
  for (const line of lines) {
    const cells = line.split('\t');
    const text = JSON.parse(cells[1]!);
    const expected: string = JSON.parse(cells[2]!);
    assert.equal(basicText(text), expected, text);
    assert.deepEqual(normalizers.basic!.words(text), expected.split(' ').filter(Boolean), text);
  }
});

test('Every normalizer is listed under its own name and gives words that are not empty for any text.', () => {
  for (const [name, normalizer] of Object.entries(normalizers)) {
    assert.equal(normalizer.name, name);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' })), (text) => {
        const words = normalizer.words(text);
        assert.ok(words.every((word) => word !== ''));
        assert.deepEqual(normalizer.words(`\u2003${text}\n`), words);
      }),
      { seed: 8 },
    );
  }
});

test('Without normalization a text is split at white space and nothing else.', () => {
  const words = normalizerNamed('none').words;
  assert.deepEqual(words('  Hello,\tWorld!\u00a0(x)\u3000y\u200bz\r\n'), ['Hello,', 'World!', '(x)', 'y\u200bz']);
  assert.deepEqual(words(' \n'), []);
});

test('A megabyte of opening brackets is normalized at once.', () => {
  for (const bracket of ['[', '<', '(']) {
    const before = performance.now();
    normalizers.basic!.words(bracket.repeat(1_000_000));
    assert.ok(performance.now() - before < 2000);
  }
});

test('An unknown name is answered with the nearest known one.', () => {
  for (const name of ['Basik', 'BASIC', '__proto__', 'toString', '', 'x'.repeat(10_000)]) {
    assert.throws(
      () => normalizerNamed(name),
      (thrown) =>
        thrown instanceof EarwitnessError &&
        thrown.code === 'bad-config' &&
        thrown.message.length < 200 &&
        /did you mean "(basic|none)"/.test(thrown.message),
    );
  }
  assert.throws(() => normalizerNamed('Basik'), /but got "Basik"; did you mean "basic"\?/);
});
