import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EarwitnessError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { runProgram } from './run-program.ts';
import type { ProgramStart } from './start-program.ts';

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
}

/** The file that scripts import, and that starts them. */
const bridge = fileURLToPath(new URL('../../python/earwitness.py', import.meta.url));
/** For Python to start and find the versions of packages. */
const maxVersionSeconds = 60;

const pathOf = ({ python, folder }: NamedPython) => (python.includes('/') ? resolve(folder, python) : python);
// A text that a model wrote is UTF-8 whatever the locale.
const environmentOf = ({ environment }: NamedPython) => ({
  ...environment,
  PYTHONUTF8: '1',
  PYTHONDONTWRITEBYTECODE: '1',
});

/** A script that earwitness.py starts, so that what it prints comes between no lines of the protocol. */
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
      EARWITNESS_WORKER: String(worker),
      ...(device !== undefined && { EARWITNESS_DEVICE: device }),
    },
  };
}

/**
 * The versions of Python and of packages.
 *
 * @throws EarwitnessError `missing-program`: no Python there, or too old
 */
export async function pythonVersions(named: NamedPython, packages: readonly string[]): Promise<PythonVersions> {
  const shown = printable(named.python, 200);
  const { end, output, errors } = await runProgram({
    program: pathOf(named),
    arguments: [bridge, '--versions', ...packages],
    folder: named.folder,
    environment: environmentOf(named),
    maxSeconds: maxVersionSeconds,
    maxOutputBytes: 1_000_000,
  });
  const missing = (problem: string) =>
    new EarwitnessError('missing-program', `python: expected Python 3.8 or later at ${shown}, but ${problem}`);
  if (end.how === 'not started') {
    const reason = end.error.code === 'ENOENT' ? 'there is none' : (end.error.code ?? 'it cannot be started');
    throw missing(`${reason}; correct the path, or make it: python3 -m venv .venv`);
  }
  const read = end.how === 'exit' && end.code === 0 ? readVersions(output.toString('utf8')) : null;
  if (read !== null) return read;
  const words = printable(errors.trim(), 300, 'end');
  throw missing(`it did not say its version${words === '' ? '' : `: ${words}`}`);
}

/**
 * As `pythonVersions`, of packages that are needed.
 *
 * @throws EarwitnessError `missing-program`: also where one is not installed
 */
export async function neededPackages(named: NamedPython, packages: readonly string[]): Promise<PythonVersions> {
  const versions = await pythonVersions(named, packages);
  const absent = packages.filter((name) => typeof versions.packages[name] !== 'string');
  if (absent.length === 0) return versions;
  const shown = printable(named.python, 200);
  throw new EarwitnessError(
    'missing-program',
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
  const { python, packages } = value ?? {};
  return typeof python === 'string' && typeof packages === 'object' && packages !== null ? { python, packages } : null;
}
