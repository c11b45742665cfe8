import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { hashJson } from '../../base/hash.ts';
import { printable } from '../../base/printable.ts';
import { argumentIdentity } from '../../system/content-identity.ts';
import { programEnvironment } from '../../system/program-environment.ts';
import type { SynthesizerKind } from '../contract.ts';
import { speakerOptions, speakingSynthesizer } from '../shared/speaker-options.ts';
import { openSpeakingProcesses } from '../shared/speaking-process.ts';

const options = z.strictObject({
  program: z
    .array(z.string())
    .min(1)
    .refine(([program]) => program?.trim() !== '', { error: 'expected a program, but its name is empty', path: [0] })
    .describe('Program and arguments, no shell. It stays, and speaks the protocol of docs/protocol.md.'),
  version: z.string().max(200).default('').describe('Change it when the program speaks otherwise than before'),
  ...speakerOptions,
});

type Options = z.output<typeof options>;

/** A process in any language that loads its model once and speaks text after text. */
export const program: SynthesizerKind<Options> = {
  name: 'program',
  about: 'Any program that stays: loads its model once, speaks text after text, in voices of clips if it clones',
  options,

  async open(given, services) {
    const [named = '', ...more] = given.program;
    const parts = given.program.map((part, index) =>
      index === 0 && !part.includes('/') ? { name: part } : argumentIdentity(part, services),
    );
    const processes = await openSpeakingProcesses(printable(basename(named), 100), {
      ...given,
      start: (worker, device) => ({
        program: named.includes('/') ? resolve(services.baseFolder, named) : named,
        arguments: more,
        folder: services.baseFolder,
        environment: {
          ...programEnvironment(given.environment, services.environment),
          EARWITNESS_WORKER: String(worker),
          ...(device !== undefined && { EARWITNESS_DEVICE: device }),
        },
      }),
    });
    // Hashed, because arguments hold paths and sometimes what they should not.
    const identity = {
      engine: 'program',
      method: 1,
      program: hashJson(await Promise.all(parts)),
      stated: given.version,
    };
    return speakingSynthesizer(processes, given, identity, services);
  },

  async readiness() {
    return { ready: true, found: 'built in; the program is looked for when it is used' };
  },
};
