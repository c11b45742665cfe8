import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { align } from '../alignment/align.ts';
import { countEdits } from '../alignment/count-edits.ts';
import { errors } from '../edit-counts.ts';
import { comparedSegments } from './compared-segments.ts';

const words = (text: string) => text.split(' ').filter(Boolean);
const segmentsOf = (reference: string, first: string, second: string, boundaryWords?: number) =>
  comparedSegments(align(words(reference), words(first)), align(words(reference), words(second)), boundaryWords).map(
    ({ firstErrors, secondErrors, start, end }) => [firstErrors, secondErrors, start, end],
  );

test('Two words right in both end a segment, one does not; a segment reaches from error to error.', () => {
  assert.deepEqual(segmentsOf('a b c d e f', 'x b c d e f', 'a b c y e f'), [
    [1, 0, 0, 1],
    [0, 1, 3, 4],
  ]);
  assert.deepEqual(segmentsOf('a b c d e f', 'x b c d e f', 'a b y d e f'), [[1, 1, 0, 3]]);
  assert.deepEqual(segmentsOf('a b c d e f', 'x b c d e f', 'a b y d e f', 1), [
    [1, 0, 0, 1],
    [0, 1, 2, 3],
  ]);
});

test('A word inserted between two right ones parts them, and inserted ones after the last word count.', () => {
  assert.deepEqual(segmentsOf('a b c d', 'x b c d', 'a b z c d'), [[1, 1, 0, 2]]);
  assert.deepEqual(segmentsOf('a b c', 'a b c x y', 'a b c'), [[2, 0, 3, 3]]);
  assert.deepEqual(segmentsOf('', 'x', ''), [[1, 0, 0, 0]]);
});

test('Where both are right throughout, or nothing was said, there is no segment.', () => {
  assert.deepEqual(segmentsOf('a b c', 'a b c', 'a b c'), []);
  assert.deepEqual(segmentsOf('', '', ''), []);
});

test('No error is lost: the errors of all segments are those of the alignments.', () => {
  const random = createRandom('segments');
  for (let example = 0; example < 300; example++) {
    const text = (length: number) => Array.from({ length }, () => 'abcd'[random.integer(4)]!);
    const [reference, first, second] = [text(random.integer(30)), text(random.integer(30)), text(random.integer(30))];
    const segments = comparedSegments(align(reference, first), align(reference, second));
    const sum = (key: 'firstErrors' | 'secondErrors') => segments.reduce((total, segment) => total + segment[key], 0);
    assert.equal(sum('firstErrors'), errors(countEdits(reference, first)));
    assert.equal(sum('secondErrors'), errors(countEdits(reference, second)));
    assert.ok(segments.every(({ start, end }, index) => end >= start && start >= (segments[index - 1]?.end ?? 0)));
  }
});

test('Alignments with different references and a boundary that is no number of words are faults of the caller.', () => {
  assert.throws(() => comparedSegments(align(['a'], ['a']), align(['a', 'b'], ['a'])), RangeError);
  assert.throws(() => comparedSegments([], [], 0), RangeError);
});
