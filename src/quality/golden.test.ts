// Figures of pystoi, speechmos, SRMRpy and numpy for files that are stored beside the repository; where they are not, for signals by formula, and
// speechmos with tiny networks in the place of its own.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Clip } from '../audio/clip.ts';
import { clipOfSteps, formulaNoise, formulaSyllables, inSteps } from '../audio/testing/formula-signals.ts';
import { sha256 } from '../base/hash.ts';
import { golden } from '../base/testing/golden.ts';
import { flac } from '../decoders/flac/flac.ts';
import { clippedShare } from './clipped-share/clipped-share.ts';
import type { QualityMeasure } from './contract.ts';
import { dnsmos } from './dnsmos/dnsmos.ts';
import { writeTinyNetworks } from './dnsmos/testing/tiny-networks.ts';
import { snr } from './snr/snr.ts';
import { srmr } from './srmr/srmr.ts';
import { stoi } from './stoi/stoi.ts';

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
const { pairs } = JSON.parse(readFileSync(golden('quality/quality.json', 'formula/quality.json'), 'utf8')) as {
  pairs: Pair[];
};
const recorded = typeof pairs[0]!.ref === 'string';
const tiny = mkdtempSync(join(tmpdir(), 'earwitness-dnsmos-'));
after(() => rmSync(tiny, { recursive: true }));
writeTinyNetworks(join(tiny, 'dnsmos'));
const services = {
  baseFolder: recorded ? `${shared}data/models` : tiny,
  fileHash: async (path: string) => sha256(await readFile(path)),
};

interface Pair {
  /** A file, or syllables by formula. */
  readonly ref: string | readonly [count: number, seed: number];
  /** A file, or what is done to the syllables. */
  readonly deg: string | readonly [kind: string, ...numbers: number[]];
  readonly stoi?: number;
  readonly estoi?: number;
  readonly snr_db: number | null;
  readonly clipped_share: number;
  readonly dnsmos: Readonly<Record<'sig' | 'bak' | 'ovr' | 'p808', number>>;
  readonly srmr_deg: { readonly srmr_fast: number; readonly srmr_norm_fast: number };
}

/** The whole list takes minutes: `EARWITNESS_GOLDEN=all` for that, else so many pairs spread over it. */
function pairsFor(count: number, has: (pair: Pair) => boolean = () => true): Pair[] {
  const all = pairs.filter(has);
  const step = process.env.EARWITNESS_GOLDEN === 'all' || !recorded ? 1 : Math.ceil(all.length / count);
  return all.filter((_, index) => index % step === 0);
}

/** Syllables of a reference, which several measures and pairs ask for. */
const syllables = new Map<string, Float64Array>();

function syllablesOf(ref: readonly [count: number, seed: number]): Float64Array {
  const known = syllables.get(ref.join()) ?? formulaSyllables(...ref);
  syllables.set(ref.join(), known);
  return known;
}

async function cleanOf({ ref }: Pair): Promise<Clip> {
  return typeof ref === 'string' ? readClip(`${shared}data/${ref}`) : clipOfSteps(syllablesOf(ref));
}

async function degradedOf({ ref, deg }: Pair): Promise<Clip> {
  if (typeof deg === 'string' || typeof ref === 'string') return readClip(`${shared}golden/quality/${deg}`);
  const clean = syllablesOf(ref);
  const [kind, ...numbers] = deg;
  if (kind === 'same') return clipOfSteps(clean);
  if (kind === 'loud') return clipOfSteps(inSteps(clean.map((step) => numbers[0]! * step)));
  if (kind === 'noise') {
    const noise = formulaNoise(clean.length, numbers[1]!);
    return clipOfSteps(inSteps(clean.map((step, n) => step + numbers[0]! * noise[n]!)));
  }
  assert.equal(kind, 'echo');
  const late = (n: number) =>
    0.7 * (clean[n - 1600] ?? 0) + 0.5 * (clean[n - 3100] ?? 0) + 0.3 * (clean[n - 5300] ?? 0);
  return clipOfSteps(inSteps(clean.map((step, n) => step + late(n))));
}

async function readClip(path: string): Promise<Clip> {
  return flac.decode(await readFile(path), path);
}

async function compare<Options>(
  measure: QualityMeasure<Options>,
  options: unknown,
  compared: readonly Pair[],
  expected: (pair: Pair) => Readonly<Record<string, number | null>>,
  agrees: (value: number, wanted: number) => boolean,
): Promise<void> {
  const meter = await measure.open(measure.options.parse(options), services);
  assert.ok(compared.length > 0);
  for (const pair of compared) {
    const clean = measure.needsClean ? await cleanOf(pair) : null;
    const { values } = await meter.measure(await degradedOf(pair), clean);
    for (const [name, wanted] of Object.entries(expected(pair))) {
      const value = values[name] ?? null;
      const same = value === null || wanted === null ? value === wanted : agrees(value, wanted);
      assert.ok(same, `${pair.deg}, ${name}: ${value}, expected ${wanted}`);
    }
  }
  await meter.close();
}

const within = (tolerance: number) => (value: number, wanted: number) => Math.abs(value - wanted) <= tolerance;

test('stoi and estoi are those of pystoi.', () =>
  compare(
    stoi,
    {},
    pairsFor(6, (pair) => pair.stoi !== undefined),
    (pair) => ({ stoi: pair.stoi!, estoi: pair.estoi! }),
    within(1e-5),
  ));

test('snr is that of its formula in numpy.', () =>
  compare(snr, {}, pairsFor(8), (pair) => ({ snrDb: pair.snr_db }), within(1e-5)));

test('clipped-share is that of numpy.', () =>
  compare(clippedShare, {}, pairsFor(8), (pair) => ({ clippedShare: pair.clipped_share }), within(1e-7)));

test('srmr is that of SRMRpy with fast=True, plain and normalized, within 0.1 %.', () =>
  compare(
    srmr,
    {},
    pairsFor(3),
    ({ srmr_deg }) => ({ srmr: srmr_deg.srmr_fast, srmrNorm: srmr_deg.srmr_norm_fast }),
    (value, wanted) => Math.abs(value / wanted - 1) < 0.001,
  ));

const { ready, found } = await dnsmos.readiness!();
test('dnsmos is that of speechmos.', { skip: ready ? false : found }, () =>
  compare(dnsmos, { models: 'dnsmos' }, pairsFor(2), (pair) => pair.dnsmos, within(0.01)),
);
