// Processor seconds per hour of 16 kHz sound for each codec, beside SoX where it has the codec, in turns.
//
//   node bench/codecs.ts [seconds of sound, 60]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav } from '../src/audio/encode-wav.ts';
import type { JsonObject } from '../src/base/json.ts';
import { createRandom } from '../src/base/random.ts';
import { readyStep } from '../src/perturbations/apply-steps.ts';
import { loadMember } from '../src/session/members/load-member.ts';
import { openCodec } from '../src/session/open/open-codec.ts';

const seconds = Number(process.argv[2] ?? 60);
const sampleRate = 16000;
const random = createRandom('codecs');
let low = 0;
const samples = Float32Array.from({ length: seconds * sampleRate }, (_, n) => {
  low = 0.9 * low + 0.1 * random.normal();
  return 0.3 * low * (1 + Math.sin((2 * Math.PI * 3 * n) / sampleRate));
});
const names = ['g711', 'g722', 'gsm', 'opus', 'mp3', 'narrow-band', 'packet-loss', 'hard-clip', 'clip-share'];
const soxFormats: Record<string, string[]> = { g711: ['-e', 'mu-law', '-t', 'wav'], gsm: ['-t', 'gsm'] };
const folder = mkdtempSync(join(tmpdir(), 'codecs-'));
try {
  writeFileSync(join(folder, 'in.wav'), encodeWav({ samples, sampleRate }, { format: 's16' }));
  for (const name of names) {
    const { member } = await loadMember('perturbations', name, '.');
    const parameters: JsonObject = member.example;
    const services = { codec: openCodec, sounds: () => Promise.reject(new Error('no sounds')) };
    const { prepared } = await readyStep(member, parameters, services);
    const own: number[] = [];
    const sox: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const before = process.cpuUsage();
      await member.apply({ samples, sampleRate }, parameters, { random: createRandom(1), assets: prepared?.assets });
      const { user, system } = process.cpuUsage(before);
      own.push(((user + system) / 1e6 / seconds) * 3600);
      if (soxFormats[name]) sox.push(throughSox(soxFormats[name]!));
    }
    const show = (all: number[]) => (all.length > 0 ? Number(Math.min(...all).toFixed(2)) : null);
    console.log(JSON.stringify({ name, secondsPerHour: show(own), soxSecondsPerHour: show(sox) }));
  }
} finally {
  rmSync(folder, { recursive: true });
}

function throughSox(format: string[]): number {
  const file = join(folder, 'coded');
  const script = `sox -D ${join(folder, 'in.wav')} -r 8000 ${format.join(' ')} ${file}; sox -D ${format.slice(-2).join(' ')} -r 8000 ${file} -r 16000 -b 16 ${join(folder, 'out.wav')}; times`;
  const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n').at(-1)!;
  const spent = [...printed.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + 60 * Number(m) + Number(s),
    0,
  );
  return (spent / seconds) * 3600;
}
