import { basename } from 'node:path';
import { z } from 'zod';
import { printable } from '../../base/printable.ts';
import { existingFile } from '../../packages/model-files.ts';
import {
  type NamedPython,
  neededPackages,
  pythonIdentity,
  pythonOptions,
  pythonReadiness,
  pythonScript,
} from '../../system/python.ts';
import { type ProgramStart, programEnvironment } from '../../system/run-program.ts';
import type { RecognizerKind, RecognizerServices } from '../contract.ts';
import { streamingIdentity } from '../shared/model-options.ts';
import { callsOf, introduce, openProgramRecognizer, programOptions } from '../shared/program/program-recognizer.ts';

const options = z.strictObject({
  ...pythonOptions({ calls: 'earwitness.serve', changes: 'an answer', example: 'faster-whisper', again: 'asked' }),
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
    const versions = await neededPackages(pythonOf(given, services), script, given.packages);
    const batch = given.batch ?? 1;
    // A version that stands in the script is part of its content; any other is only told when the model is loaded.
    const told = versions.worksOutVersion
      ? await introduce(startOf(given, services, script, 0, given.devices[0]), given.startLimitSeconds)
      : null;
    return {
      identity: {
        ...(await pythonIdentity(script, given, versions, services)),
        ...(told !== null && { introduced: { name: told.name, version: told.version } }),
        ...(batch > 1 && { batch }),
        ...streamingIdentity(given),
      },
      ...callsOf(given, batch),
      // What the identity names must be all there is: a script without any may ask a service.
      pinned: given.packages.length > 0 || given.models.length > 0 || given.revision !== undefined,
      facts: { python: versions.python, ...(given.packages.length > 0 && { packages: versions.packages }) },
    };
  },

  async restingIdentity(given, services) {
    const script = await existingFile(services, 'script', given.script);
    return { ...(await pythonIdentity(script, given, null, services)), ...streamingIdentity(given) };
  },

  async open(given, services) {
    const script = await existingFile(services, 'script', given.script);
    await neededPackages(pythonOf(given, services), script, given.packages);
    const { recognizer, hello } = await openProgramRecognizer({ ...given, batch: given.batch ?? 1 }, (worker, device) =>
      startOf(given, services, script, worker, device),
    );
    if (hello.batch > 1 && given.batch === undefined)
      services.progress?.(
        `${printable(basename(script), 80)} takes ${hello.batch} clips at once; \`batch: ${hello.batch}\` in the config has it asked so`,
      );
    return recognizer;
  },

  readiness: pythonReadiness,
};

function startOf(
  given: Options,
  services: RecognizerServices,
  script: string,
  worker: number,
  device: string | undefined,
): ProgramStart {
  return pythonScript(pythonOf(given, services), script, given.arguments, worker, device);
}

function pythonOf({ python: named, environment }: Options, services: RecognizerServices): NamedPython {
  return {
    python: named,
    folder: services.baseFolder,
    environment: programEnvironment(environment, services.environment),
  };
}
