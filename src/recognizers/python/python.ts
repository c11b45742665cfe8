import { basename } from 'node:path';
import { z } from 'zod';
import { printable } from '../../base/printable.ts';
import { argumentIdentity, modelIdentity } from '../../system/content-identity.ts';
import { programEnvironment } from '../../system/program-environment.ts';
import { type NamedPython, neededPackages, pythonScript } from '../../system/python.ts';
import type { RecognizerKind, RecognizerServices } from '../contract.ts';
import { existingFile } from '../shared/local-files.ts';
import { callsOf, programOptions } from '../shared/program/program-options.ts';
import { openProgramRecognizer } from '../shared/program/program-recognizer.ts';
import { streamingIdentity } from '../shared/streaming-options.ts';

const options = z.strictObject({
  script: z.string().min(1).max(4000).describe('Python file that loads a model and calls earwitness.serve(…).'),
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
    .describe('Packages whose versions can change an answer: [faster-whisper]. Each must be installed.'),
  models: z
    .array(z.string().min(1).max(4000))
    .default([])
    .describe('Files and folders of the model, which count by their contents.'),
  revision: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Names the model where it has no files here: a commit of the hub. Changed, everything is asked anew.'),
  ...programOptions,
});

type Options = z.output<typeof options>;

/** A Python model that stays loaded and answers clip after clip, by a script of five lines. */
export const python: RecognizerKind<Options> = {
  name: 'python',
  about: 'A Python model by a script of five lines: loaded once, in batches, on several workers and devices',
  options,
  // Its processes are its own already.
  isolation: 'none',

  async describe(given, services) {
    const script = await existingFile(services, 'script', given.script);
    const { python: version, packages } = await neededPackages(pythonOf(given, services), given.packages);
    const batch = given.batch ?? 1;
    const kinds = [...new Set(given.devices.map((device) => device.replace(/:\d+$/, '')))].toSorted();
    return {
      identity: {
        engine: 'python',
        method: 1,
        script: await services.fileHash(script),
        ...(given.arguments.length > 0 && {
          arguments: await Promise.all(given.arguments.map((part) => argumentIdentity(part, services))),
        }),
        // Of Python itself the last number changes no answer.
        python: version.split('.').slice(0, 2).join('.'),
        packages,
        ...(given.models.length > 0 && {
          models: await Promise.all(given.models.map((path) => modelIdentity(path, services))),
        }),
        ...(given.revision !== undefined && { revision: given.revision }),
        ...(kinds.length > 0 && { devices: kinds }),
        ...(batch > 1 && { batch }),
        ...streamingIdentity(given),
      },
      ...callsOf(given, batch),
      // What the identity names must be all there is: a script without any may ask a service.
      pinned: given.packages.length > 0 || given.models.length > 0 || given.revision !== undefined,
      facts: { python: version, ...(given.packages.length > 0 && { packages }) },
    };
  },

  async open(given, services) {
    const script = await existingFile(services, 'script', given.script);
    await neededPackages(pythonOf(given, services), given.packages);
    const { recognizer, hello } = await openProgramRecognizer({ ...given, batch: given.batch ?? 1 }, (worker, device) =>
      pythonScript(pythonOf(given, services), script, given.arguments, worker, device),
    );
    if (hello.batch > 1 && given.batch === undefined)
      services.progress?.(
        `${printable(basename(script), 80)} takes ${hello.batch} clips at once; \`batch: ${hello.batch}\` in the config has it asked so`,
      );
    return recognizer;
  },

  async readiness() {
    return { ready: true, found: 'built in; Python and its packages are looked for when they are used' };
  },
};

function pythonOf({ python: named, environment }: Options, services: RecognizerServices): NamedPython {
  return {
    python: named,
    folder: services.baseFolder,
    environment: programEnvironment(environment, services.environment),
  };
}
