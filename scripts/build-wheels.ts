// Builds the wheels of Python: `earwitness` with the compiled package and the packages of npm that it needs, and one for each extra (`earwitness-whisper`)
// with those that it adds. All lie in `earwitness/_npm/node_modules`, where Node finds them beside each other; nothing is fetched when they are used.
//
//   npm run build && node scripts/build-wheels.ts [--platform linux-x64] [--python python3] [FOLDER]      into dist-wheels/ if no folder is named
//
// Of this machine's platform the packages are those of node_modules; of others npm fetches them by the lock, `--platform all` does so for all. What no
// code runs (types, maps, other platforms' binaries) is left out.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pythonExtras } from '../src/packages/installed-package.ts';

const root = join(import.meta.dirname, '..');

/** Platforms, with how pip calls them. */
const platforms: Readonly<Record<string, string>> = {
  'linux-x64': 'manylinux_2_28_x86_64',
  'linux-arm64': 'manylinux_2_28_aarch64',
  'darwin-x64': 'macosx_11_0_x86_64',
  'darwin-arm64': 'macosx_11_0_arm64',
  'win32-x64': 'win_amd64',
};

/** Extras that a platform has not: ONNX Runtime is no longer made for Intel's Macs. */
const lacking: Readonly<Record<string, readonly string[]>> = { 'darwin-x64': ['whisper'] };

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** A package of the lock; its key is its folder. */
interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/** What transformers.js names and does not load in Node. */
const neverLoaded = ['onnxruntime-web'];

/** The folders of packages and of all that they need, as far as they are installed. */
function closure(names: readonly string[], installed: string): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string, from: string) => {
    for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
      const key = `${place === '' ? '' : `${place}/`}node_modules/${name}`;
      if (key in lock && existsSync(join(installed, key))) {
        if (found.has(key)) return;
        found.add(key);
        const { dependencies, optionalDependencies } = lock[key]!;
        for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(next, key);
        return;
      }
      if (place === '') return;
    }
  };
  for (const name of names) if (!neverLoaded.includes(name)) add(name, '');
  for (const name of neverLoaded) found.delete(`node_modules/${name}`);
  return found;
}

/** Whether a file of a package of npm runs on a platform. */
function runs(path: string, platform: string): boolean {
  if (/\.(map|d\.[cm]?ts)$/.test(path) || /\/node_modules\/zod\/src(\/|$)/.test(path)) return false;
  const [, os, cpu] = /\/onnxruntime-node\/bin\/napi-v\d+\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  return os === undefined || platform === `${os}-${cpu}` || (cpu === undefined && platform.startsWith(`${os}-`));
}

/** Lays a package of npm out as it stands in node_modules, without the packages inside it. */
function copyPackage(key: string, installed: string, modules: string, platform: string): void {
  const from = join(installed, key);
  cpSync(from, join(modules, key.replace(/^node_modules\//, '')), {
    recursive: true,
    dereference: true,
    filter: (path) =>
      path === from || (basename(path) !== 'node_modules' && runs(path.replaceAll('\\', '/'), platform)),
  });
}

/** The files that npm would publish. */
function copyOwn(modules: string): void {
  const told = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [packed] = Object.values(JSON.parse(told) as object) as {
    readonly files: readonly { readonly path: string }[];
  }[];
  for (const { path } of packed!.files) cpSync(join(root, path), join(modules, 'earwitness', path));
}

/** Makes a wheel of a folder that holds `earwitness/`; says its path. */
function buildWheel(stage: string, project: string, tag: string, python: string, out: string): string {
  writeFileSync(join(stage, 'pyproject.toml'), project);
  writeFileSync(join(stage, 'MANIFEST.in'), 'graft earwitness\n');
  writeFileSync(join(stage, 'setup.cfg'), `[bdist_wheel]\nplat_name = ${tag}\n`);
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  const made = `${stage}-wheel`;
  execFileSync(python, ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', made, stage], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
  });
  const [name] = globSync('*.whl', { cwd: made });
  cpSync(join(made, name!), join(out, name!));
  return join(out, name!);
}

