/**
 * What a new array of samples costs: processor microseconds to make and fill one of 10 s at 16 kHz, which is then left to the
 * garbage collector, given back at once, or used again and again.
 *
 *   node bench/fresh-memory.ts [ARRAYS=3000]
 *
 * `design/perturbations.md` says what follows from it.
 */
import { releaseSamples } from '../src/audio/kept-samples.ts';

const arrays = Number(process.argv[2] ?? 3000);
const length = 160_000;
const block = new Float32Array(4096).fill(0.5);
const always = new Float32Array(length);

const ways: Readonly<Record<string, { make(): Float32Array; done(samples: Float32Array): void }>> = {
  collected: { make: () => new Float32Array(length), done() {} },
  'collected, not zeroed': {
    make() {
      const { buffer, byteOffset } = Buffer.allocUnsafeSlow(4 * length);
      return new Float32Array(buffer, byteOffset, length);
    },
    done() {},
  },
  'given back': { make: () => new Float32Array(length), done: releaseSamples },
  'used again': { make: () => always, done() {} },
};

function fill(samples: Float32Array): void {
  for (let from = 0; from < length; from += block.length) {
    samples.set(from + block.length <= length ? block : block.subarray(0, length - from), from);
  }
}

for (const [name, { make, done }] of Object.entries(ways)) {
  const some = (count: number) => {
    for (let index = 0; index < count; index++) {
      const samples = make();
      fill(samples);
      done(samples);
    }
  };
  some(arrays / 10);
  const before = process.cpuUsage();
  some(arrays);
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ memory: name, microseconds: Number(((user + system) / arrays).toPrecision(3)) }));
}
