/**
 * Gradients of a network of the shape of wav2vec2-base (random weights) with respect to its waveform, beside its forward pass and
 * beside PyTorch, in turns.
 *
 *   node bench/gradients.ts [--seconds 4] [--threads 2] [--rounds 7] [--layers 12]
 *
 * PyTorch (PyPI's, on the processor) is asked where EARWITNESS_PYTHON names a Python that has it: bench/gradients.py computes the
 * same network from the same weights, and its loss and gradient must be the same. Prints medians of wall-clock and processor
 * seconds, ratios of medians, and memory beside `workingBytes`.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../src/base/random.ts';
import { differentiate } from '../src/gradients/differentiate.ts';
import { ctcLoss } from '../src/gradients/losses.ts';
import { elementTypes, type Model } from '../src/gradients/onnx-model.ts';
import { openPasses, sessionOptions, workingBytes } from '../src/gradients/passes.ts';
import { wav2vec2Like } from '../src/gradients/testing/networks.ts';
import { createWeightFile, writeModel } from '../src/gradients/write-model.ts';
import { loadOnnxRuntime } from '../src/packages/onnx-runtime.ts';
import { median } from './median.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    threads: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '7' },
    layers: { type: 'string', default: '12' },
  },
});
const [seconds, threads, rounds, layers] = [values.seconds, values.threads, values.rounds, values.layers].map(
  Number,
) as [number, number, number, number];
const tokens = 32;
const samples = Math.round(seconds * 16_000);
const { runtime } = await loadOnnxRuntime('which this needs');
const sizes = {
  samples,
  tokens,
  channels: 512,
  width: 768,
  heads: 12,
  inner: 3072,
  positional: 128,
  groups: 16,
  layers,
};
const network = wav2vec2Like(sizes);
const x = ((random) => Float32Array.from({ length: samples }, () => random.normal()))(createRandom('sound'));
const folder = await mkdtemp(join(tmpdir(), 'earwitness-bench-'));

interface Measured {
  readonly wall: number;
  readonly processor: number;
}

async function measured(work: () => Promise<unknown>): Promise<Measured> {
  const processor = process.cpuUsage();
  const start = performance.now();
  await work();
  const wall = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(processor);
  return { wall, processor: (user + system) / 1e6 };
}

/** Private memory of this process, which mapped files are not part of, in bytes. */
function privateBytes(): number {
  const found = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  return found === null ? Number.NaN : 1024 * Number(found[1]);
}

