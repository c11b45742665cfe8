import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { type OnnxGraph, readOnnxGraph } from '../../packages/onnx-graph.ts';
import type { RecognizerServices } from '../contract.ts';
import { unusable } from './model-options.ts';

/** A graph with everything that decides what it computes. */
export interface OnnxFile {
  readonly path: string;
  readonly graph: OnnxGraph;
  /** SHA-256 of the graph, and of the files in which it keeps weights, in their order. */
  readonly hashes: readonly string[];
  /** Of all of them together. */
  readonly bytes: number;
}

/**
 * Reads and hashes a graph and the files beside it in which it keeps weights.
 *
 * @throws EarwitnessError `bad-config`: it is no ONNX file, or its weights are missing or lie elsewhere
 */
export async function openOnnxFile(path: string, services: Pick<RecognizerServices, 'fileHash'>): Promise<OnnxFile> {
  const shown = printable(basename(path), 80);
  const graph = await readOnnxGraph(path);
  if (graph === null) {
    throw unusable(`expected an ONNX file, but ${shown} is none or is cut off; copy or download it again`);
  }
  const folder = dirname(path);
  const paths = [path];
  for (const name of graph.externalFiles) {
    const beside = resolve(folder, name);
    const inside = relative(folder, beside);
    // onnxruntime refuses these too; said here so that nothing outside of the model is read for a hash.
    if (isAbsolute(inside) || inside.split(sep)[0] === '..') {
      throw unusable(
        `expected weights beside ${shown}, but it keeps some in ${printable(name, 80)}; take another model`,
      );
    }
    paths.push(beside);
  }
  const hashes: string[] = [];
  let bytes = 0;
  for (const file of paths) {
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) {
      throw unusable(
        `expected the weights of ${shown} in ${printable(basename(file), 80)}, but it is missing; copy it too`,
      );
    }
    bytes += found.size;
    hashes.push(await services.fileHash(file));
  }
  return { path, graph, hashes, bytes };
}

/**
 * The absolute path of a file that an option names.
 *
 * @param option name of the option, for the error
 * @throws EarwitnessError `bad-config` where there is no such file
 */
export function existingFile(
  services: Pick<RecognizerServices, 'baseFolder'>,
  option: string,
  path: string,
): Promise<string> {
  return existing(services.baseFolder, option, path, 'file');
}

/**
 * The absolute path of a folder that an option names.
 *
 * @throws EarwitnessError `bad-config` where there is no such folder
 */
export function existingFolder(
  services: Pick<RecognizerServices, 'baseFolder'>,
  option: string,
  path: string,
): Promise<string> {
  return existing(services.baseFolder, option, path, 'folder');
}

async function existing(base: string, option: string, path: string, kind: 'file' | 'folder'): Promise<string> {
  const absolute = resolve(base, path);
  const found = await stat(absolute).catch(() => null);
  if (kind === 'file' ? found?.isFile() : found?.isDirectory()) return absolute;
  const problem = found === null ? 'there is none' : `it is ${found.isDirectory() ? 'a folder' : 'not one'}`;
  throw new EarwitnessError('bad-config', `${option}: expected a ${kind} at ${path}, but ${problem}; correct the path`);
}

/**
 * Where downloaded models are kept: the folder that is named, else EARWITNESS_CACHE, else the system's folder for caches (XDG
 * Base Directory Specification; on macOS ~/Library/Caches, on Windows %LOCALAPPDATA%).
 *
 * @param named as an option names it
 */
export function modelCacheFolder(
  named: string | undefined,
  { baseFolder, environment }: Pick<RecognizerServices, 'baseFolder' | 'environment'>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (named !== undefined) return resolve(baseFolder, named);
  const own = environment('EARWITNESS_CACHE');
  if (own) return resolve(baseFolder, own, 'models');
  return join(systemCache(environment, platform), 'earwitness', 'models');
}

function systemCache(environment: RecognizerServices['environment'], platform: NodeJS.Platform): string {
  if (platform === 'win32') return environment('LOCALAPPDATA') || join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return environment('XDG_CACHE_HOME') || join(homedir(), '.cache');
}
