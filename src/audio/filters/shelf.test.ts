import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import { gainAt } from '../testing/gain-at.ts';
import { shelf, shelfQuality } from './biquad.ts';

const decibels = (gain: number) => 20 * Math.log10(gain);

test('a shelf has its gain at one end of the band, none at the other, and half at the corner', () => {
  for (const sampleRate of [8000, 16000, 48000]) {
    for (const gainDb of [-30, -3, 10, 50]) {
      for (const slope of [0.3, 0.5, 1]) {
        const quality = shelfQuality(slope, gainDb);
        const low = shelf('low', gainDb, quality, 500, sampleRate);
        const high = shelf('high', gainDb, quality, 500, sampleRate);
        for (const [filter, atZero, atHalf] of [
          [low, gainDb, 0],
          [high, 0, gainDb],
        ] as const) {
          assert.ok(Math.abs(decibels(gainAt(filter, 0, sampleRate)) - atZero) < 1e-6);
          assert.ok(Math.abs(decibels(gainAt(filter, sampleRate / 2, sampleRate)) - atHalf) < 1e-6);
          assert.ok(Math.abs(decibels(gainAt(filter, 500, sampleRate)) - gainDb / 2) < 1e-6);
        }
      }
    }
  }
});

test('a corner at 0 or at half the sample rate is refused', () => {
  assert.throws(() => shelf('low', 6, 0.7, 0, 16000), /got 0/);
  assert.throws(() => shelf('high', 6, 0.7, 8000, 16000), /8000 Hz/);
});

/** As SoX 14.4.2 prints them. */
const printedBySox = [
  {
    rate: 16000,
    effect: 'bass 20',
    b: [1.055544316011152, -1.946998783834638, 0.8962088821009966],
    a: [1, -1.949138270259517, 0.9496137116872682],
  },
  {
    rate: 16000,
    effect: 'treble 10',
    b: [1.988149823897026, -1.297607175830703, 0.1794467210871448],
    a: [1, -0.1129021311365269, -0.01710849971000488],
  },
  {
    rate: 16000,
    effect: 'bass +6 200 0.8q',
    b: [1.01739711435715, -1.914436178568547, 0.9054063643470499],
    a: [1, -1.916523036632415, 0.9207166206403318],
  },
  {
    rate: 16000,
    effect: 'treble -10 2500 0.7s',
    b: [0.4675853947716062, -0.1677008210418546, 0.0465051710653174],
    a: [1, -0.904811963413454, 0.2512017082085231],
  },
];

function agrees({ rate, effect, b, a }: (typeof printedBySox)[number]): boolean {
  const match = /^(bass|treble) \+?(-?\d+)(?: (\d+) ([\d.]+)([qs]))?$/.exec(effect);
  if (!match) return false;
  const [side, corner] = match[1] === 'bass' ? (['low', 100] as const) : (['high', 3000] as const);
  const gainDb = Number(match[2]);
  const quality = match[5] === 'q' ? Number(match[4]) : shelfQuality(Number(match[4] ?? 0.5), gainDb);
  const { numerator, denominator } = shelf(side, gainDb, quality, Number(match[3] ?? corner), rate);
  for (const [ours, theirs] of [
    [numerator, b],
    [denominator, a],
  ] as const) {
    for (const [index, value] of theirs.entries()) {
      assert.ok(Math.abs(ours[index]! - value) < 1e-12, `${effect} at ${rate}: ${ours[index]} and ${value}`);
    }
  }
  return true;
}

test('the coefficients are those of SoX', () => {
  assert.equal(printedBySox.filter(agrees).length, 4);
});

const goldens = golden('sox/coefficients.json');

test('the coefficients are those of SoX at other rates and gains', () => {
  const { biquads } = JSON.parse(readFileSync(goldens, 'utf8')) as { biquads: typeof printedBySox };
  assert.equal(biquads.filter((biquad) => agrees(biquad)).length, 30);
});
