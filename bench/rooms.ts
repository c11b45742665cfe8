/**
 * What rooms and noise from collections cost, and how near simulated rooms come to what is asked for.
 *
 *   node bench/rooms.ts [REPEATS]
 *
 * Prints JSON lines: processor seconds per hour of sound (least and median of the repeats, over 12 pieces of 10 seconds of
 * noise) of a convolution with a response of 1.36 s, the same for every piece and another for each; processor seconds for a
 * simulated response of a room of 6 x 5 x 3 m at .4 s; and the error of reverberation times: of decaying noise with and
 * without a noise floor, and of simulated rooms.
 */
import { createConvolver } from '../src/audio/convolve.ts';
import { measureRt60 } from '../src/audio/rooms/measure-rt60.ts';
import { simulateShoebox } from '../src/audio/rooms/simulate-shoebox.ts';
import { createRandom, type Random } from '../src/base/random.ts';
import { drawPlaces } from '../src/perturbations/shared/apply-room.ts';

const repeats = Number(process.argv[2] ?? 5);
const sampleRate = 16000;
const pieces = 12;
const pieceSeconds = 10;

const gaussian = (random: Random, length: number, level: (n: number) => number) =>
  Float32Array.from({ length }, (_, n) => level(n) * random.normal());
const decay = (rt60Seconds: number) => (n: number) => 10 ** ((-3 * n) / sampleRate / rt60Seconds);

const clips = Array.from({ length: pieces }, (_, index) =>
  gaussian(createRandom({ clip: index }), pieceSeconds * sampleRate, () => 0.1),
);
const responses = Array.from({ length: pieces }, (_, index) =>
  gaussian(createRandom({ room: index }), 21_753, decay(1.2)),
);

function measure(work: string, units: string, scale: number, run: () => void): void {
  run();
  const found = Array.from({ length: repeats }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return ((user + system) / 1e6) * scale;
  }).sort((a, b) => a - b);
  console.log(JSON.stringify({ work, units, repeats, min: found[0], median: found[found.length >> 1] }));
}

const perHour = 3600 / (pieces * pieceSeconds);
const whole = (clip: Float32Array) => clip.length + responses[0]!.length - 1;
const known = createConvolver(responses[0]!);
measure('room 1.36 s, one for all', 'processor s per hour of audio', perHour, () => {
  for (const clip of clips) known.convolve(clip, 0, whole(clip));
});
measure('room 1.36 s, one for each', 'processor s per hour of audio', perHour, () => {
  for (const [index, clip] of clips.entries()) createConvolver(responses[index]!).convolve(clip, 0, whole(clip));
});

const room = { lengthMetres: 6, widthMetres: 5, heightMetres: 3 };
const source = { x: 2, y: 3.5, z: 1.6 };
const microphone = { x: 4.2, y: 1.3, z: 1.4 };
measure('shoebox 6 x 5 x 3 m, .4 s', 'processor s per response', 1, () => {
  simulateShoebox(room, source, microphone, 0.4, sampleRate, 'bench');
});

function errors(work: string, found: readonly (number | null)[], asked: number): void {
  const relative = found.flatMap((value) => (value === null ? [] : [value / asked - 1]));
  const mean = relative.reduce((sum, value) => sum + value, 0) / relative.length;
  const worst = Math.max(...relative.map(Math.abs));
  console.log(JSON.stringify({ work, asked, n: found.length, none: found.length - relative.length, mean, worst }));
}

for (const rt60 of [0.2, 0.6, 1.5]) {
  for (const floorDb of [-200, -60, -40]) {
    const found = Array.from({ length: 20 }, (_, draw) => {
      const random = createRandom({ rt60, floorDb, draw });
      const response = gaussian(random, Math.round(1.5 * rt60 * sampleRate), decay(rt60));
      for (let n = 0; n < response.length; n++) response[n] = response[n]! + 10 ** (floorDb / 20) * random.normal();
      return measureRt60(response, sampleRate).rt60Seconds;
    });
    errors(`rt60 of decaying noise, floor ${floorDb} dB`, found, rt60);
  }
}
for (const rt60 of [0.2, 0.5, 0.9]) {
  const found = Array.from({ length: 10 }, (_, draw) => {
    const places = drawPlaces(room, 2, createRandom({ rt60, draw }))!;
    return simulateShoebox(room, places.source, places.microphone, rt60, sampleRate, 'bench').rt60Seconds;
  });
  errors('rt60 of simulated rooms', found, rt60);
}
