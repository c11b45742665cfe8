import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { missingProgram } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { matching, nonEmpty } from '../base/option-kinds.ts';
import { printable } from '../base/printable.ts';
import type { ModelFileServices } from '../packages/model-files.ts';
import { argumentIdentity, modelIdentity, programPath, workerVariables } from './named-program.ts';
import { lastWords, type ProgramStart, runProgram } from './run-program.ts';

/** A Python, as a config names it. */
export interface NamedPython {
  /** A name is looked for in PATH; a path is meant from the folder. */
  readonly python: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What it has. */
export interface PythonVersions {
  readonly python: string;
  /** Null for a package that is not installed. */
  readonly packages: Readonly<Record<string, string | null>>;
  /** Whether a script that recognizes works out the version that it says: nothing but its introduction tells it. */
  readonly worksOutVersion: boolean;
}

/** The file that starts scripts, so that they import the package beside it. */
const bridge = fileURLToPath(new URL('../../python/earwitness/bridge.py', import.meta.url));
/** For Python to start and find the versions of packages. */
const maxVersionSeconds = 60;

const pathOf = ({ python, folder }: NamedPython) => programPath(python, folder);
// A text that a model wrote is UTF-8 whatever the locale.
const environmentOf = ({ environment }: NamedPython) => ({
  ...environment,
  PYTHONUTF8: '1',
  PYTHONDONTWRITEBYTECODE: '1',
});

/** Options of members that are a Python script, in the words of what it does. */
export function pythonOptions(words: {
  /** What the script calls. */
  readonly calls: string;
  /** What versions of packages can change, and a package that is an example. */
  readonly changes: string;
  readonly example: string;
  /** What becomes of everything where the model is another. */
  readonly again: string;
}) {
  return {
    script: nonEmpty(4000).describe(`Python file that loads a model and calls ${words.calls}(…).`),
    arguments: z.array(z.string().max(4000)).default([]).describe('What the script finds in sys.argv.'),
    python: nonEmpty(4000)
      .default('python3')
      .describe('Python that has the packages of the model: .venv/bin/python. Python 3.8 or later.'),
    packages: z
      .array(matching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'expected the name of a package, as pip has it'))
      .default([])
      .describe(`Packages whose versions can change ${words.changes}: [${words.example}]. Each must be installed.`),
    models: z
      .array(nonEmpty(4000))
      .default([])
      .describe('Files and folders of the model, which count by their contents.'),
    revision: nonEmpty(200)
      .optional()
      .describe(
        `Names the model where it has no files here: a commit of the hub. Changed, everything is ${words.again} anew.`,
      ),
  };
}

/**
 * What can change what a script gives: its contents, Python, packages, files of the model, and the kinds of devices.
 *
 * @param script its path
 * @param versions null: without what only Python itself can tell
 */
export async function pythonIdentity(
  script: string,
  given: {
    readonly arguments: readonly string[];
    readonly models: readonly string[];
    readonly devices: readonly string[];
    readonly revision?: string | undefined;
  },
  versions: PythonVersions | null,
  files: ModelFileServices,
): Promise<JsonObject> {
  const kinds = [...new Set(given.devices.map((device) => device.replace(/:\d+$/, '')))].toSorted();
  return {
    ...{ engine: 'python', method: 1, script: await files.fileHash(script) },
    ...(given.arguments.length > 0 && {
      arguments: await Promise.all(given.arguments.map((part) => argumentIdentity(part, files))),
    }),
    // Of Python itself the last number changes nothing that it gives.
    ...(versions !== null && {
      python: versions.python.split('.').slice(0, 2).join('.'),
      packages: versions.packages,
    }),
    ...(given.models.length > 0 && {
      models: await Promise.all(given.models.map((path) => modelIdentity(path, files))),
    }),
    ...(given.revision !== undefined && { revision: given.revision }),
    ...(kinds.length > 0 && { devices: kinds }),
  };
}

/** A script that the bridge starts, so that what it prints comes between no lines of the protocol. */
export function pythonScript(
  named: NamedPython,
  script: string,
  more: readonly string[],
  worker: number,
  device: string | undefined,
): ProgramStart {
  return {
    program: pathOf(named),
    arguments: ['-u', bridge, script, ...more],
    folder: named.folder,
    environment: {
      ...environmentOf(named),
      ...workerVariables(worker, device),
    },
  };
}

/**
 * The versions of Python and of the packages that are needed.
 *
 * @param script its path
 * @throws EarwitnessError `missing-program`: no Python there, or too old; a package is not installed
 */
export async function neededPackages(
  named: NamedPython,
  script: string,
  packages: readonly string[],
): Promise<PythonVersions> {
  const shown = printable(named.python, 200);
  const { end, output, errors } = await runProgram({
    program: pathOf(named),
    arguments: [bridge, '--versions', script, ...packages],
    folder: named.folder,
    environment: environmentOf(named),
    maxSeconds: maxVersionSeconds,
    maxOutputBytes: 1_000_000,
  });
  const missing = (problem: string) =>
    missingProgram(`python: expected Python 3.8 or later at ${shown}, but ${problem}`);
  if (end.how === 'not started') {
    const reason = end.error.code === 'ENOENT' ? 'there is none' : (end.error.code ?? 'it cannot be started');
    throw missing(`${reason}; correct the path, or make it: python3 -m venv .venv`);
  }
  const versions = end.how === 'exit' && end.code === 0 ? readVersions(output.toString('utf8')) : null;
  if (versions === null) {
    const words = lastWords(errors, 300);
    throw missing(`it did not say its version${words === '' ? '' : `: ${words}`}`);
  }
  const absent = packages.filter((name) => typeof versions.packages[name] !== 'string');
  if (absent.length === 0) return versions;
  throw missingProgram(
    `python: expected the packages ${absent.join(', ')} in ${shown}, but they are not installed there; type: ${shown} -m pip install ${absent.join(' ')}`,
  );
}

function readVersions(text: string): PythonVersions | null {
  let value: Partial<PythonVersions> | null;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { python, packages, worksOutVersion = false } = value ?? {};
  return typeof python === 'string' && typeof packages === 'object' && packages !== null
    ? { python, packages, worksOutVersion }
    : null;
}

/** Of a member that names a script: whether Python has what it needs shows when it is started. */
export const pythonReadiness = async () => ({
  ready: true,
  found: 'built in; Python and its packages are looked for when they are used',
});
