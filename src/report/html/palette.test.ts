import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dark, light, type Palette, seriesLook } from './palette.ts';
import { heatPercent } from './style.ts';

/** Contrast ratio of WCAG 2.2, from relative luminance (sRGB). */
function contrast(a: string, b: string): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** What CSS' color-mix makes of two colours in sRGB. */
function mixed(a: string, b: string, share: number): string {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  const hex = [1, 3, 5].map((at) => Math.round(share * channel(a, at) + (1 - share) * channel(b, at)));
  return `#${hex.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

test('the contrast of black and white is 21 to 1', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
});

for (const [name, palette] of Object.entries({ light, dark }) as [string, Palette][]) {
  test(`text has a contrast of at least 4.5 to 1 on every ground it stands on (${name})`, () => {
    const { ground, card, sunken, text, quiet, accent } = palette;
    const pairs = [text, quiet, accent].flatMap((ink) => [ground, card, sunken].map((paper) => [ink, paper] as const));
    pairs.push(
      [palette.good, palette.goodGround],
      [palette.bad, palette.badGround],
      [palette.caution, palette.cautionGround],
      [text, palette.cautionGround],
    );
    for (const [ink, paper] of pairs)
      assert.ok(contrast(ink, paper) >= 4.5, `${ink} on ${paper}: ${contrast(ink, paper)}`);
  });

  test(`every line of a chart has a contrast of at least 3 to 1 (${name})`, () => {
    for (const ink of palette.series)
      assert.ok(contrast(ink, palette.card) >= 3, `${ink}: ${contrast(ink, palette.card)}`);
    assert.equal(new Set(palette.series).size, 8);
  });

  test(`text keeps a contrast of at least 4.5 to 1 on every shade of a heat map (${name})`, () => {
    for (const tone of [palette.good, palette.bad]) {
      for (const step of [1, 5]) {
        const shade = mixed(tone, palette.card, heatPercent(step) / 100);
        assert.ok(contrast(palette.text, shade) >= 4.5, `${shade}: ${contrast(palette.text, shade)}`);
      }
    }
  });
}

/** Where a colour stands on the circle of hues, in degrees. */
function hueOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const turn =
    most === red
      ? (green - blue) / (most - least)
      : most === green
        ? 2 + (blue - red) / (most - least)
        : 4 + (red - green) / (most - least);
  return (360 + 60 * turn) % 360;
}

for (const [name, palette] of Object.entries({ light, dark })) {
  test(`Data have one hue; red is for errors, amber for what is open, green for what is better (${name})`, () => {
    const within = (color: string, from: number, to: number) =>
      assert.ok(hueOf(color) >= from && hueOf(color) <= to, `${color}: ${hueOf(color)}`);
    for (const color of [palette.accent, ...palette.series]) within(color, 195, 215);
    within(palette.bad, 5, 20);
    within(palette.caution, 35, 50);
    within(palette.good, 140, 170);
  });
}

test('sixteen series of bars are told apart, by colour or by being hollow', () => {
  const looks = Array.from({ length: 16 }, (_, place) => {
    const { className, hollow } = seriesLook(place);
    return `${className} ${hollow}`;
  });
  assert.equal(new Set(looks).size, 16);
});
