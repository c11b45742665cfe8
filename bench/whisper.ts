// Whisper base (int8) through the member `transformers` beside the bare library, on TIMIT's 160 sentences: word error rate,
// transcripts that differ, and processor and wall time of both, clip by clip in turn, the order changing with each clip. Then
// the time of the whole with several processes, or memory over many recognitions.
//
//   node bench/whisper.ts [--limit 160] [--bare 40]     the member on so many clips, the bare library on the first so many
//   node bench/whisper.ts --workers 2 [--limit 40]      the clips shared among processes of one thread each
//   node bench/whisper.ts --memory 1000                 resident memory after each tenth of so many recognitions
//
// Needs transformers.js, and TIMIT and Whisper beside the repository in shared/data. About 2 s of processor time for a clip.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { durationSeconds } from '../src/audio/clip.ts';
import { wav } from '../src/decoders/wav/wav.ts';
import { plainServices } from '../src/recognizers/testing/tones.ts';
import { transformers } from '../src/recognizers/transformers/transformers.ts';
import { countEdits } from '../src/scoring/alignment/align.ts';
import { addCounts, errorRate, noEdits } from '../src/scoring/edit-counts.ts';
import { normalizerNamed } from '../src/scoring/normalizers/normalizers.ts';

const data = fileURLToPath(new URL('../../shared/data', import.meta.url));
const { values } = parseArgs({
  options: {
    limit: { type: 'string', default: '160' },
    bare: { type: 'string', default: '0' },
    workers: { type: 'string' },
    memory: { type: 'string' },
    share: { type: 'string', default: '0/1' },
  },
});
const services = plainServices(data);
const readiness = await transformers.readiness(services);
const model = 'models/whisper-base';
const missing =
  existsSync(join(data, 'speech/manifest.tsv')) && existsSync(join(data, model))
    ? readiness.ready
      ? null
      : readiness.found
    : `no TIMIT or no Whisper at ${data}`;
if (missing !== null) {
  console.log(`skipped: ${missing}`);
  process.exit(0);
}

const manifest = (await readFile(join(data, 'speech/manifest.tsv'), 'utf8')).split('\n').slice(1);
const rows = manifest.map((line) => line.split('\t')).filter(([, corpus]) => corpus === 'timit');
// Every so-manieth, so that a few still hold all speakers.
const step = rows.length / Math.min(rows.length, Math.max(1, Number(values.limit)));
const chosen = Array.from({ length: Math.floor(rows.length / step) }, (_, index) => rows[Math.floor(index * step)]!);
const never = new AbortController().signal;

const open = () => transformers.open(transformers.options.parse({ model, dtype: 'q8' }), services);
const clipOf = async (path: string) => wav.decode(await readFile(join(data, path)), path);
const ask = async (recognizer: Awaited<ReturnType<typeof open>>, path: string, repeat = 0) => {
  const clip = await clipOf(path);
  return recognizer.recognize({ clip, utteranceId: path, conditionName: 'clean', repeat, language: 'en' }, never);
};

if (values.memory !== undefined) await memory(Number(values.memory));
else if (values.workers !== undefined) await workers(Number(values.workers));
else await beside();

/** The bare library as its own documentation calls it, with the same number of threads. */
async function openBare(): Promise<(samples: Float32Array) => Promise<string>> {
  const library = await import('@huggingface/transformers');
  library.env.localModelPath = join(data, 'models');
  library.env.allowRemoteModels = false;
  const pipeline = await library.pipeline('automatic-speech-recognition', 'whisper-base', {
    dtype: 'q8',
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  });
  return async (samples) => {
    const answer = await pipeline(samples, { language: 'en', task: 'transcribe' });
    return (answer as { text: string }).text;
  };
}

async function beside(): Promise<void> {
  const bareClips = Number(values.bare);
  const [part, parts] = values.share.split('/').map(Number) as [number, number];
  const own = await open();
  const bare = bareClips > 0 ? await openBare() : null;
  const counts = { basic: noEdits, english: noEdits };
  const times = { own: emptyTime(), ownBeside: emptyTime(), bare: emptyTime() };
  let soundSeconds = 0;
  let besideSeconds = 0;
  let different = 0;
  for (const [index, row] of chosen.entries()) {
    if (index % parts !== part) continue;
    const [path = '', , , , , , , , , text = ''] = row;
    const clip = await clipOf(path);
    const seconds = durationSeconds(clip);
    const askOwn = () => timed(async () => (await ask(own, path)).text);
    const askBare = bare !== null && index < bareClips ? () => timed(() => bare(clip.samples)) : null;
    const bareFirst = askBare !== null && index % 2 === 1 ? await askBare() : null;
    const heard = await askOwn();
    const besideIt = bareFirst ?? (await askBare?.()) ?? null;
    soundSeconds += seconds;
    add(times.own, heard);
    if (besideIt !== null) {
      besideSeconds += seconds;
      add(times.ownBeside, heard);
      add(times.bare, besideIt);
      if (besideIt.result.trim() !== heard.result) different++;
    }
    for (const name of ['basic', 'english'] as const) {
      const { words } = normalizerNamed(name);
      counts[name] = addCounts(counts[name], countEdits(words(text), words(heard.result)));
    }
  }
  await own.close();
  const rate = (seconds: number, of: number) => Number((seconds / of).toFixed(3));
  console.log(
    JSON.stringify({
      clips: chosen.length,
      soundSeconds: Math.round(soundSeconds),
      wer: Object.fromEntries(Object.entries(counts).map(([name, edits]) => [name, errorRate(edits)])),
      counts,
      realTimeFactor: { processor: rate(times.own.processor, soundSeconds), wall: rate(times.own.wall, soundSeconds) },
      residentMegabytes: Math.round(process.memoryUsage.rss() / 1e6),
      ...(besideSeconds === 0
        ? {}
        : {
            beside: {
              soundSeconds: Math.round(besideSeconds),
              different,
              own: rate(times.ownBeside.processor, besideSeconds),
              bare: rate(times.bare.processor, besideSeconds),
              ratioOfProcessorTime: rate(times.ownBeside.processor, times.bare.processor),
              ratioOfWallTime: rate(times.ownBeside.wall, times.bare.wall),
            },
          }),
    }),
  );
}

async function workers(count: number): Promise<void> {
  const started = performance.now();
  const ended = Array.from({ length: count }, (_, part) => {
    const child = fork(fileURLToPath(import.meta.url), ['--limit', values.limit, '--share', `${part}/${count}`]);
    return new Promise((resolve) => child.once('exit', resolve));
  });
  await Promise.all(ended);
  console.log(JSON.stringify({ workers: count, wallSeconds: Math.round((performance.now() - started) / 100) / 10 }));
}

async function memory(recognitions: number): Promise<void> {
  const own = await open();
  for (let done = 1; done <= recognitions; done++) {
    await ask(own, chosen[done % chosen.length]![0]!, done);
    if (done % Math.max(1, Math.floor(recognitions / 10)) !== 0) continue;
    console.log(JSON.stringify({ recognitions: done, residentMegabytes: Math.round(process.memoryUsage.rss() / 1e6) }));
  }
  await own.close();
}

interface Time {
  processor: number;
  wall: number;
}

function emptyTime(): Time {
  return { processor: 0, wall: 0 };
}

function add(sum: Time, { processor, wall }: Time): void {
  sum.processor += processor;
  sum.wall += wall;
}

async function timed<T>(work: () => Promise<T>): Promise<Time & { result: T }> {
  const started = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, processor: (user + system) / 1e6, wall: (performance.now() - started) / 1000 };
}
