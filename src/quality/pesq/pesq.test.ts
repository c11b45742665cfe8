import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import { flac } from '../../decoders/flac/flac.ts';
import { testQuality } from '../conformance.ts';
import { pesq } from './pesq.ts';

// The program belongs to others and cannot be brought along: a script with its command line and its way of answering stands in
// for it, and EARWITNESS_PESQ names the real one for the goldens.
const folder = mkdtempSync(join(tmpdir(), 'earwitness-pesq-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const services = { baseFolder: folder, fileHash: async (path: string) => sha256(readFileSync(path)) };
const windows = process.platform === 'win32' ? 'the stand-in is a shell script' : false;

function program(name: string, script: string): string {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return name;
}

/** Scores by the size of the files, so that other clips have other scores; 8 kHz is refused for wide-band, as it is. */
const standIn = program(
  'stand-in',
  `echo leftover > pesq_results.txt
score=$(cat "$3" "$4" 2>/dev/null | cksum | cut -c1-3)
if [ "$2" = +wb ]; then printf 'P.862.2 Prediction (MOS-LQO):  = 1.%s\\n' "$score"
else score=$(cat "$2" "$3" | cksum | cut -c1-3); printf 'P.862 Prediction (Raw MOS, MOS-LQO):  = 3.%s\\t2.%s\\n' "$score" "$score"; fi`,
);

testQuality({ measure: pesq, options: { program: standIn }, services, skip: windows });

const sine = { samples: Float32Array.from({ length: 16_000 }, (_, n) => 0.1 * Math.sin(n / 9)), sampleRate: 16_000 };

test('What the program says stands in the values, and 8 kHz has no wide-band score.', { skip: windows }, async () => {
  const fixed = program(
    'fixed',
    `if [ "$2" = +wb ]; then echo 'P.862.2 Prediction (MOS-LQO):  = 2.018'
else printf '%s\\n' "Reading $1" 'P.862 Prediction (Raw MOS, MOS-LQO):  = 3.042	2.885'; fi`,
  );
  const meter = await pesq.open({ program: fixed }, services);
  assert.deepEqual((await meter.measure(sine, sine)).values, {
    narrowMosLqo: 2.885,
    narrowRaw: 3.042,
    wideMosLqo: 2.018,
  });
  const low = { ...sine, sampleRate: 8000 };
  const { values, reason } = await meter.measure(low, low);
  assert.equal(values.wideMosLqo, null);
  assert.match(reason!, /P\.862\.2 needs/);
});

test("The program's own error is a reason, and another program is told from it.", { skip: windows }, async () => {
  const failing = program('failing', "echo 'An error of type 3  (No utterances) occurred during processing.'");
  const { values, reason } = await (await pesq.open({ program: failing }, services)).measure(sine, sine);
  assert.deepEqual(Object.values(values), [null, null, null]);
  assert.match(reason!, /No utterances/);
  const dying = await pesq.open({ program: program('dying', 'kill -SEGV $$') }, services);
  assert.match((await dying.measure(sine, sine)).reason!, /ended by SIGSEGV/);
  const other = await pesq.open({ program: program('other', 'echo hello') }, services);
  await assert.rejects(other.measure(sine, sine), { code: 'bad-config', message: /answers otherwise \(hello\)/ });
});

test('Without the program there is no measure.', async () => {
  await assert.rejects(async () => pesq.open({ program: 'nowhere' }, services), {
    code: 'missing-program',
    message: /there is no file nowhere/,
  });
});

const golden = new URL('../../../../shared/golden/quality/', import.meta.url);
const real = process.env.EARWITNESS_PESQ ?? '';
const skip = !existsSync(golden)
  ? 'shared/golden is not beside the repository'
  : !existsSync(real) && 'EARWITNESS_PESQ names no reference program';

test('The scores are those of the PyPI package pesq, within 0.002.', { skip }, async () => {
  const { pairs } = JSON.parse(readFileSync(new URL('quality.json', golden), 'utf8')) as {
    pairs: { ref: string; deg: string; pesq_nb_16k: number | string; pesq_wb_16k: number | string }[];
  };
  const meter = await pesq.open({ program: real }, services);
  const clipOf = async (url: URL) => flac.decode(await readFile(url), url.pathname);
  for (const { ref, deg, pesq_nb_16k: narrow, pesq_wb_16k: wide } of pairs) {
    if (typeof narrow === 'string' || typeof wide === 'string') continue;
    const { values } = await meter.measure(
      await clipOf(new URL(deg, golden)),
      await clipOf(new URL(`../../data/${ref}`, golden)),
    );
    assert.ok(Math.abs(values.narrowMosLqo! - narrow) < 0.002, `${deg}: ${values.narrowMosLqo}, expected ${narrow}`);
    assert.ok(Math.abs(values.wideMosLqo! - wide) < 0.002, `${deg}: ${values.wideMosLqo}, expected ${wide}`);
  }
});
