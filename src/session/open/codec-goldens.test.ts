// Fingerprints of codecs by SoX 14.4.2 (libgsm) and ffmpeg 5.1.9 (its G.722, libopus, LAME), of speech where ../shared is; else what the
// programs of this machine make of a sound that is made here.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { levelDbfs } from '../../audio/levels.ts';
import { createRealFft } from '../../audio/real-fft.ts';
import { resample } from '../../audio/resample.ts';
import type { JsonObject } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import { flac } from '../../decoders/flac/flac.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { keyedParameters, readyStep } from '../../perturbations/apply-steps.ts';
import type { AssetServices, Perturbation } from '../../perturbations/contract.ts';
import { g711 } from '../../perturbations/g711/g711.ts';
import { g722 } from '../../perturbations/g722/g722.ts';
import { gsm } from '../../perturbations/gsm/gsm.ts';
import { mp3 } from '../../perturbations/mp3/mp3.ts';
import { opus } from '../../perturbations/opus/opus.ts';
import { openCodec } from './open-codec.ts';

const shared = new URL('../../../../shared/', import.meta.url);
const hasShared = existsSync(new URL('golden/codecs/codecs.json', shared));
const hasPrograms = spawnSync('ffmpeg', ['-version']).status === 0 && spawnSync('sox', ['--version']).status === 0;
const skip = !hasShared && !hasPrograms && 'neither ../shared nor the programs sox and ffmpeg are here';

interface Golden {
  readonly clip: 'a' | 'b';
  readonly codec: string;
  readonly rate: number;
  readonly encoded_bytes: number;
  readonly lag_samples_output_after_input: number;
  readonly decoded: {
    readonly samples: number;
    readonly rms_db: number;
    readonly bands_db: readonly number[];
    readonly first_64_x32768: readonly number[];
    readonly '64_from_middle_floor(n/2)_x32768': readonly number[];
  };
}

const goldens: readonly Golden[] = hasShared
  ? JSON.parse(readFileSync(new URL('golden/codecs/codecs.json', shared), 'utf8')).codecs
  : [];
const files = { a: 'speech/speechocean762/1039-010390041.flac', b: 'speech/vctk/p225_020.flac' };
const read = (clip: 'a' | 'b') =>
  hasShared ? flac.decode(readFileSync(new URL(`data/${files[clip]}`, shared)), clip) : made[clip];

/** Two seconds like a voice: harmonics of a pitch that glides, louder around two formants that move, in syllables with hiss between them. */
function voiceLike(pitchHz: number): Clip {
  const random = createRandom({ voice: pitchHz });
  let phase = 0;
  const samples = Float32Array.from({ length: 32_000 }, (_, n) => {
    const seconds = n / 16_000;
    const pitch = pitchHz * (1 + 0.2 * Math.sin(3 * seconds));
    phase += (2 * Math.PI * pitch) / 16_000;
    const formants = [500 + 200 * Math.sin(5 * seconds), 1600 + 500 * Math.sin(4 * seconds)];
    let voice = 0;
    for (let harmonic = 1; harmonic * pitch < 5000; harmonic++) {
      const near = formants.map((formant) => Math.exp(-(((harmonic * pitch - formant) / 250) ** 2)));
      voice += (0.02 + near[0]! + 0.5 * near[1]!) * Math.sin(harmonic * phase);
    }
    const loudness = Math.max(0, Math.sin(8 * seconds)) ** 2;
    return Math.round(32_768 * (0.08 * loudness * voice + 0.003 * random.normal())) / 32_768;
  });
  return { samples, sampleRate: 16_000 };
}
const made = { a: voiceLike(120), b: voiceLike(210) };

/** How the goldens were made: program and arguments between what is read and what is written. */
const coders: Readonly<Record<string, readonly [encode: string, ending: string, decode: string]>> = {
  'gsm-sox': ['sox -D {in} -t gsm {coded}', 'gsm', 'sox -D -t gsm -r 8000 {coded} -b 16 {out}'],
  'ulaw-sox': ['sox -D {in} -e mu-law {coded}', 'wav', 'sox -D {coded} -e signed -b 16 {out}'],
  'g722-64k': ffmpegCoder('g722', 'g722', '-f g722'),
  'opus-6k-8kHz': ffmpegCoder('libopus -b:a 6k -application voip', 'opus'),
  'opus-12k': ffmpegCoder('libopus -b:a 12k -application voip', 'opus'),
  'opus-24k': ffmpegCoder('libopus -b:a 24k -application voip', 'opus'),
  'opus-24k-audio': ffmpegCoder('libopus -b:a 24k -application audio', 'opus'),
  'mp3-8k': ffmpegCoder('libmp3lame -b:a 8k', 'mp3'),
  'mp3-16k': ffmpegCoder('libmp3lame -b:a 16k', 'mp3'),
  'mp3-32k': ffmpegCoder('libmp3lame -b:a 32k', 'mp3'),
};

function ffmpegCoder(codec: string, ending: string, input = ''): readonly [string, string, string] {
  return [
    `ffmpeg -y -v error -i {in} -c:a ${codec} {coded}`,
    ending,
    `ffmpeg -y -v error ${input} -i {coded} -ac 1 -c:a pcm_s16le -ar {rate} {out}`,
  ];
}

