// What a recognizer of type `python` costs beside the bare Python loop: Whisper base (int8) by onnxruntime on TIMIT's sentences, clip by
// clip in turn, the order changing with each clip, in processor time of all processes that take part; how many of its texts are those of
// the member `transformers` with the same weights. Then memory over many clips of a model that does nothing, and time with and
// without batches of a model that gains from them.
//
//   node bench/python.ts --python VENV/bin/python [--limit 160] [--many 10000] [--batches 64]
//
// Needs a Python with onnxruntime, transformers and numpy, and TIMIT and Whisper beside the repository in shared/data. Processor time of
// other processes is read from /proc (Linux), in hundredths of a second.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Clip } from '../src/audio/clip.ts';
import { wav } from '../src/decoders/wav/wav.ts';
import type { Recognizer } from '../src/recognizers/contract.ts';
import { python } from '../src/recognizers/python/python.ts';
import { plainServices } from '../src/recognizers/testing/tones.ts';
import { transformers } from '../src/recognizers/transformers/transformers.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    limit: { type: 'string', default: '160' },
    many: { type: 'string', default: '10000' },
    batches: { type: 'string', default: '64' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const data = join(root, '..', 'shared', 'data');
const model = join(data, 'models', 'whisper-base');
const services = plainServices(data);
const program = resolve(values.python);
const never = new AbortController().signal;
const ask = async (recognizer: Recognizer, clip: Clip) =>
  (await recognizer.recognize({ clip, utteranceId: '', conditionName: '', repeat: 0, language: 'en' }, never)).text;
const openPython = (options: object) =>
  python.open(python.options.parse({ python: program, ...options }), plainServices(root));

/** Processes that this one has started. */
function children(): number[] {
  return readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/** Seconds of processor time that a process has used, all its threads together. */
function processorSeconds(id: number): number {
  const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const megabytes = (id: number | 'self') =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))![1]) / 1024;

async function newChild<T>(start: () => Promise<T>): Promise<{ readonly opened: T; readonly id: number }> {
  const before = children();
  const opened = await start();
  const named = (id: number) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('.py');
  return { opened, id: children().find((id) => !before.includes(id) && named(id))! };
}

async function overhead(limit: number): Promise<void> {
  const rows = readFileSync(join(data, 'speech', 'manifest.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, corpus]) => corpus === 'timit');
  const paths = rows.slice(0, limit).map(([path]) => join(data, path!));
  const bare = spawn(program, [join(root, 'bench', 'python', 'bare.py'), model], {
    env: { ...process.env, PYTHONPATH: `${join(root, 'examples', 'python')}:${join(root, 'python')}` },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: bare.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const ours = await newChild(() => openPython({ script: 'examples/python/whisper_onnx.py', arguments: [model] }));
  const member = await transformers.open(transformers.options.parse({ model: 'models/whisper-base' }), services);
  const used = { bare: 0, ours: 0, here: 0 };
  let same = 0;
  let sameAsMember = 0;
  const different: string[] = [];
  const asBare = async (path: string) => {
    const before = processorSeconds(bare.pid!);
    bare.stdin.write(`${path}\n`);
    const { value } = await lines.next();
    used.bare += processorSeconds(bare.pid!) - before;
    return value as string;
  };
  const asOurs = async (clip: Clip) => {
    const before = processorSeconds(ours.id);
    const here = process.cpuUsage();
    const text = await ask(ours.opened, clip);
    const { user, system } = process.cpuUsage(here);
    used.here += (user + system) / 1e6;
    used.ours += processorSeconds(ours.id) - before;
    return text;
  };
  for (const [index, path] of paths.entries()) {
    const clip = await wav.decode(await readFile(path), path);
    const heard = { bare: '', ours: '' };
    for (const who of index % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const))
      heard[who] = who === 'bare' ? await asBare(path) : await asOurs(clip);
    const other = await ask(member, clip);
    if (heard.bare === heard.ours) same++;
    if (heard.ours === other) sameAsMember++;
    else different.push(`  python        ${heard.ours}\n  transformers  ${other}`);
  }
  bare.stdin.end();
  await ours.opened.close();
  await member.close();
  const per = (seconds: number) => `${((1000 * seconds) / paths.length).toFixed(1)} ms`;
  const extra = used.ours + used.here - used.bare;
  console.log(
    `${paths.length} clips, processor time of a clip: bare loop ${per(used.bare)}; python ${per(used.ours)} in Python and ${per(used.here)} here: ${((100 * extra) / used.bare).toFixed(2)} % more`,
  );
  console.log(
    `texts: ${same} of ${paths.length} as the bare loop's, ${sameAsMember} of ${paths.length} as those of transformers`,
  );
  for (const pair of different) console.log(pair);
}

async function memory(many: number): Promise<void> {
  const { opened, id } = await newChild(() => openPython({ script: 'bench/python/length.py' }));
  const clip = { samples: new Float32Array(48_000), sampleRate: 16_000 };
  const here = process.cpuUsage();
  const before = processorSeconds(id);
  const told: string[] = [];
  for (let call = 1; call <= many; call++) {
    if ((await ask(opened, clip)) !== '48000') throw new Error(`call ${call} has another answer`);
    if (call % Math.ceil(many / 10) === 0) told.push(`${megabytes(id).toFixed(1)}/${megabytes('self').toFixed(0)}`);
  }
  const { user, system } = process.cpuUsage(here);
  const there = processorSeconds(id) - before;
  await opened.close();
  console.log(`${many} clips of 3 s, resident MB of Python/of this process after each tenth: ${told.join(' ')}`);
  const per = (seconds: number) => `${((1000 * seconds) / many).toFixed(2)} ms`;
  console.log(`processor time of such a clip: ${per(there)} in Python, ${per((user + system) / 1e6)} here`);
}

async function batches(count: number): Promise<void> {
  const clips = Array.from({ length: count }, (_, index) => ({
    samples: new Float32Array(3000).fill(index / count),
    sampleRate: 16_000,
  }));
  const told: string[] = [];
  const { opened: one, id: oneId } = await newChild(() => openPython({ script: 'bench/python/dense.py' }));
  const { opened: eight, id: eightId } = await newChild(() =>
    openPython({ script: 'bench/python/dense.py', batch: 8 }),
  );
  for (const [name, recognizer, id] of [
    ['one by one', one, oneId],
    ['batches of 8', eight, eightId],
  ] as const) {
    const before = processorSeconds(id);
    for (let from = 0; from < count; from += 8)
      await Promise.all(clips.slice(from, from + 8).map((clip) => ask(recognizer, clip)));
    told.push(`${name} ${((1000 * (processorSeconds(id) - before)) / count).toFixed(1)} ms`);
  }
  await one.close();
  await eight.close();
  console.log(`a model that gains, processor time of a clip: ${told.join(', ')}`);
}

await memory(Number(values.many));
await batches(Number(values.batches));
if (Number(values.limit) > 0) await overhead(Number(values.limit));
