import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { neededPackages, pythonIdentity, pythonOptions, pythonScript } from '../../system/python.ts';
import { programEnvironment } from '../../system/run-program.ts';
import type { SynthesizerKind } from '../contract.ts';
import { speakerOptions, speakingSynthesizer } from '../shared/speaker-options.ts';
import { openSpeakingProcesses } from '../shared/speaking-process.ts';

const options = z.strictObject({
  ...pythonOptions({ calls: 'earwitness.speak', changes: 'the sound', example: 'kokoro', again: 'spoken' }),
  ...speakerOptions,
});

type Options = z.output<typeof options>;

/** A Python model that stays loaded and speaks text after text, by a script of a few lines. */
export const python: SynthesizerKind<Options> = {
  name: 'python',
  about: 'A Python model by a script of a few lines: loaded once, in voices of clips if it clones (Piper, XTTS, …)',
  options,

  async open(given, services) {
    const script = resolve(services.baseFolder, given.script);
    if (!(await stat(script).catch(() => null))?.isFile())
      throw new EarwitnessError(
        'bad-config',
        `script: expected a Python file at ${printable(given.script, 200)}, but there is none; correct the path`,
      );
    const environment = programEnvironment(given.environment, services.environment);
    const named = { python: given.python, folder: services.baseFolder, environment };
    const versions = await neededPackages(named, given.packages);
    const identity = await pythonIdentity(script, given, versions, services);
    const processes = await openSpeakingProcesses(printable(basename(script), 100), {
      ...given,
      start: (worker, device) => pythonScript(named, script, given.arguments, worker, device),
    });
    return speakingSynthesizer(processes, given, identity, services);
  },

  async readiness() {
    return { ready: true, found: 'built in; Python and its packages are looked for when they are used' };
  },
};
