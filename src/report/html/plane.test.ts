import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Estimate, Plane } from '../../model/finding.ts';
import { axisText, axisTitle, htmlBars } from './chart-scales.ts';
import { htmlBoxPlot, htmlChart } from './finding.ts';
import { markupText } from './markup.ts';
import { htmlPlane } from './plane.ts';

const at = (value: number, low: number | null = null, high: number | null = null): Estimate => {
  return { value, low, high, level: 0.95, n: { utterances: 1, speakers: 1 }, method: 'invented' };
};

const plane: Plane = {
  title: 'A <plane>',
  xLabel: 'Clean',
  xKind: 'rate',
  yLabel: 'Lost',
  yKind: 'difference',
  points: [
    { name: 'a', x: at(0.2), y: at(0.1, 0, 0.2) },
    { name: 'b & c', x: at(0.1, 0.05, 0.4), y: at(0.4) },
  ],
  front: [0, 1],
};

/** The middle of each marker, in units of the view box. */
const places = (markup: string) =>
  [...markup.matchAll(/class="marker" transform="translate\((\S+) (\S+)\)" d="[^"]+"><title>/g)].map((match) => [
    Number(match[1]),
    Number(match[2]),
  ]);

test('Points stand where their numbers are, less is left and down, and names are escaped.', () => {
  const markup = markupText(htmlPlane(plane, 'p'));
  const [first, second] = places(markup);
  // From 58 to 502 for 0 to .4 across, from 332 up to 14 for 0 to .4.
  assert.deepEqual(
    [first, second],
    [
      [280, 252.5],
      [169, 14],
    ],
  );
  assert.ok(markup.includes('A &lt;plane&gt;') && markup.includes('b &amp; c') && !markup.includes('<plane>'));
  assert.equal([...markup.matchAll(/class="whisker"/g)].length, 2);
  // From the best on clean sound to the best in noise, in steps.
  assert.ok(markup.includes('d="M169.0 14V14.0H280.0V252.5H502"'));
});

test('Sizes have a logarithmic axis, on which tenfolds are equally far.', () => {
  const sized = {
    ...plane,
    xScale: 'log' as const,
    xKind: 'count' as const,
    front: [],
    lines: [{ name: 'family', points: [0, 1, 2] }],
  };
  const points = [1e7, 1e8, 1e9].map((size) => ({ name: `${size}`, x: at(size), y: at(0.1) }));
  const markup = markupText(htmlPlane({ ...sized, points }, 'p'));
  const [small, middle, large] = places(markup);
  assert.ok(Math.abs(middle![0]! - small![0]! - (large![0]! - middle![0]!)) < 0.11);
  assert.match(markup, />100M</);
  assert.match(markup, /<polyline class="joined"/);
});

test('A plane without points, and points that are all at zero, are drawn without a number that is none.', () => {
  for (const points of [[], [{ name: 'a', x: at(0), y: at(0) }]]) {
    for (const xScale of ['linear', 'log'] as const) {
      const markup = markupText(
        htmlPlane({ ...plane, points, front: [], xScale: points.length === 0 ? xScale : 'linear' }, 'p'),
      );
      assert.doesNotMatch(markup, /NaN|Infinity|undefined/);
    }
  }
});

test('A box reaches from quartile to quartile, and tells its numbers.', () => {
  const box = { name: 'whisper', least: 0, firstQuartile: 0.1, median: 0.2, thirdQuartile: 0.3, most: 0.4 };
  const markup = markupText(
    htmlBoxPlot(
      { title: 'T', label: 'Lost', kind: 'rate', boxes: [{ ...box, points: [{ name: 'base', value: 0.2 }] }] },
      'b',
    ),
  );
  // From 130 to 502 for 0 to .4.
  assert.ok(markup.includes('class="box" x="223.0" y="18" width="186.0"'));
  assert.match(markup, /median 20\.0 %, from 0\.0 % to 40\.0 %/);
});

test('Bars begin at zero and end at their values; means run through all rows; names are escaped.', () => {
  const markup = markupText(
    htmlBars(
      {
        title: 'T',
        label: 'Word error rate',
        kind: 'rate',
        series: ['indoor', 'outdoor'],
        rows: [
          { name: '<teen>', values: [at(0.1), at(0.4, 0.3, 0.5)] },
          { name: 'adult', values: [-0.5, null] },
        ],
        means: [{ name: 'indoor', value: 0.25 }],
      },
      'b',
    ),
  );
  // The longest name has six letters of 6.4 and 20 beside: from 58.4 to 502 for -.6 to .6 (round numbers), zero at 280.2, a tenth is 36.97.
  const bars = [...markup.matchAll(/class="bar[^"]*" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)];
  assert.deepEqual(
    bars.slice(-3).map((match) => match.slice(1).map(Number)),
    [
      [280.2, 13, 37],
      [280.2, 25, 147.9],
      [95.4, 47, 184.8],
    ],
  );
  assert.match(markup, /class="whisker" x1="391\.1" x2="465\.0"/);
  assert.match(markup, /class="mean" x1="372\.6" x2="372\.6"/);
  assert.ok(markup.includes('&lt;teen&gt;') && !markup.includes('<teen>'));
  assert.match(markup, /indoor 25\.0 %/);
});

test('A fitted line goes from end to end on the axes as they are drawn, which make room for it.', () => {
  const fits = [
    {
      name: 'fit',
      ends: [
        [0.1, 0.2],
        [0.2, 0.8],
      ] as const,
    },
  ] as const;
  const markup = markupText(htmlPlane({ ...plane, fits }, 'p'));
  // From 332 up to 14 for 0 to .8 upright now.
  assert.match(markup, /class="fit" x1="169\.0" y1="252\.5" x2="280\.0" y2="14\.0"/);
});

test('An axis whose ticks have no unit says it once, beside what it shows.', () => {
  assert.equal(axisTitle('Change from clean', 'difference'), 'Change from clean, points');
  assert.equal(axisTitle('Change in points', 'difference'), 'Change in points');
  assert.equal(axisTitle('Mean disparity', 'points'), 'Mean disparity, points');
  assert.equal(axisText(0.04, 'points', [0, 0.02]), '4');
  assert.equal(axisTitle('Word error rate', 'rate'), 'Word error rate');
});

test('a fitted curve has no markers of its own: they stand where something was measured, between ticks too', () => {
  const points = [0, 1, 2].map((x) => ({ x, estimate: at(0.2 * x) }));
  const drawn = (data?: readonly { readonly x: number; readonly value: number }[]) => {
    const series = [{ name: 'one', points, ...(data && { data }) }];
    const axes = { xLabel: 'SNR (dB)', xTicks: ['-4', '0', '4'], yLabel: 'Words', yKind: 'rate' } as const;
    const text = markupText(htmlChart({ title: 'Curve', ...axes, series }, 'c')).split('</ul>')[1]!;
    return [...text.matchAll(/class="marker" transform="translate\(([\d.]+) ([\d.]+)\)"/g)].map(([, x]) => Number(x));
  };
  const ticks = drawn();
  assert.equal(ticks.length, 3);
  const [between, ...more] = drawn([{ x: 0.5, value: 0.9 }]);
  assert.deepEqual(more, []);
  assert.ok(Math.abs(between! - (ticks[0]! + ticks[1]!) / 2) < 0.1);
});
