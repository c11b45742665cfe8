import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { missingProgram } from '../../base/errors.ts';
import { nonEmpty } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { programIdentity, programReadiness, programStart, stayingProgram } from '../../system/named-program.ts';
import type { ProgramStart } from '../../system/run-program.ts';
import type { RecognizerKind, RecognizerServices } from '../contract.ts';
import { streamingIdentity } from '../shared/model-options.ts';
import { identityOf } from '../shared/program/program-pool.ts';
import { callsOf, introduce, openProgramRecognizer, programOptions } from '../shared/program/program-recognizer.ts';

const options = z.strictObject({
  program: stayingProgram,
  version: nonEmpty()
    .optional()
    .describe('Version of program and model. Given, answers are kept from run to run; else each run asks anew.'),
  ...programOptions,
});

type Options = z.output<typeof options>;

/** A process in any language that loads its model once and answers clip after clip. */
export const program: RecognizerKind<Options> = {
  name: 'program',
  about: 'Any program that stays running: loads its model once, and is asked line by line, in batches or streaming',
  options,
  // Its processes are its own already.
  isolation: 'none',

  async describe(given, services) {
    const hello = await introduce(await startOf(given, services, 0, given.devices[0]), given.startLimitSeconds);
    const { facts, languages, streams } = hello;
    const identity = identityOf(hello, given.batch);
    return {
      identity: {
        engine: 'program',
        method: 1,
        program: await programIdentity(given.program, services),
        ...identity,
        ...(given.version !== undefined && { stated: given.version }),
        ...streamingIdentity(given),
      },
      ...callsOf(given, identity.batch ?? 1),
      pinned: given.version !== undefined,
      facts: { ...facts, ...(languages && { languages }), ...(streams && { streaming: true }) },
    };
  },

  async restingIdentity(given, services) {
    return {
      program: await programIdentity(given.program, services),
      ...(given.version !== undefined && { stated: given.version }),
      ...streamingIdentity(given),
    };
  },

  async open(given, services) {
    const starts = await Promise.all(
      Array.from({ length: given.workers }, (_, worker) => startOf(given, services, worker, deviceOf(given, worker))),
    );
    const { recognizer } = await openProgramRecognizer(given, (worker) => starts[worker]!);
    return recognizer;
  },

  readiness: programReadiness,
};

const deviceOf = ({ devices }: Options, worker: number) => devices[worker % Math.max(1, devices.length)];

async function startOf(
  given: Options,
  services: RecognizerServices,
  worker: number,
  device: string | undefined,
): Promise<ProgramStart> {
  const start = programStart(given, services, worker, device);
  const [named = ''] = given.program;
  if (named.includes('/') && !(await stat(start.program).catch(() => null))?.isFile()) {
    throw missingProgram(
      `program: expected a program at ${printable(named, 200)}, but there is none; correct the path`,
    );
  }
  return start;
}
