import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { badConfig, fileProblem } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { type Problem, plainData } from '../members/explain-issue.ts';
import { importOwn, reasonOf, refuseUntrustedCode, trustedVariable } from '../members/own-module.ts';
import { type ConfigPart, checkConfig } from './check-config.ts';
import type { LoadedConfig } from './config.ts';
import { type ConfigSource, type Refuse, yamlSource } from './yaml-source.ts';

/** Names under which a config is found without being named, in the order in which they are listed. */
export const configNames = ['ts', 'mts', 'mjs', 'js', 'yaml', 'yml', 'json'].map((end) => `earwitness.config.${end}`);

/**
 * The one config of a folder.
 *
 * @throws EarwitnessError `bad-config`: there is none, or there are several
 */
export function findConfig(folder: string): string {
  const found = configNames.filter((name) => existsSync(join(folder, name)));
  if (found.length === 1) return join(folder, found[0]!);
  throw badConfig(
    found.length === 0
      ? `expected one of ${configNames.join(', ')} in ${folder}, but there is none; write one with \`earwitness init\` or name it with --config`
      : `expected one config in ${folder}, but found ${found.join(' and ')}; name the one you mean with --config`,
  );
}

/** A config is written by people; what is larger is another file given by mistake. */
const maxConfigBytes = 10 * 1024 * 1024;
const shownProblems = 20;

/**
 * Reads and checks a config: .ts, .mts, .js, .mjs (its default export), .yaml, .yml or .json.
 *
 * @param unread parts that the caller has no use for: they may be missing, wrong, or lack their keys in the environment
 * @param recognizers of whoever runs it, beside those of the config
 * @throws EarwitnessError `bad-config` with all that is wrong at once, each with line and column, or with the property
 * path where the config is a module
 * @example const { config, baseFolder } = await loadConfig('earwitness.config.yaml')
 */
export async function loadConfig(
  file: string,
  environment: (name: string) => string | undefined = trustedVariable,
  unread: readonly ConfigPart[] = [],
  recognizers: JsonObject = {},
): Promise<LoadedConfig> {
  const baseFolder = dirname(resolve(file));
  const source = withRecognizers(await readSource(file, environment), recognizers);
  return { ...(await accepted(source, printable(file), baseFolder, unread)), baseFolder, file };
}

/**
 * Checks a config that is already there as data, as a program or the embedded defaults have it.
 *
 * @param recognizers of whoever runs it, beside those of the config
 * @throws EarwitnessError `bad-config` with all that is wrong at once, each with its property path
 */
export async function checkedConfig(
  data: unknown,
  baseFolder: string,
  recognizers: JsonObject = {},
): Promise<LoadedConfig> {
  const source = withRecognizers({ ...plainData(data), position: () => null }, recognizers);
  return { ...(await accepted(source, 'config', resolve(baseFolder))), baseFolder: resolve(baseFolder), file: null };
}

function withRecognizers(source: ConfigSource, more: JsonObject): ConfigSource {
  if (Object.keys(more).length === 0 || typeof source.data !== 'object' || source.data === null) return source;
  const { recognizers, ...others } = source.data as { readonly recognizers?: JsonObject };
  const twice = Object.keys(more).find((name) => Object.hasOwn(Object(recognizers), name));
  if (twice !== undefined)
    throw badConfig(
      `expected different names, but ${printable(twice, 80)} is a recognizer of the config and one of yours; rename one`,
    );
  return { ...source, data: { ...(others as JsonObject), recognizers: { ...recognizers, ...more } } };
}

async function accepted(
  source: ConfigSource,
  shownFile: string,
  baseFolder: string,
  unread: readonly ConfigPart[] = [],
): Promise<Pick<LoadedConfig, 'config'>> {
  const { config, problems } = await checkConfig(source.data, baseFolder, unread);
  // What could not be filled in or is no data has been reported once: a complaint about its absence adds nothing.
  const before = source.problems.filter(({ path }) => !(unread as readonly unknown[]).includes(path[0]));
  const reported = new Set(before.map(({ path }) => path.join('\0')));
  const all = [...before, ...problems.filter(({ path }) => !reported.has(path.join('\0')))];
  if (config !== null && all.length === 0) return { config };
  throw badConfig(explain(all, source, shownFile));
}

