import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { messageOf } from '../base/errors.ts';
import { harper } from '../grammar-checkers/harper/harper.ts';
import type { Readiness } from '../recognizers/contract.ts';
import { versionOf } from '../session/members/listings.ts';
import { loadMember, memberNames } from '../session/members/load-member.ts';
import { describeOptions } from '../session/members/option-schema.ts';
import { createServices } from '../session/open/services.ts';

/** A member and whether it would work on this machine. */
export interface ExaminedMember extends Readiness {
  readonly name: string;
}

/** What a run would find on this machine. */
export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  /** In the current folder; null where the system does not say. */
  readonly freeDiskBytes: number | null;
  readonly recognizers: readonly ExaminedMember[];
  readonly synthesizers: readonly ExaminedMember[];
  readonly decoders: readonly ExaminedMember[];
  readonly embedders: readonly ExaminedMember[];
  readonly predictors: readonly ExaminedMember[];
  readonly quality: readonly ExaminedMember[];
  readonly grammarCheckers: readonly ExaminedMember[];
}

/** Looks at this machine: show what is installed, what is missing and how to install it. */
export async function examineMachine(folder: string): Promise<Machine> {
  const services = createServices({ baseFolder: folder });
  const disk = await statfs(folder).catch(() => null);
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    freeDiskBytes: disk === null ? null : disk.bavail * disk.bsize,
    recognizers: await examineRecognizers(folder),
    synthesizers: await examine('synthesizers', async (name) =>
      (await loadMember('synthesizers', name, folder)).member.readiness(services.synthesizer),
    ),
    embedders: await examine('embedders', async (name) =>
      (await loadMember('embedders', name, folder)).member.readiness(services.embedder),
    ),
    predictors: await examine('predictors', async (name) =>
      (await loadMember('predictors', name, folder)).member.readiness(services.predictor),
    ),
    quality: await examine('quality', async (name) => {
      const { member } = await loadMember('quality', name, folder);
      const { found, ...state } = (await member.readiness?.()) ?? { ready: true, found: 'part of earwitness' };
      const needed = describeOptions(member.options).filter(({ required }) => required);
      const needs = needed.map((option) => `${option.name} (${option.about})`).join(', ');
      return { ...state, found: needs === '' ? found : `${found}; where it is used it needs ${needs}` };
    }),
    grammarCheckers: [{ name: harper.name, ...(await harper.readiness()) }],
    decoders: await examine('decoders', async (name) => {
      const { member } = await loadMember('decoders', name, folder);
      const version = versionOf(member);
      if (version !== null) return { ready: true, found: `version ${version}` };
      return { ready: false, found: reasonOf(() => member.version) };
    }),
  };
}

/** Looks which recognizers would work on this machine. */
export function examineRecognizers(folder: string): Promise<ExaminedMember[]> {
  const services = createServices({ baseFolder: folder });
  return examine('recognizers', async (name) =>
    (await loadMember('recognizers', name, folder)).member.readiness(services.recognizer),
  );
}

async function examine(
  family: 'recognizers' | 'synthesizers' | 'decoders' | 'embedders' | 'predictors' | 'quality',
  readiness: (name: string) => Promise<Readiness>,
): Promise<ExaminedMember[]> {
  return Promise.all(
    memberNames(family).map(async (name) => {
      try {
        return { name, ...(await readiness(name)) };
      } catch (error) {
        return { name, ready: false, found: messageOf(error) };
      }
    }),
  );
}

function reasonOf(ask: () => unknown): string {
  try {
    return String(ask());
  } catch (error) {
    return messageOf(error);
  }
}
