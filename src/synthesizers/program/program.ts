import { z } from 'zod';
import { askedProgramOptions, openAskedProgram } from '../../system/asked-processes.ts';
import { programReadiness } from '../../system/named-program.ts';
import type { SynthesizerKind } from '../contract.ts';
import { speakerOptions, speakingSynthesizer, speech } from '../shared/speaker-options.ts';

const options = z.strictObject({ ...askedProgramOptions, ...speakerOptions });

type Options = z.output<typeof options>;

/** A process in any language that loads its model once and speaks text after text. */
export const program: SynthesizerKind<Options> = {
  name: 'program',
  about: 'Any program that stays: loads its model once, speaks text after text, in voices of clips if it clones',
  options,

  async open(given, services) {
    return speakingSynthesizer(await openAskedProgram(speech, given, services), given, services);
  },

  readiness: programReadiness,
};
