import { rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type Clip, durationSeconds } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { badConfig, messageOf, missingProgram } from '../../base/errors.ts';
import { temporaryFolder } from '../../base/on-disk.ts';
import { nonEmpty } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import type { ClipQuality } from '../../model/trial.ts';
import { runProgram } from '../../system/run-program.ts';
import { isSilent, pairWithReference, type QualityMeasure, undefinedValues } from '../contract.ts';

const maxSeconds = 300;
/** It says a few hundred characters; whatever is named in its place may say more. */
const maxOutputBytes = 100_000;

const pesqOptions = z.strictObject({
  program: nonEmpty().describe(
    'The reference program of ITU-T P.862 (version 2.0, October 2005), built from its source: path of the file',
  ),
});

type PesqOptions = z.output<typeof pesqOptions>;

const narrowRate = 8000;
const wideRate = 16_000;
/** The program reads no shorter sound. */
const minSeconds = 0.25;
const onlyWide = 'P.862.2 needs clean audio of more than 8 kHz';

/**
 * Perceptual evaluation of speech quality: what listeners on a telephone would rate, against the clean clip. ITU-T P.862 with the
 * mapping of P.862.1 (narrow-band), and P.862.2 (wide-band).
 *
 * Asked of the reference program, which the user builds under its own terms (design/quality.md): the method is defined by it, and
 * another would only approximate it. Where there is no program there is no measure.
 */
export const pesq: QualityMeasure<PesqOptions> = {
  name: 'pesq',
  version: 1,
  about: 'Speech quality against the clean clip by ITU-T P.862 and P.862.2, asked of their reference program.',
  values: {
    narrowMosLqo: 'Narrow-band, mapped to opinions by P.862.1, 1.02 to 4.55',
    narrowRaw: 'Narrow-band as P.862 itself scores, -0.5 to 4.5',
    wideMosLqo: 'Wide-band by P.862.2, 1.04 to 4.64',
  },
  needsClean: true,
  sampleRate: null,
  options: pesqOptions,

  async open({ program }, services) {
    const path = resolve(services.baseFolder, program);
    if (!(await stat(path).catch(() => null))?.isFile()) {
      throw missingProgram(
        `pesq: expected the reference program of ITU-T P.862, but there is no file ${printable(program)}; build it from the source that comes with the Recommendation, and name it in the option "program"`,
      );
    }
    return {
      identity: { measure: pesq.name, version: pesq.version, program: await services.fileHash(path) },
      measure: (clip, clean) => measure(path, clip, clean),
      async close() {},
    };
  },
};

async function measure(program: string, clip: Clip, clean: Clip | null): Promise<ClipQuality> {
  const none = (reason: string) => undefinedValues(pesq.values, reason);
  const pair = pairWithReference(clip, clean);
  if ('reason' in pair) return none(pair.reason);
  if (isSilent(pair.clean.samples)) return none('the clean clip is digital silence');
  if (isSilent(pair.clip.samples)) return none('the clip is digital silence');
  if (durationSeconds(pair.clean) < minSeconds) return none('PESQ needs a quarter of a second of audio');
  const sampleRate = pair.clean.sampleRate <= narrowRate ? narrowRate : wideRate;
  const heard = resample(pair.clip, sampleRate);
  const said = resample(pair.clean, sampleRate);
  const narrow = await askProgram(program, heard, said, false);
  const wide = sampleRate === narrowRate ? { reason: onlyWide } : await askProgram(program, heard, said, true);
  const reasons = [narrow, wide].flatMap((answer) => ('reason' in answer ? [answer.reason] : []));
  const [narrowRaw = null, narrowMosLqo = null] = 'scores' in narrow ? narrow.scores : [];
  const [wideMosLqo = null] = 'scores' in wide ? wide.scores : [];
  return {
    values: { narrowMosLqo, narrowRaw, wideMosLqo },
    ...(reasons.length === 0 ? {} : { reason: [...new Set(reasons)].join('; ') }),
  };
}

/** Scores as the program prints them, or its reason for having none. */
type ProgramAnswer = { readonly scores: readonly number[] } | { readonly reason: string };

/**
 * Runs the reference program of P.862 on two clips of one rate, in a folder of its own, since it writes a file wherever it is.
 *
 * @param wide P.862.2 in place of P.862
 * @throws EarwitnessError `missing-program`: it cannot be started; `bad-config`: it is another program
 */
async function askProgram(program: string, clip: Clip, clean: Clip, wide: boolean): Promise<ProgramAnswer> {
  const folder = temporaryFolder('pesq');
  try {
    await writeFile(join(folder, 'reference.wav'), encodeWav(clean, { format: 's16' }));
    await writeFile(join(folder, 'degraded.wav'), encodeWav(clip, { format: 's16' }));
    const flags = [`+${clean.sampleRate}`, ...(wide ? ['+wb'] : [])];
    const { output, died } = await said(program, [...flags, 'reference.wav', 'degraded.wav'], folder);
    return died === null ? read(output, program) : { reason: died };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `P.862 Prediction (Raw MOS, MOS-LQO):  = 3.042	2.885` */
function read(output: string, program: string): ProgramAnswer {
  const prediction = /^P\.862(?:\.2)? Prediction \([^)\n]{0,40}\):[ \t]*=[ \t]*([^\n]{1,80})$/m.exec(output)?.[1];
  if (prediction !== undefined) {
    const scores = prediction.trim().split(/\s+/).map(Number);
    return scores.every(Number.isFinite) ? { scores } : { reason: 'PESQ has no score for this clip' };
  }
  const failure = /^An error of type -?\d+ +\(([^)\n]{1,200})\)/m.exec(output)?.[1];
  if (failure !== undefined) return { reason: `PESQ says: ${printable(failure)}` };
  throw badConfig(
    `pesq: expected the reference program of ITU-T P.862, but ${printable(program)} answers otherwise (${printable(output.trim().slice(-200)) || 'nothing at all'})`,
  );
}

/** What it says, and why it came to no end of its own: it has arrays of fixed size, and long or odd clips overrun them. */
interface Said {
  readonly output: string;
  readonly died: string | null;
}

async function said(program: string, args: readonly string[], folder: string): Promise<Said> {
  const call = { program, arguments: args, folder, maxSeconds, maxOutputBytes };
  const { end, output } = await runProgram(call);
  if (end.how === 'not started') {
    const problem = `pesq: ${printable(program)} cannot be started (${messageOf(end.error)}); build the reference program of ITU-T P.862 and name it in the option "program"`;
    throw missingProgram(problem, { cause: end.error });
  }
  const tooLong = end.how === 'too long' && `PESQ took longer than ${maxSeconds} s`;
  const died = tooLong || (end.how === 'signal' && `PESQ was ended by ${end.signal}`) || null;
  return { output: output.toString('latin1'), died };
}
