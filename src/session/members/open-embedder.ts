import { resolve } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import type { Embedder } from '../../embedders/contract.ts';
import type { EmbedderConfig } from '../config/written-config.ts';
import { createServices } from '../services.ts';
import { loadSpec } from './parse-spec.ts';

/** As the package's entry says, which loads this file when it is used. */
export async function openEmbedder(
  written: string | EmbedderConfig,
  baseFolder: string = process.cwd(),
): Promise<Embedder> {
  const base = resolve(baseFolder);
  const { member, moduleHash, options } = await loadSpec('embedders', specOf(written), base);
  const services = createServices({ baseFolder: base }).embedder;
  const readiness = await member.readiness?.(services);
  if (readiness && !readiness.ready) {
    const hint = readiness.install === undefined ? '' : `; install it with: ${readiness.install}`;
    throw new EarwitnessError(
      'missing-program',
      `${member.name} does not work on this machine: ${readiness.found}${hint}`,
    );
  }
  const embedder = await member.open(options, services);
  if (moduleHash === null) return embedder;
  return {
    ...embedder,
    identity: { ...embedder.identity, module: moduleHash },
    model: { ...embedder.model, module: moduleHash },
  };
}

function specOf(written: string | EmbedderConfig): string {
  if (typeof written === 'string') return written;
  const { type, ...options } = written;
  return `${type}:${JSON.stringify(options)}`;
}