async function readSource(file: string, environment: (name: string) => string | undefined): Promise<ConfigSource> {
  const shown = printable(file);
  const refuse: Refuse = (problem, position, cause) => {
    const where = position ? `:${position.line}:${position.column}` : '';
    throw badConfig(`${shown}${where}: ${problem}`, { cause });
  };
  const bytes = await stat(file).then(
    (found) => (found.isFile() ? found.size : refuse('expected a config file, but this is no file')),
    (error: unknown) =>
      refuse(`the config cannot be read (${fileProblem(error)}); write one with \`earwitness init\``, null, error),
  );
  if (bytes > maxConfigBytes) refuse(`expected a config of at most 10 MB, but this has ${Math.round(bytes / 1e6)} MB`);
  switch (extname(file).toLowerCase()) {
    case '.yaml':
    case '.yml':
    case '.json': {
      let text: string;
      try {
        text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
      } catch (error) {
        refuse('expected text in UTF-8, but it has other bytes; save it as UTF-8', null, error);
      }
      return yamlSource(text, extname(file).toLowerCase() === '.json' ? 'JSON' : 'YAML', environment, refuse);
    }
    case '.ts':
    case '.mts':
    case '.js':
    case '.mjs':
      refuseUntrustedCode(`${shown}, a config that is a program`);
      return moduleSource(resolve(file), refuse);
    default:
      return refuse('expected a config that ends in .ts, .mts, .js, .mjs, .yaml, .yml or .json; rename it');
  }
}

/**
 * Reads a config from the default export of a module (.ts, .mts, .js, .mjs). `import { defineConfig } from 'earwitness'`
 * works in it even where the package is not installed beside it, as after `npx earwitness`.
 */
async function moduleSource(file: string, refuse: Refuse): Promise<ConfigSource> {
  const module = await importOwn(file, 'session/config/define-config').catch((error: unknown) =>
    refuse(`loading it failed: ${reasonOf(error)}`, null, error),
  );
  if (module.default === undefined)
    refuse('expected `export default defineConfig({ … })`, but it has no default export');
  return { ...plainData(module.default), position: () => null };
}

function explain(problems: readonly Problem[], source: ConfigSource, shownFile: string): string {
  const placed = problems
    .map((problem) => ({ problem, position: source.position(problem.path, problem.at) }))
    .sort((a, b) => {
      if (a.position === null || b.position === null) return 0;
      return a.position.line - b.position.line || a.position.column - b.position.column;
    });
  const sentences = placed.map(({ problem, position }) => {
    const path = problem.at === 'key' ? problem.path.slice(0, -1) : problem.path;
    return sentence(problem, position, shownFile, path);
  });
  if (sentences.length === 1) return sentences[0]!;
  const shown = sentences.slice(0, shownProblems).map((sentence) => `  ${sentence}`);
  const rest = sentences.length - shown.length;
  return [
    `${shownFile} has ${sentences.length} mistakes:`,
    ...shown,
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ].join('\n');
}

/** A problem with its place in the file, and its property path where that is not empty. */
function sentence(
  { text }: Problem,
  position: { readonly line: number; readonly column: number } | null,
  shownFile: string,
  shownPath: readonly PropertyKey[],
): string {
  const where = position ? `${shownFile}:${position.line}:${position.column}` : shownFile;
  const path = propertyPath(shownPath);
  return `${where}: ${path === '' ? '' : `${path}: `}${text}`;
}

/** `recognizers.narrow.limits.attempts`, `studies[0].type`, `recognizers["my own"]`. */
function propertyPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, depth) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = printable(String(part), 80);
      if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `[${JSON.stringify(name)}]`;
      return depth === 0 ? name : `.${name}`;
    })
    .join('');
}
