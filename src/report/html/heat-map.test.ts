import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Verdict } from '../../model/finding.ts';
import { htmlHeatMap, htmlPairMatrix } from './heat-map.ts';
import { markupText } from './markup.ts';

const cell = (value: number | null, verdict: Verdict = 'cannot tell'): Comparison => ({
  difference: {
    value,
    low: value === null ? null : value - 0.01,
    high: value === null ? null : value + 0.01,
    level: 0.95,
    n: { utterances: 9, speakers: 3 },
    method: 'invented',
    ...(value === null && { reason: { code: 'text' as const, text: 'nobody spoke' } }),
  },
  pValue: value === null ? null : 0.03,
  adjustedPValue: value === null ? null : 0.04,
  test: 'invented',
  verdict,
});

const drawn = (map: Parameters<typeof htmlHeatMap>[0]) => markupText(htmlHeatMap(map, 'map'));

test('cells are shaded by size, marked where something is shown, and say it in words too', () => {
  const text = drawn({
    title: 'Gaps',
    kind: 'difference',
    columns: ['one', '<script>'],
    rows: [
      { name: 'women', cells: [cell(0.1, 'worse'), cell(-0.02)] },
      { name: 'men & others', cells: [cell(0), cell(null)] },
    ],
  });
  assert.match(text, /class="right worse-5" [^>]*title="\[\+9.0, \+11.0\], p = .\d+, adjusted p = .040, 9 utterances/);
  assert.match(text, /✗<\/b><span class="unseen"> worse<\/span>/);
  assert.match(text, /class="right better-1" /);
  assert.match(text, /class="right none" title="nobody spoke, /);
  assert.match(text, /&lt;script&gt;/);
  assert.match(text, /men &amp; others/);
});

test('a map in which nothing differs, and one without rows, have no shades', () => {
  const still = {
    title: 'Gaps',
    kind: 'difference' as const,
    columns: ['one'],
    rows: [{ name: 'a', cells: [cell(0)] }],
  };
  assert.doesNotMatch(drawn(still), /class="right (worse|better)-/);
  assert.doesNotMatch(drawn({ ...still, rows: [] }), /<td/);
});

test('a cell leads to the trials of its recognizer, one of a matrix of pairs to those of both', () => {
  const ways = {
    toTrials: (texts: readonly string[], about?: string) => `/trials?${about}:${texts.join('|')}`,
    toTrial: () => null,
    toRow: () => null,
    toClaim: () => null,
  };
  const rows = [{ name: 'women', cells: [cell(0.1)] }];
  const map = markupText(htmlHeatMap({ title: 'Gaps', kind: 'difference', columns: ['a'], rows }, 'map', ways));
  assert.match(map, /href="\/trials\?one:women\|a\|Gaps"/);
  const cells = [
    [null, cell(0.1)],
    [cell(-0.1), null],
  ];
  const pairs = markupText(
    htmlPairMatrix({ title: 'Compared, clean', kind: 'difference', names: ['a', 'b'], cells }, 'pairs', ways),
  );
  assert.match(pairs, /href="\/trials\?pair:a\|b\|Compared, clean"[\s\S]*href="\/trials\?pair:b\|a\|/);
});
