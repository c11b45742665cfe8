import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clip } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { temporaryFolder } from '../../base/abandoned.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';

const longestSeconds = 300;
/** It says a few hundred characters; whatever is named in its place may say more. */
const mostCharacters = 100_000;

/** Scores as the program prints them, or its reason for having none. */
export type ProgramAnswer = { readonly scores: readonly number[] } | { readonly reason: string };

/**
 * Runs the reference program of P.862 on two clips of one rate, in a folder of its own, since it writes a file wherever it is.
 *
 * @param wide P.862.2 in place of P.862
 * @throws EarwitnessError `missing-program`: it cannot be started; `bad-config`: it is another program
 */
export async function askProgram(program: string, clip: Clip, clean: Clip, wide: boolean): Promise<ProgramAnswer> {
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
  throw new EarwitnessError(
    'bad-config',
    `pesq: expected the reference program of ITU-T P.862, but ${printable(program)} answers otherwise (${printable(output.trim().slice(-200)) || 'nothing at all'})`,
  );
}

/** What it says, and why it came to no end of its own: it has arrays of fixed size, and long or odd clips overrun them. */
interface Said {
  readonly output: string;
  readonly died: string | null;
}

function said(program: string, args: readonly string[], cwd: string): Promise<Said> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], shell: false });
    let output = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, longestSeconds * 1000);
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      output = (output + text).slice(-mostCharacters);
    });
    child.on('error', (cause) => {
      clearTimeout(timer);
      const problem = `pesq: ${printable(program)} cannot be started (${messageOf(cause)}); build the reference program of ITU-T P.862 and name it in the option "program"`;
      reject(new EarwitnessError('missing-program', problem, { cause }));
    });
    child.on('close', (_code, signal) => {
      clearTimeout(timer);
      const died = late ? `PESQ took longer than ${longestSeconds} s` : signal && `PESQ was ended by ${signal}`;
      resolve({ output, died });
    });
  });
}
