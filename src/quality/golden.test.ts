// Figures of pystoi, speechmos, SRMRpy and numpy for files that are stored beside the repository.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Clip } from '../audio/clip.ts';
import { sha256 } from '../base/hash.ts';
import { flac } from '../decoders/flac/flac.ts';
import { clippedShare } from './clipped-share/clipped-share.ts';
import type { QualityMeasure } from './contract.ts';
import { dnsmos } from './dnsmos/dnsmos.ts';
import { snr } from './snr/snr.ts';
import { srmr } from './srmr/srmr.ts';
import { stoi } from './stoi/stoi.ts';

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
const golden = `${shared}golden/quality/`;
const skip = existsSync(golden) ? false : 'shared/golden is not beside the repository';
const services = {
  baseFolder: `${shared}data/models`,
  fileHash: async (path: string) => sha256(await readFile(path)),
};

interface Pair {
  readonly ref: string;
  readonly deg: string;
  readonly stoi?: number;
  readonly estoi?: number;
  readonly snr_db: number | null;
  readonly clipped_share: number;
  readonly dnsmos: Readonly<Record<'sig' | 'bak' | 'ovr' | 'p808', number>>;
  readonly srmr_deg: { readonly srmr_fast: number; readonly srmr_norm_fast: number };
}

/** The whole list takes minutes: `EARWITNESS_GOLDEN=all` for that, else so many pairs spread over it. */
function pairsFor(count: number, has: (pair: Pair) => boolean = () => true): Pair[] {
  const pairs = (JSON.parse(readFileSync(`${golden}quality.json`, 'utf8')) as { pairs: Pair[] }).pairs.filter(has);
  const step = process.env.EARWITNESS_GOLDEN === 'all' ? 1 : Math.ceil(pairs.length / count);
  return pairs.filter((_, index) => index % step === 0);
}

async function readClip(path: string): Promise<Clip> {
  return flac.decode(await readFile(path), path);
}

async function compare<Options>(
  measure: QualityMeasure<Options>,
  options: unknown,
  pairs: readonly Pair[],
  expected: (pair: Pair) => Readonly<Record<string, number | null>>,
  agrees: (value: number, wanted: number) => boolean,
): Promise<void> {
  const meter = await measure.open(measure.options.parse(options), services);
  assert.ok(pairs.length > 0);
  for (const pair of pairs) {
    const clean = measure.needsClean ? await readClip(`${shared}data/${pair.ref}`) : null;
    const { values } = await meter.measure(await readClip(golden + pair.deg), clean);
    for (const [name, wanted] of Object.entries(expected(pair))) {
      const value = values[name] ?? null;
      const same = value === null || wanted === null ? value === wanted : agrees(value, wanted);
      assert.ok(same, `${pair.deg}, ${name}: ${value}, expected ${wanted}`);
    }
  }
  await meter.close();
}

const within = (tolerance: number) => (value: number, wanted: number) => Math.abs(value - wanted) <= tolerance;

test('stoi and estoi are those of pystoi.', { skip }, () =>
  compare(
    stoi,
    {},
    pairsFor(6, (pair) => pair.stoi !== undefined),
    (pair) => ({ stoi: pair.stoi!, estoi: pair.estoi! }),
    within(1e-5),
  ),
);

test('snr is that of its formula in numpy.', { skip }, () =>
  compare(snr, {}, pairsFor(8), (pair) => ({ snrDb: pair.snr_db }), within(1e-5)),
);

test('clipped-share is that of numpy.', { skip }, () =>
  compare(clippedShare, {}, pairsFor(8), (pair) => ({ clippedShare: pair.clipped_share }), within(1e-7)),
);

test('srmr is that of SRMRpy with fast=True, plain and normalized, within 0.1 %.', { skip }, () =>
  compare(
    srmr,
    {},
    pairsFor(3),
    ({ srmr_deg }) => ({ srmr: srmr_deg.srmr_fast, srmrNorm: srmr_deg.srmr_norm_fast }),
    (value, wanted) => Math.abs(value / wanted - 1) < 0.001,
  ),
);

const { ready, found } = await dnsmos.readiness!();
test('dnsmos is that of speechmos.', { skip: skip || (ready ? false : found) }, () =>
  compare(dnsmos, { models: 'dnsmos' }, pairsFor(2), (pair) => pair.dnsmos, within(0.01)),
);
