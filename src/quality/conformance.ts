// What every measure of quality must do, whatever it listens for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clip } from '../audio/clip.ts';
import { createRandom } from '../base/random.ts';
import { assertDescribed, assertWithoutPaths } from '../base/testing/described.ts';
import type { ClipQuality } from '../model/trial.ts';
import type { QualityMeasure, QualityMeter, QualityServices } from './contract.ts';

/** A member with what it needs to be tried. */
export interface QualityCase<Options> {
  readonly measure: QualityMeasure<Options>;
  readonly options: unknown;
  readonly services: QualityServices;
  /** Why the member cannot be tried on this machine; false where it can. */
  readonly skip: string | false;
}

/**
 * Seconds of sound for which every measure has values; doubled to 9.01 s, as one member does, it is little longer. The other
 * lengths here are chosen so too.
 */
const longEnoughSeconds = 1.2;

/** Registers the tests that every measure must pass, under its name. */
export function testQuality<Options>({ measure, options, services, skip }: QualityCase<Options>): void {
  const proves = (what: string, prove: (meter: QualityMeter) => Promise<void>) => {
    if (skip !== false) return;
    test(`${measure.name} ${what}.`, async () => {
      const meter = await measure.open(measure.options.parse(options), services);
      try {
        await prove(meter);
      } finally {
        await meter.close();
      }
    });
  };
  if (skip !== false) test(`${measure.name} keeps the contract of measures.`, { skip });
  const names = Object.keys(measure.values);
  const answers = ({ values, reason }: ClipQuality) => {
    assert.deepEqual(Object.keys(values), names);
    const missing = Object.values(values).filter((value) => value === null);
    assert.equal(reason !== undefined, missing.length > 0, `${JSON.stringify(values)}: ${reason}`);
    for (const value of Object.values(values)) assert.ok(value === null || Number.isFinite(value), `${value}`);
    return values;
  };

  test(`${measure.name} describes every option and value and refuses unknown options.`, () => {
    assertDescribed(measure.options, options);
    assert.ok(names.length > 0 && Object.values(measure.values).every((about) => about.length > 10));
    assert.match(measure.about, /\.$/);
  });

  proves('tells its identity without paths, the same each time', async (meter) => {
    const again = await measure.open(measure.options.parse(options), services);
    assert.deepEqual(again.identity, meter.identity);
    await again.close();
    assert.equal(meter.identity.measure, measure.name);
    assert.equal(meter.identity.version, measure.version);
    assertWithoutPaths(meter.identity, services.baseFolder);
  });

  proves('says the same of the same clip, whatever it heard in between, and changes no clip', async (meter) => {
    const [clean, clip] = [babble(16_000, longEnoughSeconds, 0), babble(16_000, longEnoughSeconds, 0.01)];
    const copies = [clean, clip].map(({ samples }) => samples.slice());
    const first = answers(await meter.measure(clip, clean));
    for (const value of Object.values(first)) assert.notEqual(value, null);
    await meter.measure(babble(16_000, 0.6, 0.2), babble(16_000, 0.6, 0));
    assert.deepEqual(answers(await meter.measure(clip, clean)), first);
    assert.deepEqual([clean.samples, clip.samples], copies);
  });

  proves('has numbers or a reason for sounds of any rate and length, silence and noise far too loud', async (meter) => {
    const odd: readonly (readonly [sampleRate: number, seconds: number])[] = [
      [8000, 0],
      [8000, 5 / 8000],
      [11_025.5, 0.01],
      [44_100, 0.6],
    ];
    for (const [sampleRate, seconds] of odd) {
      answers(await meter.measure(babble(sampleRate, seconds, 0.05), babble(sampleRate, seconds, 0)));
    }
    const clip = babble(16_000, 0.6, 0.1);
    const silent = { samples: new Float32Array(clip.samples.length), sampleRate: 16_000 };
    const loud = { samples: clip.samples.map((sample) => 1000 * sample), sampleRate: 16_000 };
    for (const extreme of [silent, loud]) {
      answers(await meter.measure(extreme, clip));
      if (!measure.needsClean) continue;
      answers(await meter.measure(clip, extreme));
      answers(await meter.measure(extreme, extreme));
    }
    const empty = answers(await meter.measure({ samples: new Float32Array(0), sampleRate: 16_000 }, clip));
    assert.ok(Object.values(empty).every((value) => value === null));
  });

  proves('needs the clean clip only if it says so', async (meter) => {
    const clip = babble(16_000, longEnoughSeconds, 0.05);
    const without = answers(await meter.measure(clip, null));
    if (measure.needsClean) {
      assert.ok(Object.values(without).every((value) => value === null));
      const { reason } = await meter.measure(clip, babble(16_000, 0.9, 0));
      assert.match(reason ?? '', /19200 samples .* 14400/);
    } else {
      assert.deepEqual(without, answers(await meter.measure(clip, babble(16_000, 0.9, 0))));
    }
  });
}

/** Something like syllables: a buzz that comes and goes, with noise over it. */
function babble(sampleRate: number, seconds: number, noise: number): Clip {
  const random = createRandom(7);
  const samples = Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, n) => {
    const time = n / sampleRate;
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 4 * time)) ** 2;
    const buzz = 2 * ((time * 140) % 1) - 1 + Math.sin(2 * Math.PI * 1700 * time);
    return 0.15 * syllable * buzz + noise * random.normal();
  });
  return { samples, sampleRate };
}