/** The golden of a codec: as stored for speech, or made by the same commands of the sound above. */
async function goldenOf(clip: 'a' | 'b', codec: string): Promise<Golden> {
  if (hasShared) return goldens.find((one) => one.codec === codec && one.clip === clip)!;
  const rate = /^(?:gsm|ulaw)-sox$|8kHz/.test(codec) ? 8000 : 16_000;
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-codec-'));
  try {
    const [encode, ending, decode] = coders[codec]!;
    const paths = { in: 'in.wav', coded: `coded.${ending}`, out: 'out.wav', rate: String(rate) };
    writeFileSync(join(folder, 'clip.wav'), encodeWav(made[clip], { format: 's16' }));
    const run = (line: string) => {
      const [program, ...args] = line
        .replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof paths) => paths[name])
        .split(/ +/);
      execFileSync(program!, args, { cwd: folder });
    };
    run(`sox -D clip.wav -b 16 {in} rate -v ${rate}`);
    run(encode);
    run(decode);
    const decoded = await wav.decode(readFileSync(join(folder, 'out.wav')), 'out.wav');
    const from = (start: number) => [...decoded.samples.subarray(start, start + 64)].map((sample) => sample * 32_768);
    return {
      clip,
      codec,
      rate,
      encoded_bytes: statSync(join(folder, paths.coded)).size,
      // ffmpeg's filters of G.722, there and back.
      lag_samples_output_after_input: codec === 'g722-64k' ? 22 : 0,
      decoded: {
        samples: decoded.samples.length,
        rms_db: levelDbfs(decoded.samples)!,
        bands_db: bandLevels(decoded),
        first_64_x32768: from(0),
        '64_from_middle_floor(n/2)_x32768': from(Math.floor(decoded.samples.length / 2)),
      },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const services: AssetServices = {
  codec: openCodec,
  sounds: () => Promise.reject(new Error('no sounds are asked for')),
};

async function code(perturbation: Perturbation, clip: Clip, parameters: JsonObject) {
  const { prepared } = await readyStep(perturbation, parameters, services);
  const { assets } = prepared ?? { assets: undefined };
  return perturbation.apply(clip, parameters, { random: createRandom(1), assets });
}

/** Levels of 24 mel bands, as golden/sox/make.py defines them. */
function bandLevels({ samples, sampleRate }: Clip): number[] {
  const fft = createRealFft(512);
  const frame = new Float64Array(512);
  const [re, im] = [new Float64Array(fft.bins), new Float64Array(fft.bins)];
  const highest = 2595 * Math.log10(1 + sampleRate / 2 / 700);
  const edges = Array.from({ length: 24 }, (_, band) => 700 * (10 ** ((band * highest) / 24 / 2595) - 1));
  const bandOf = Array.from(re, (_, k) => edges.findLastIndex((edge) => edge <= (k * sampleRate) / 512));
  const power = new Float64Array(24);
  const frames = 1 + Math.floor((samples.length - 512) / 256);
  for (let index = 0; index < frames; index++) {
    for (let n = 0; n < 512; n++) {
      frame[n] = samples[256 * index + n]! * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / 512));
    }
    fft.forward(frame, re, im);
    for (let k = 0; k < re.length; k++) power[bandOf[k]!]! += (re[k]! ** 2 + im[k]! ** 2) / frames;
  }
  return [...power].map((value) => 10 * Math.log10(value + 1e-20));
}

/** Mean difference in dB of the bands within 50 dB of the loudest. */
function bandDistance(found: readonly number[], expected: readonly number[]): number {
  const loudest = Math.max(...expected);
  const heard = expected.flatMap((level, band) => (level > loudest - 50 ? [Math.abs(level - found[band]!)] : []));
  return heard.reduce((sum, distance) => sum + distance, 0) / heard.length;
}

const opusAt = (kilobitsPerSecond: number, application: string, codedRateHz: number) => ({
  perturbation: opus as unknown as Perturbation,
  parameters: { kilobitsPerSecond, application, codedRateHz, packetSeconds: 0.02 },
});
const mp3At = (kilobitsPerSecond: number) => ({
  perturbation: mp3 as unknown as Perturbation,
  parameters: { kilobitsPerSecond, codedRateHz: 16000 },
});

/** Largest differences of level and mean band level in dB: at 8 kHz the resamplers differ, and libopus is 1.6 beside 1.3. */
const cases: Readonly<
  Record<string, { perturbation: Perturbation; parameters: JsonObject; levelDb: number; bandsDb: number }>
