import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InferenceSession, Tensor as RuntimeTensor } from 'onnxruntime-node';
import { badInput, messageOf } from '../base/errors.ts';
import { temporaryFolder } from '../base/on-disk.ts';
import { printable } from '../base/printable.ts';
import type { OnnxRuntime } from '../packages/onnx-runtime.ts';
import { type Derivative, memoryOf } from './differentiate.ts';
import { withSingleEnds } from './half-precision.ts';
import type { Model, Tensor } from './onnx-model.ts';
import { normalize } from './rewrite.ts';
import { staticGraph } from './static-graph.ts';
import { createWeightFile, encodeModel, writeModel } from './write-model.ts';

/** Numbers that go into a graph: floats, or whole ones. */
export type Fed = Float32Array | BigInt64Array;

/** The passes of one derivative, ready to run; they share one mapped copy of the weights. */
export interface Passes {
  /** Outputs by name. What the backward pass needs is kept until it has run, or the next forward pass. */
  forward(inputs: Readonly<Record<string, Fed>>): Promise<ReadonlyMap<string, Float32Array>>;
  /**
   * Gradients with respect to `wrt`, in their order, after a forward pass.
   *
   * @param cotangents gradients with respect to the outputs, in their order
   */
  backward(cotangents: readonly Float32Array[]): Promise<readonly Float32Array[]>;
  dispose(): Promise<void>;
}

/**
 * Opens the sessions of a derivative. Weights lie in one temporary file that both map into memory; `dispose` removes it.
 *
 * @throws what onnxruntime says where a graph cannot be opened, above all for want of memory
 */
export async function openPasses(
  derivative: Derivative,
  runtime: OnnxRuntime,
  { threads = 1 }: { readonly threads?: number } = {},
): Promise<Passes> {
  const { outputs, residuals, cotangents, gradients, shapes } = derivative;
  const folder = temporaryFolder('gradient');
  const sessions: InferenceSession[] = [];
  const dispose = async () => {
    await Promise.all(sessions.map((session) => session.release()));
    await rm(folder, { recursive: true, force: true });
  };
  const weights = await createWeightFile(folder);
  try {
    const open = async (name: string, model: Model) => {
      const path = join(folder, name);
      await writeModel(path, model, weights);
      const session = await runtime.InferenceSession.create(path, sessionOptions(threads));
      sessions.push(session);
      return session;
    };
    const forward = await open('forward.onnx', derivative.forward);
    const backward = await open('backward.onnx', derivative.backward);
    let kept: Readonly<Record<string, RuntimeTensor>> | null = null;
    const tensor = (name: string, values: Fed) => fedTensor(runtime, values, shapes.get(name)!);
    return {
      async forward(inputs) {
        kept = null;
        const fed = Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, tensor(name, values)]));
        const results = await computed(() => forward.run(fed));
        kept = { ...fed, ...results };
        return new Map(outputs.map((name) => [name, results[name]!.data as Float32Array]));
      },
      async backward(given) {
        if (kept === null) throw new Error('expected a forward pass before the backward pass');
        const fed: Record<string, RuntimeTensor> = {};
        for (const name of backward.inputNames) if (kept[name] !== undefined) fed[name] = kept[name];
        for (const [index, name] of cotangents.entries()) fed[name] = tensor(name, given[index]!);
        const results = await computed(() => backward.run(fed));
        for (const name of residuals) kept[name]?.dispose();
        kept = null;
        return gradients.map((name) => results[name]!.data as Float32Array);
      },
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  } finally {
    await weights.close();
  }
}

/** @throws EarwitnessError `bad-input` where onnxruntime fails, above all for want of memory */
async function computed<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw badInput(
      `expected onnxruntime to compute a gradient, but it failed (${printable(messageOf(cause), 200)}); a shorter clip needs less memory`,
      { cause },
    );
  }
}

/** As few copies of weights as onnxruntime can do with. */
export function sessionOptions(threads: number): InferenceSession.SessionOptions {
  return {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 4,
    // Else every weight of a product is held once more, laid out for the processor.
    extra: { session: { disable_prepacking: '1' } },
  };
}

/** What is asked of a model: as of `differentiate`. */
export interface Question {
  readonly outputs: readonly string[];
  readonly shapes: Readonly<Record<string, readonly number[]>>;
  readonly constants?: ReadonlyMap<string, Tensor>;
  readonly about: string;
}

/** A model as it is, quantized or in 16-bit floats where it is so. */
export interface Original {
  run(inputs: Readonly<Record<string, Fed>>): Promise<ReadonlyMap<string, Float32Array>>;
  dispose(): Promise<void>;
}

/** Opens a model as it is, for comparison with its float surrogate. */
export async function openOriginal(model: Model, question: Question, runtime: OnnxRuntime): Promise<Original> {
  const { outputs, shapes, constants = new Map(), about } = question;
  const whole = withSingleEnds(normalize(model, constants, about));
  const known = await staticGraph(whole, outputs, shapes, { runtime, about });
  const session = await runtime.InferenceSession.create(encodeModel(known), sessionOptions(1));
  return {
    async run(inputs) {
      const fed = Object.entries(inputs).map(
        ([name, values]) => [name, fedTensor(runtime, values, shapes[name]!)] as const,
      );
      const results = await session.run(Object.fromEntries(fed));
      return new Map(outputs.map((name) => [name, results[name]!.data as Float32Array]));
    },
    dispose: () => session.release(),
  };
}

function fedTensor(runtime: OnnxRuntime, values: Fed, shape: readonly number[]): RuntimeTensor {
  return values instanceof Float32Array
    ? new runtime.Tensor('float32', values, [...shape])
    : new runtime.Tensor('int64', values, [...shape]);
}

/**
 * Bytes that both passes of a derivative hold at most, model as it was read included: an estimate from above, which
 * bench/gradients.ts stands beside what is measured.
 */
export function workingBytes(derivative: Derivative): number {
  const { residualBytes, weightBytes, largestBytes } = memoryOf(derivative);
  // Weights lie in the model and in the mapped file; residuals and large tensors of the last pass may still wait to be collected.
  return 2 * weightBytes + 2 * residualBytes + 10 * largestBytes;
}

/** Bytes of the weights of a model, as it was read. */
export function weightBytes({ graph }: Model): number {
  return [...graph.weights.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/**
 * Refuses what cannot fit, before anything is allocated: the operating system would end the program in the middle of it.
 *
 * @param held of the estimate, bytes that are held already
 * @param availableBytes what may still be allocated
 * @param what the gradient that is wanted, for the sentence: `the gradient of wav2vec2 on a clip of 12.5 s`
 * @throws EarwitnessError `bad-input`
 */
export function refuseUnfit(
  derivative: Derivative,
  { held, availableBytes, what }: { readonly held: number; readonly availableBytes: number; readonly what: string },
): void {
  const needed = workingBytes(derivative) - held;
  if (needed <= availableBytes) return;
  throw badInput(
    `expected memory for ${what}, which takes about ${gigabytes(needed)}, but ${gigabytes(availableBytes)} are free; cut the clip, end other programs, or take a smaller model`,
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
