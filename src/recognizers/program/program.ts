import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import { printable } from '../../base/printable.ts';
import { argumentIdentity } from '../../system/content-identity.ts';
import { programEnvironment } from '../../system/program-environment.ts';
import type { ProgramStart } from '../../system/start-program.ts';
import type { RecognizerKind, RecognizerServices } from '../contract.ts';
import { callsOf, programOptions } from '../shared/program/program-options.ts';
import { identityOf } from '../shared/program/program-pool.ts';
import { introduce, openProgramRecognizer } from '../shared/program/program-recognizer.ts';
import { streamingIdentity } from '../shared/streaming-options.ts';

const options = z.strictObject({
  program: z
    .array(z.string())
    .min(1)
    .refine(([program]) => program?.trim() !== '', { error: 'expected a program, but its name is empty', path: [0] })
    .describe('Program and arguments, no shell. It stays, and speaks the protocol of docs/protocol.md.'),
  version: z
    .string()
    .min(1)
    .optional()
    .describe('Version of program and model. Given, answers are kept from run to run; else each run asks anew.'),
  ...programOptions,
});

type Options = z.output<typeof options>;

/** A process in any language that loads its model once and answers clip after clip. */
export const program: RecognizerKind<Options> = {
  name: 'program',
  about: 'Any program that stays: loads its model once and is asked line by line, in batches, or while one speaks',
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
        // Hashed, because arguments hold paths and sometimes what they should not.
        program: hashJson(
          await Promise.all(
            given.program.map((part, index) =>
              index === 0 && !part.includes('/') ? { name: part } : argumentIdentity(part, services),
            ),
          ),
        ),
        ...identity,
        ...(given.version !== undefined && { stated: given.version }),
        ...streamingIdentity(given),
      },
      ...callsOf(given, identity.batch ?? 1),
      pinned: given.version !== undefined,
      facts: { ...facts, ...(languages && { languages }), ...(streams && { streaming: true }) },
    };
  },

  async open(given, services) {
    const starts = await Promise.all(
      Array.from({ length: given.workers }, (_, worker) => startOf(given, services, worker, deviceOf(given, worker))),
    );
    const { recognizer } = await openProgramRecognizer(given, (worker) => starts[worker]!);
    return recognizer;
  },

  async readiness() {
    return { ready: true, found: 'built in; the program is looked for when it is used' };
  },
};

const deviceOf = ({ devices }: Options, worker: number) => devices[worker % Math.max(1, devices.length)];

/** A name without a slash is looked for in PATH; a path is meant from the config. */
async function startOf(
  { program: [named = '', ...programArguments], environment }: Options,
  services: RecognizerServices,
  worker: number,
  device: string | undefined,
): Promise<ProgramStart> {
  const path = named.includes('/') ? resolve(services.baseFolder, named) : named;
  if (named.includes('/') && !(await stat(path).catch(() => null))?.isFile()) {
    throw new EarwitnessError(
      'missing-program',
      `program: expected a program at ${printable(named, 200)}, but there is none; correct the path`,
    );
  }
  return {
    program: path,
    arguments: programArguments,
    folder: services.baseFolder,
    environment: {
      ...programEnvironment(environment, services.environment),
      EARWITNESS_WORKER: String(worker),
      ...(device !== undefined && { EARWITNESS_DEVICE: device }),
    },
  };
}
