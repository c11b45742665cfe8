import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { OnnxRuntime } from '../../packages/onnx-runtime.ts';
import type { QualityServices } from '../contract.ts';
import { melShape } from './mel-windows.ts';
import { windowSamples } from './windows.ts';

/** Names under which Microsoft publishes the models, and how many numbers each gives. */
const files = { quality: 'sig_bak_ovr.onnx', p808: 'model_v8.onnx' } as const;

/** Both networks, loaded. */
export interface Models {
  /** SHA-256 of the files. */
  readonly hashes: { readonly [file: string]: string };
  /** Raw answers for a window of samples: speech, background, overall. */
  quality(samples: Float32Array): Promise<readonly [number, number, number]>;
  /** Mean opinion score for a window of mel levels. */
  p808(levels: Float32Array): Promise<number>;
  close(): Promise<void>;
}

/** @throws EarwitnessError `bad-config`: no such folder, a file missing, or another model than is expected */
export async function openModels(
  runtime: OnnxRuntime,
  folder: string,
  threads: number,
  services: QualityServices,
): Promise<Models> {
  const opened: InferenceSession[] = [];
  const close = async () => {
    for (const session of opened) await session.release();
  };
  const open = async (name: string, shape: readonly number[], answers: number) => {
    const path = join(resolve(services.baseFolder, folder), name);
    if (!(await stat(path).catch(() => null))?.isFile()) {
      throw unusable(
        `expected ${name} in ${printable(folder)}, but it is not there; name the folder that holds DNSMOS's ${Object.values(files).join(' and ')}`,
      );
    }
    const session = await runtime.InferenceSession.create(path, {
      executionProviders: ['cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
    }).catch((cause: unknown) => {
      throw unusable(`expected an ONNX graph, but ${name} does not load (${printable(messageOf(cause))})`, cause);
    });
    opened.push(session);
    const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
    const ask = async (data: Float32Array): Promise<Float32Array> => {
      const answer = await session
        .run({ [input]: new runtime.Tensor('float32', data, [...shape]) }, [output])
        .catch((cause: unknown) => {
          throw unusable(`${name} does not take what DNSMOS's own file takes (${printable(messageOf(cause))})`, cause);
        });
      const values = answer[output]?.data;
      if (values instanceof Float32Array && values.length === answers) return values;
      throw unusable(`expected ${answers} numbers from ${name}, but it gives others; take DNSMOS's own file`);
    };
    await ask(new Float32Array(shape.reduce((size, dimension) => size * dimension, 1)));
    return ask;
  };
  try {
    const quality = await open(files.quality, [1, windowSamples], 3);
    const p808 = await open(files.p808, melShape, 1);
    const hashes: Record<string, string> = {};
    for (const name of Object.values(files)) {
      hashes[name] = await services.fileHash(join(resolve(services.baseFolder, folder), name));
    }
    return {
      hashes,
      quality: async (samples) => {
        const [speech, background, overall] = await quality(samples);
        return [speech!, background!, overall!];
      },
      p808: async (levels) => (await p808(levels))[0]!,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function unusable(problem: string, cause?: unknown): EarwitnessError {
  return new EarwitnessError('bad-config', `dnsmos: ${problem}`, { cause });
}
