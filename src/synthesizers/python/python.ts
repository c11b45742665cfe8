import { z } from 'zod';
import { askedPythonOptions, openAskedPython } from '../../system/asked-processes.ts';
import { pythonReadiness } from '../../system/python.ts';
import type { SynthesizerKind } from '../contract.ts';
import { speakerOptions, speakingSynthesizer, speech } from '../shared/speaker-options.ts';

const options = z.strictObject({
  ...askedPythonOptions({ calls: 'earwitness.speak', changes: 'the sound', example: 'kokoro', again: 'spoken' }),
  ...speakerOptions,
});

type Options = z.output<typeof options>;

/** A Python model that stays loaded and speaks text after text, by a script of a few lines. */
export const python: SynthesizerKind<Options> = {
  name: 'python',
  about: 'A Python model by a script of a few lines: loaded once, in voices of clips if it clones (Piper, XTTS, …)',
  options,

  async open(given, services) {
    return speakingSynthesizer(await openAskedPython(speech, given, services), given, services);
  },

  readiness: pythonReadiness,
};
