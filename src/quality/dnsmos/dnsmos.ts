import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { z } from 'zod';
import { resample } from '../../audio/resample.ts';
import { badConfig, type EarwitnessError, messageOf } from '../../base/errors.ts';
import { nonEmpty } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import type { ClipQuality } from '../../model/trial.ts';
import { readinessOf } from '../../packages/installed-package.ts';
import { loadOnnxRuntime, type OnnxRuntime } from '../../packages/onnx-runtime.ts';
import { type QualityMeasure, type QualityServices, undefinedValues } from '../contract.ts';
import {
  createMelWindows,
  fillWindow,
  heardWindows,
  hopSamples,
  melShape,
  sampleRate,
  windowSamples,
} from './mel-windows.ts';

/** Names under which Microsoft publishes the models, and how many numbers each gives. */
const files = { quality: 'sig_bak_ovr.onnx', p808: 'model_v8.onnx' } as const;

const purpose = 'which DNSMOS needs';

const dnsmosOptions = z.strictObject({
  models: nonEmpty().describe('Folder with sig_bak_ovr.onnx and model_v8.onnx, as Microsoft publishes them'),
});

type DnsmosOptions = z.output<typeof dnsmosOptions>;

/**
 * How people would rate a clip, as networks guess it: speech, background and overall quality by P.835 (C. K. A. Reddy, V. Gopal
 * and R. Cutler, "DNSMOS P.835", ICASSP 2022) and quality by P.808 ("DNSMOS", ICASSP 2021). Means over windows of 9.01 s, one
 * each second; shorter clips are repeated. Samples beyond full scale are heard limited to it, as any player would.
 *
 * Digital silence has a value too: that of the networks.
 */
export const dnsmos: QualityMeasure<DnsmosOptions> = {
  name: 'dnsmos',
  version: 1,
  about: 'Mean opinion scores as the DNSMOS networks guess them (P.835: SIG, BAK, OVR; P.808), without the clean clip.',
  values: {
    sig: 'Quality of the speech (P.835), 1 to 5',
    bak: 'Quality of the background, 5 where it does not disturb (P.835), 1 to 5',
    ovr: 'Overall quality (P.835), 1 to 5',
    p808: 'Quality (P.808), 1 to 5',
  },
  needsClean: false,
  sampleRate,
  options: dnsmosOptions,

  async open({ models: folder }, services) {
    const { runtime, version } = await loadOnnxRuntime(purpose);
    const models = await openModels(runtime, folder, services);
    return {
      identity: {
        measure: dnsmos.name,
        version: dnsmos.version,
        engine: `onnxruntime-node ${version}`,
        processor: process.arch,
        models: models.hashes,
      },
      measure: async (clip) =>
        clip.samples.length === 0
          ? undefinedValues(dnsmos.values, 'the clip is empty')
          : rate(models, resample(clip, sampleRate).samples),
      close: () => models.close(),
    };
  },

  readiness: () => readinessOf(async () => `onnxruntime-node ${(await loadOnnxRuntime(purpose)).version}`),
};

async function rate(models: Models, samples: Float32Array): Promise<ClipQuality> {
  if (samples.length === 0) return undefinedValues(dnsmos.values, 'the clip is shorter than a sample at 16 kHz');
  const heard = fillWindow(samples.map((sample) => Math.max(-1, Math.min(1, sample))));
  const melWindow = createMelWindows(heard);
  const windows = heardWindows(heard.length);
  const sums = { sig: 0, bak: 0, ovr: 0, p808: 0 };
  for (const window of windows) {
    const start = window * hopSamples;
    const [speech, background, overall] = await models.quality(heard.slice(start, start + windowSamples));
    sums.sig += polynomial(speech, sigFit);
    sums.bak += polynomial(background, bakFit);
    sums.ovr += polynomial(overall, ovrFit);
    sums.p808 += await models.p808(melWindow(window));
  }
  const mean = (sum: number) => sum / windows.length;
  return { values: { sig: mean(sums.sig), bak: mean(sums.bak), ovr: mean(sums.ovr), p808: mean(sums.p808) } };
}

/** From the networks' answers to opinion scores: constants of the published program, those of rising order. */
const sigFit = [0.0052439, 1.22083953, -0.08397278] as const;
const bakFit = [-0.39604546, 1.60915514, -0.13166888] as const;
const ovrFit = [0.04602535, 1.11546468, -0.06766283] as const;

function polynomial(x: number, [constant, linear, square]: readonly [number, number, number]): number {
  return constant + x * (linear + x * square);
}

/** Both networks, loaded. */
interface Models {
  /** SHA-256 of the files. */
  readonly hashes: { readonly [file: string]: string };
  /** Raw answers for a window of samples: speech, background, overall. */
  quality(samples: Float32Array): Promise<readonly [number, number, number]>;
  /** Mean opinion score for a window of mel levels. */
  p808(levels: Float32Array): Promise<number>;
  close(): Promise<void>;
}

/** @throws EarwitnessError `bad-config`: no such folder, a file missing, or another model than is expected */
async function openModels(runtime: OnnxRuntime, folder: string, services: QualityServices): Promise<Models> {
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
      intraOpNumThreads: 1,
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
  return badConfig(`dnsmos: ${problem}`, { cause });
}