try {
  const derivative = await differentiate(network.model, {
    wrt: [network.wrt],
    outputs: [network.output],
    shapes: network.shapes,
    runtime,
    about: 'the network',
  });
  const frames = derivative.shapes.get(network.output)![1]!;
  const labels = Array.from({ length: Math.floor(frames / 4) }, (_, index) => 1 + ((index * 7919) % (tokens - 1)));
  const weights = await createWeightFile(folder);
  const opened = async (name: string, model: Model) => {
    await writeModel(join(folder, name), model, weights);
    return runtime.InferenceSession.create(join(folder, name), sessionOptions(threads));
  };
  const before = privateBytes();
  const passes = await openPasses(derivative, runtime, { threads });
  const scoresOf = async () => (await passes.forward({ [network.wrt]: x })).get(network.output)!;
  const apart = async () => {
    const { loss, gradient } = ctcLoss({ scores: await scoresOf(), width: tokens, labels, blank: 0 });
    const [found] = await passes.backward([gradient]);
    return { loss, cotangent: gradient, gradient: found! };
  };
  let most = 0;
  for (let round = 0; round < 3; round++) {
    await scoresOf();
    most = Math.max(most, privateBytes() - before);
    await apart();
    most = Math.max(most, privateBytes() - before);
  }
  const ours = await apart();
  const mapped = [...derivative.forward.graph.weights.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  console.log(
    `${derivative.residuals.length} residuals; ${mega(most)} MB of private memory for both passes beside weights of ${mega(mapped)} MB, which the model and a mapped file hold; estimated together ${mega(workingBytes(derivative))} MB`,
  );

  const alone = await opened('alone.onnx', derivative.forwardAlone);
  const whole = await opened('whole.onnx', derivative.whole);
  await weights.close();
  const tensor = (name: string, data: Float32Array) =>
    new runtime.Tensor('float32', data, [...derivative.shapes.get(name)!]);
  const [cotangent] = derivative.cotangents;
  const fed = { [network.wrt]: tensor(network.wrt, x) };
  const fedWhole = { ...fed, [cotangent!]: tensor(cotangent!, ours.cotangent) };
  const python = process.env.EARWITNESS_PYTHON ? await startPython(process.env.EARWITNESS_PYTHON, labels) : null;
  if (python === null) console.log('EARWITNESS_PYTHON is not set: PyTorch is not asked');
  else {
    const theirs = await python.ask('gradient');
    const gradient = new Float32Array(readFileSync(join(folder, 'gradient.bin')).buffer.slice(0));
    const difference =
      Math.hypot(...ours.gradient.map((value, index) => value - gradient[index]!)) / Math.hypot(...gradient);
    console.log(
      `loss ${ours.loss.toFixed(4)}, by PyTorch ${theirs.loss!.toFixed(4)}; gradients differ by ${difference.toExponential(1)} of their length`,
    );
  }
  const works: Readonly<Record<string, () => Promise<Measured>>> = {
    'forward alone': () => measured(() => alone.run(fed)),
    'forward and backward in one graph': () => measured(() => whole.run(fedWhole)),
    'two passes, loss outside': () => measured(apart),
    ...(python === null
      ? {}
      : {
          'PyTorch, forward': () => python.ask('forward'),
          'PyTorch, forward and backward': () => python.ask('gradient'),
        }),
  };
  const figures = new Map(Object.keys(works).map((name) => [name, [] as Measured[]]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      const figure = await work();
      if (round >= 0) figures.get(name)!.push(figure);
    }
  }
  const of = (name: string, kind: keyof Measured) => median(figures.get(name)!.map((each) => each[kind]));
  for (const name of figures.keys()) {
    const least = Math.min(...figures.get(name)!.map(({ wall }) => wall));
    console.log(
      `${name.padEnd(34)} ${of(name, 'wall').toFixed(3)} s (least ${least.toFixed(3)}), processor ${of(name, 'processor').toFixed(3)} s`,
    );
  }
  const ratio = (what: string, to: string, limit?: number) =>
    console.log(
      `${what} / ${to}: ${(of(what, 'wall') / of(to, 'wall')).toFixed(2)} (processor ${(of(what, 'processor') / of(to, 'processor')).toFixed(2)})${limit === undefined ? '' : `, at most ${limit} wanted`}`,
    );
  ratio('forward and backward in one graph', 'forward alone', 3);
  ratio('two passes, loss outside', 'forward alone', 3.4);
  if (python !== null) {
    ratio('forward and backward in one graph', 'PyTorch, forward and backward', 1.2);
    ratio('two passes, loss outside', 'PyTorch, forward and backward');
    ratio('forward alone', 'PyTorch, forward');
    python.end();
  }
  await passes.dispose();
} finally {
  await rm(folder, { recursive: true, force: true });
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

/** Starts bench/gradients.py with the network's weights; it answers one line for each line. */
async function startPython(program: string, labels: readonly number[]) {
  const file = await open(join(folder, 'weights-in-order.bin'), 'w');
  const shapes: (readonly number[])[] = [];
  for (const { type, shape, bytes } of network.model.graph.weights.values()) {
    if (type !== elementTypes.float || shape.length === 0) continue;
    shapes.push(shape);
    await file.write(bytes);
  }
  await file.write(new Uint8Array(x.buffer));
  await file.close();
  await writeFile(join(folder, 'network.json'), JSON.stringify({ ...sizes, shapes, labels, threads }));
  const script = fileURLToPath(new URL('gradients.py', import.meta.url));
  const child = spawn(program, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => JSON.parse((await lines.next()).value ?? 'null') as Measured & { readonly loss?: number };
  return {
    ask: (what: 'forward' | 'gradient') => {
      child.stdin.write(`${what}\n`);
      return answer();
    },
    end: () => child.stdin.end(),
  };
}