> = {
  'gsm-sox': { perturbation: gsm as Perturbation, parameters: {}, levelDb: 0.1, bandsDb: 0.6 },
  'ulaw-sox': {
    perturbation: g711 as Perturbation,
    parameters: { law: 'mu-law', bandwidth: 'telephone' },
    levelDb: 0.03,
    bandsDb: 0.4,
  },
  'g722-64k': {
    perturbation: g722 as Perturbation,
    parameters: { kilobitsPerSecond: 64 },
    levelDb: 0.01,
    bandsDb: 0.1,
  },
  'opus-6k-8kHz': { ...opusAt(6, 'voip', 8000), levelDb: 0.7, bandsDb: 1.8 },
  'opus-12k': { ...opusAt(12, 'voip', 16000), levelDb: 0.2, bandsDb: 1.2 },
  'opus-24k': { ...opusAt(24, 'voip', 16000), levelDb: 0.1, bandsDb: 0.8 },
  'opus-24k-audio': { ...opusAt(24, 'audio', 16000), levelDb: 0.1, bandsDb: 0.6 },
  'mp3-8k': { ...mp3At(8), levelDb: 0.03, bandsDb: 0.1 },
  'mp3-16k': { ...mp3At(16), levelDb: 0.03, bandsDb: 0.1 },
  'mp3-32k': { ...mp3At(32), levelDb: 0.03, bandsDb: 0.1 },
};

for (const [codec, { perturbation, parameters, levelDb, bandsDb }] of Object.entries(cases)) {
  test(`${codec} sounds as by other programs: level, bands, size, and no delay`, { skip }, async () => {
    const golden = await goldenOf('a', codec);
    const clip = resample(await read('a'), golden.rate);
    const { clip: coded, facts } = await code(perturbation, clip, parameters);
    assert.equal(coded.samples.length, clip.samples.length);
    const level = levelDbfs(coded.samples)! - golden.decoded.rms_db;
    assert.ok(Math.abs(level) <= levelDb, `level differs by ${level} dB`);
    const bands = bandDistance(bandLevels(coded), golden.decoded.bands_db);
    assert.ok(bands <= bandsDb, `bands differ by ${bands} dB`);
    assert.equal(bestLag(clip.samples, coded.samples), 0);
    if (typeof facts.encodedBytes !== 'number') return;
    // Other programs' files have headers: an Ogg page for every second, a first MP3 frame.
    assert.ok(facts.encodedBytes > golden.encoded_bytes - 400 && facts.encodedBytes < golden.encoded_bytes + 600);
  });
}

test('g722 gives the very samples of ffmpeg, less its delay', { skip }, async () => {
  for (const golden of [await goldenOf('a', 'g722-64k'), await goldenOf('b', 'g722-64k')]) {
    const { clip } = await code(g722 as Perturbation, await read(golden.clip), { kilobitsPerSecond: 64 });
    const integers = [...clip.samples].map((sample) => sample * 32768);
    const lag = golden.lag_samples_output_after_input;
    assert.deepEqual(integers.slice(0, 64 - lag), golden.decoded.first_64_x32768.slice(lag));
    const middle = Math.floor(golden.decoded.samples / 2) - lag;
    assert.deepEqual(integers.slice(middle, middle + 64), golden.decoded['64_from_middle_floor(n/2)_x32768']);
  }
});

const noLame = spawnSync('lame', ['--version']).status !== 0 && 'the program lame is not here';

test('the installed lame, where it is asked for, encodes as the package does, and is part of what the condition is', {
  skip: noLame,
}, async () => {
  const { perturbation, parameters } = mp3At(32);
  const clip = made.a;
  const byProgram = { ...parameters, encoder: 'lame' };
  const [usual, installed] = [await code(perturbation, clip, parameters), await code(perturbation, clip, byProgram)];
  assert.equal(bestLag(clip.samples, installed.clip.samples), 0);
  assert.ok(Math.abs(levelDbfs(installed.clip.samples)! - levelDbfs(usual.clip.samples)!) < 0.1);
  assert.ok(bandDistance(bandLevels(installed.clip), bandLevels(usual.clip)) < 0.2);
  assert.equal(installed.facts.encodedBytes, usual.facts.encodedBytes);
  assert.deepEqual(keyedParameters(perturbation, byProgram), parameters);
  const identities = [parameters, byProgram].map((one) => readyStep(perturbation, one, services));
  const [ofPackage, ofProgram] = (await Promise.all(identities)).map(
    ({ prepared }) => prepared!.identity as JsonObject,
  );
  assert.equal(ofPackage!.library, 'wasm-media-encoders');
  assert.match(String(ofProgram!.version), /^LAME .*\d/);
});

test('without the program lame one sentence says what to do', async () => {
  const script = `await (await import(${JSON.stringify(new URL('./open-codec.ts', import.meta.url))})).openCodec('lame')`;
  const env = { PATH: '/nowhere' };
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' });
  const [, sentence] = /EarwitnessError: (.*)/.exec(stderr) ?? [];
  assert.equal(
    sentence,
    'mp3: expected the program lame to encode, as "encoder" asks, but it is not installed; install LAME (Debian: apt install lame), or leave "encoder" out',
  );
});

/** By how many samples the second comes later, by their correlation. */
function bestLag(first: Float32Array, second: Float32Array): number {
  const margin = 40;
  const likeness = Array.from({ length: 2 * margin + 1 }, (_, index) => {
    let sum = 0;
    for (let n = margin; n < first.length - margin; n++) sum += first[n]! * second[n + index - margin]!;
    return sum;
  });
  return likeness.indexOf(Math.max(...likeness)) - margin;
}
