// What a recognizer is said to take per second of audio, on this machine as it is and with two processes more for each core that only
// compute: node bench/busy-machine.ts [SPEC] [CLIP]. Processor time is to stay about the same, elapsed time is not.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { encodeWav } from '../src/audio/encode-wav.ts';
import { temporaryFolder } from '../src/base/on-disk.ts';
import { createRandom } from '../src/base/random.ts';

const [spec = 'pocketsphinx', given] = process.argv.slice(2);
const rounds = 3;
const clips = 6;

function invented(): string {
  const random = createRandom('busy machine');
  const samples = Float32Array.from(
    { length: 16_000 * 5 },
    (_, at) => Math.sin(at / 11) / 4 + (random.next() - 0.5) / 8,
  );
  const file = join(temporaryFolder('busy'), 'clip.wav');
  writeFileSync(file, encodeWav({ samples, sampleRate: 16_000 }, { format: 's16' }));
  return file;
}

const clip = given ?? invented();
const command = ['bin/earwitness.js', 'recognize', ...Array(clips).fill(clip), '--recognizer', spec, '--json'];

/** Seconds per second of audio, over all clips but the first. */
function measure() {
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const sums = { audio: 0, processor: 0, elapsed: 0 };
  for (const { soundSeconds, timing } of JSON.parse(stdout).answers.slice(1)) {
    sums.audio += soundSeconds;
    sums.processor += timing.processorSeconds ?? Number.NaN;
    sums.elapsed += timing.seconds;
  }
  return { processor: sums.processor / sums.audio, elapsed: sums.elapsed / sums.audio };
}

const told = (all: readonly number[]) => all.map((one) => one.toFixed(3)).join(', ');
for (const busy of [false, true]) {
  const spinning = Array.from({ length: busy ? 2 * availableParallelism() : 0 }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const found = Array.from({ length: rounds }, measure);
  for (const process of spinning) process.kill('SIGKILL');
  const how = busy ? `with ${spinning.length} processes that compute` : 'as it is';
  console.log(
    `${spec}, ${how}: processor ${told(found.map(({ processor }) => processor))}, elapsed ${told(found.map(({ elapsed }) => elapsed))} seconds per second of audio`,
  );
}
