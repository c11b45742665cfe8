import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../../base/hash.ts';
import { testQuality } from '../conformance.ts';
import { dnsmos } from './dnsmos.ts';
import { createPowerSpectra, fillWindow, heardWindows, melBands, windowSamples } from './mel-windows.ts';
import { writeTinyNetworks } from './testing/tiny-networks.ts';

const published = fileURLToPath(new URL('../../../../shared/data/models', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earwitness-dnsmos-'));
after(() => rmSync(folder, { recursive: true }));
writeTinyNetworks(join(folder, 'dnsmos'));
const fileHash = async (path: string) => sha256(await readFile(path));
const services = { baseFolder: existsSync(published) ? published : folder, fileHash };
const { ready, found } = await dnsmos.readiness!();
const skip = ready ? false : found;
testQuality({ measure: dnsmos, options: { models: 'dnsmos' }, services, skip });

test('A window is 9.01 s, their number is cut towards zero, and those that rounding shortens are left out.', () => {
  // As trap 16 of the golden data tells it, int(floor(seconds) - 9.01) + 1, less what numpy's slices make too short.
  assert.equal(windowSamples, 144_160);
  const windows = (seconds: number) => heardWindows(Math.round(seconds * 16_000));
  assert.deepEqual(windows(9.01), [0]);
  assert.deepEqual(windows(10.99), [0]);
  assert.deepEqual(windows(11), [0, 1]);
  assert.deepEqual(windows(19.72), [0, 1, 2, 3, 4, 5, 6]);
});

test('Short sounds are doubled whole until they fill a window.', () => {
  const filled = fillWindow(Float32Array.from({ length: 60_000 }, (_, n) => n));
  assert.equal(filled.length, 240_000);
  assert.equal(filled[60_000], 0);
  assert.equal(filled[239_999], 59_999);
});

test('Power spectra of two frames are those of the definition.', () => {
  const size = 321;
  const frames = [3, 5].map((step) => Float64Array.from({ length: size }, (_, n) => Math.sin(step * n * n) + 0.1));
  const powers = [new Float64Array(161), new Float64Array(161)] as const;
  createPowerSpectra(size)(frames[0]!, frames[1]!, powers);
  for (const [place, frame] of frames.entries()) {
    for (const bin of [0, 1, 80, 160]) {
      let [real, imaginary] = [0, 0];
      for (let n = 0; n < size; n++) {
        real += frame[n]! * Math.cos((2 * Math.PI * bin * n) / size);
        imaginary += frame[n]! * Math.sin((2 * Math.PI * bin * n) / size);
      }
      const expected = real * real + imaginary * imaginary;
      assert.ok(Math.abs(powers[place]![bin]! - expected) < 1e-9, `bin ${bin}: ${powers[place]![bin]}, ${expected}`);
    }
  }
});

test('Mel bands are those of librosa 0.11.0.', () => {
  const bands = melBands(120, 16_000, 321);
  const references = [
    [0, 1, 2.12703962e-5],
    [5, 3, 0.0400505513],
    [60, 34, 0.0143288029],
    [60, 35, 0.00549138291],
    [119, 153, 0.000683288672],
    [119, 154, 0.00193971535],
  ] as const;
  for (const [band, bin, weight] of references) {
    const { firstBin, weights } = bands[band]!;
    assert.ok(Math.abs(weights[bin - firstBin]! - weight) < 1e-8, `band ${band}, bin ${bin}`);
  }
});

test('A folder without the models, and files that are none, are one sentence.', { skip }, async () => {
  for (const [name, message] of [
    ['empty', /^dnsmos: expected sig_bak_ovr\.onnx in empty, but it is not there; /],
    ['text', /^dnsmos: expected an ONNX graph, but sig_bak_ovr\.onnx does not load/],
    // Networks in each other's place.
    ['others', /^dnsmos: sig_bak_ovr\.onnx does not take what DNSMOS's own file takes/],
  ] as const) {
    const models = join(folder, name);
    if (name === 'others') writeTinyNetworks(models);
    else mkdirSync(models);
    if (name === 'text') writeFileSync(join(models, 'sig_bak_ovr.onnx'), 'no graph');
    if (name === 'others') renameSync(join(models, 'model_v8.onnx'), join(models, 'sig_bak_ovr.onnx'));
    await assert.rejects(dnsmos.open({ models: name }, { baseFolder: folder, fileHash }), {
      code: 'bad-config',
      message,
    });
  }
});