/** The project file of the package itself, with the extras as packages of their own. */
function ownProject(): string {
  const written = readFileSync(join(root, 'python', 'pyproject.toml'), 'utf8');
  const extras = Object.keys(pythonExtras).map((extra) => `${extra} = ["earwitness-${extra}==${manifest.version}"]`);
  return written
    .replace('[project.optional-dependencies]\n', `[project.optional-dependencies]\n${extras.join('\n')}\n`)
    .replace(/\[tool\.setuptools\.package-data\][\s\S]*$/, '');
}

function extraProject(extra: string): string {
  return `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "earwitness-${extra}"
version = "${manifest.version}"
description = "Packages of npm for earwitness[${extra}]: ${pythonExtras[extra]!.join(', ')}."
requires-python = ">=3.8"

[tool.setuptools]
packages = ["earwitness"]
`;
}

/**
 * Builds the wheels of a platform.
 *
 * @param extras which; the package itself is built in any case
 * @returns their paths, the package itself first
 */
export function buildWheels(
  platform: string,
  extras: readonly string[],
  out: string,
  python: string,
): readonly string[] {
  const tag = platforms[platform];
  if (tag === undefined) throw new Error(`expected one of ${Object.keys(platforms).join(', ')}, but got ${platform}`);
  const work = mkdtempSync(join(tmpdir(), 'earwitness-wheels-'));
  try {
    const installed = platform === `${process.platform}-${process.arch}` ? root : fetchPackages(work, platform);
    const inExtras = Object.values(pythonExtras).flat();
    const base = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)];
    const own = closure(
      base.filter((name) => !inExtras.includes(name)),
      installed,
    );
    const stage = (name: string, keys: Iterable<string>) => {
      const folder = join(work, name);
      const modules = join(folder, 'earwitness', '_npm', 'node_modules');
      mkdirSync(modules, { recursive: true });
      for (const key of keys) copyPackage(key, installed, modules, platform);
      return { folder, modules };
    };
    const { folder, modules } = stage('own', own);
    copyOwn(modules);
    for (const path of globSync('earwitness/{*.py,py.typed}', { cwd: join(root, 'python') }))
      cpSync(join(root, 'python', path), join(folder, path));
    cpSync(join(root, 'python', 'README.md'), join(folder, 'README.md'));
    mkdirSync(out, { recursive: true });
    const wheels = [buildWheel(folder, ownProject(), tag, python, out)];
    for (const extra of extras) {
      const added = closure(pythonExtras[extra]!, installed);
      const { folder } = stage(
        extra,
        [...added].filter((key) => !own.has(key)),
      );
      wheels.push(buildWheel(folder, extraProject(extra), tag, python, out));
    }
    return wheels;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The packages of another platform, by the lock. */
function fetchPackages(work: string, platform: string): string {
  const place = join(work, 'fetched');
  mkdirSync(place);
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, name), join(place, name));
  const [os, cpu] = platform.split('-');
  const chosen = [`--os=${os}`, `--cpu=${cpu}`, ...(os === 'linux' ? ['--libc=glibc'] : [])];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  execFileSync('npm', ['ci', '--omit=dev', ...chosen, ...quiet], {
    cwd: place,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return place;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      platform: { type: 'string', default: `${process.platform}-${process.arch}` },
      python: { type: 'string', default: 'python3' },
    },
  });
  if (!existsSync(join(root, 'dist', 'cli', 'main.js'))) throw new Error('expected dist/; type: npm run build');
  const out = resolve(positionals[0] ?? join(root, 'dist-wheels'));
  const wanted = values.platform === 'all' ? Object.keys(platforms) : [values.platform];
  for (const platform of wanted) {
    const extras = Object.keys(pythonExtras).filter((extra) => !lacking[platform]?.includes(extra));
    for (const wheel of buildWheels(platform, extras, out, values.python))
      console.log(`${(statSync(wheel).size / 1e6).toFixed(1).padStart(6)} MB  ${basename(wheel)}`);
  }
}
