import { basename } from 'node:path';
import { z } from 'zod';
import { printable } from '../../base/printable.ts';
import { programIdentity, programStart, stayingProgram } from '../../system/named-program.ts';
import type { SynthesizerKind } from '../contract.ts';
import { speakerOptions, speakingSynthesizer } from '../shared/speaker-options.ts';
import { openSpeakingProcesses } from '../shared/speaking-process.ts';

const options = z.strictObject({
  program: stayingProgram,
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
    const processes = await openSpeakingProcesses(printable(basename(given.program[0]!), 100), {
      ...given,
      start: (worker, device) => programStart(given, services, worker, device),
    });
    const program = await programIdentity(given.program, services);
    const identity = { engine: 'program', method: 1, program, stated: given.version };
    return speakingSynthesizer(processes, given, identity, services);
  },

  async readiness() {
    return { ready: true, found: 'built in; the program is looked for when it is used' };
  },
};
