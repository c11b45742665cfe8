import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { argumentIdentity, modelIdentity } from '../../system/content-identity.ts';
import { programEnvironment } from '../../system/program-environment.ts';
import { neededPackages, pythonScript } from '../../system/python.ts';
import type { SynthesizerKind } from '../contract.ts';
import { speakerOptions, speakingSynthesizer } from '../shared/speaker-options.ts';
import { openSpeakingProcesses } from '../shared/speaking-process.ts';

const options = z.strictObject({
  script: z.string().min(1).max(4000).describe('Python file that loads a model and calls earwitness.speak(…).'),
  arguments: z.array(z.string().max(4000)).default([]).describe('What the script finds in sys.argv.'),
  python: z
    .string()
    .min(1)
    .max(4000)
    .default('python3')
    .describe('Python that has the packages of the model: .venv/bin/python. Python 3.8 or later.'),
  packages: z
    .array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'expected the name of a package, as pip has it'))
    .default([])
    .describe('Packages whose versions can change the sound: [kokoro]. Each must be installed.'),
  models: z
    .array(z.string().min(1).max(4000))
    .default([])
    .describe('Files and folders of the model, which count by their contents.'),
  revision: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Names the model where it has no files here: a commit of the hub. Changed, everything is spoken anew.'),
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
    const kinds = [...new Set(given.devices.map((device) => device.replace(/:\d+$/, '')))].toSorted();
    const identity = {
      ...{ engine: 'python', method: 1, script: await services.fileHash(script) },
      arguments: await Promise.all(given.arguments.map((part) => argumentIdentity(part, services))),
      // Of Python itself the last number changes no sound.
      python: versions.python.split('.').slice(0, 2).join('.'),
      packages: versions.packages,
      models: await Promise.all(given.models.map((path) => modelIdentity(path, services))),
      ...(given.revision !== undefined && { revision: given.revision }),
      ...(kinds.length > 0 && { devices: kinds }),
    };
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
