import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { limitText, someOf, visibleText } from './printable.ts';

test('escape sequences, null, delete and C1 controls become visible', () => {
  assert.equal(
    visibleText('\u001b]0;title\u0007\0\u007f\u009b2J'),
    '⟨U+001B⟩]0;title⟨U+0007⟩⟨U+0000⟩⟨U+007F⟩⟨U+009B⟩2J',
  );
  assert.equal(visibleText('a\r\nb\tc\rd'), 'a↵b⇥c⟨U+000D⟩d');
});

test('characters that turn or hide text become visible', () => {
  assert.equal(visibleText('a\u202eb\u2066c\u200bd\ufeffe\u{e0041}'), 'a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+FEFF⟩e⟨U+E0041⟩');
  assert.equal(visibleText('\u3164\u00ad\u2028'), '⟨U+3164⟩⟨U+00AD⟩⟨U+2028⟩');
});

test('joiners stay where they are spelling or drawing, and only there', () => {
  assert.equal(visibleText('می\u200cخواهم'), 'می\u200cخواهم');
  assert.equal(visibleText('👩\u200d💻'), '👩\u200d💻');
  assert.equal(visibleText('pass\u200dword'), 'pass⟨U+200D⟩word');
  assert.equal(visibleText('\u200c'), '⟨U+200C⟩');
});

test('ordinary text of any writing is left alone', () => {
  for (const text of ['naïve café', '日本語', 'हिन्दी', 'العربية', 'a\u0301', '😀 ❤️'])
    assert.equal(visibleText(text), text);
});

test('heaps of combining marks are cut, half surrogates replaced', () => {
  assert.equal(visibleText(`a${'\u0301'.repeat(50)}`), `a${'\u0301'.repeat(6)}`);
  assert.equal(visibleText('x\ud800y'), 'x\ufffdy');
});

test('no control or direction character is ever left, whatever comes', () => {
  const left = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff]/u;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = visibleText(text);
      return !left.test(shown) && shown.isWellFormed() && visibleText(shown) === shown;
    }),
    { numRuns: 2000 },
  );
});

test('a text is cut between code points and says how much is missing', () => {
  const long = 'x'.repeat(1000);
  assert.equal(limitText(`abc${long}`, 3), 'abc… (1,000 more characters)');
  assert.equal(limitText(`ab😀${long}`, 3), 'ab… (1,002 more characters)');
  assert.equal(limitText('abc', 3), 'abc');
  // The note of what is missing has 22 characters: a cut that saves no more than it tells would hide a name for nothing.
  assert.equal(limitText(`abc${'x'.repeat(22)}`, 3), `abc${'x'.repeat(22)}`);
  assert.equal(limitText(`abc${'x'.repeat(23)}`, 3), 'abc… (23 more characters)');
});

test('a list that is too long for a sentence ends with how many more there are', () => {
  assert.equal(someOf(['a', 'b', 'c'], 3), 'a, b, c');
  assert.equal(someOf(['a', 'b', 'c'], 2), 'a, b, … (1 more)');
  assert.equal(someOf([]), '');
});
