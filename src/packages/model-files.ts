import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { badConfig, type EarwitnessError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { type OnnxGraph, readOnnxGraph } from './onnx-graph.ts';

/** What files of members are read with. */
export interface ModelFileServices {
  /** Relative paths in options are meant from here. */
  readonly baseFolder: string;
  /** SHA-256 of a file's content, remembered. */
  fileHash(path: string): Promise<string>;
}

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
export async function openOnnxFile(path: string, services: Pick<ModelFileServices, 'fileHash'>): Promise<OnnxFile> {
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
  services: Pick<ModelFileServices, 'baseFolder'>,
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
  services: Pick<ModelFileServices, 'baseFolder'>,
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
  throw badConfig(`${option}: expected a ${kind} at ${path}, but ${problem}; correct the path`);
}

/** Whether there is a file, not a folder or anything else. */
export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}

/** The sentence for a model that cannot be used; begins with the option that names it. */
export function unusable(problem: string, cause?: unknown, option = 'model'): EarwitnessError {
  return badConfig(`${option}: ${problem}`, { cause });
}
