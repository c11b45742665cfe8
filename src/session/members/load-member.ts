import { badConfig } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import {
  corpora,
  decoders,
  embedders,
  perturbations,
  predictors,
  quality,
  recognizers,
  soundCollections,
  studies,
  synthesizers,
} from '../../catalog.ts';
import type { CorpusKind } from '../../corpora/contract.ts';
import type { Decoder } from '../../decoders/contract.ts';
import type { EmbedderKind } from '../../embedders/contract.ts';
import type { Perturbation } from '../../perturbations/contract.ts';
import type { PredictorKind } from '../../predictors/contract.ts';
import type { QualityMeasure } from '../../quality/contract.ts';
import type { RecognizerKind } from '../../recognizers/contract.ts';
import type { SoundCollectionKind } from '../../sound-collections/contract.ts';
import type { Study } from '../../studies/contract.ts';
import type { SynthesizerKind } from '../../synthesizers/contract.ts';
import { guardMember } from './guard-member.ts';
import { isModulePath, loadOwnModule, refuseUntrustedMember } from './own-module.ts';

/** What the members of each family are. */
export interface FamilyMembers {
  recognizers: RecognizerKind;
  synthesizers: SynthesizerKind;
  corpora: CorpusKind;
  perturbations: Perturbation;
  studies: Study;
  decoders: Decoder;
  embedders: EmbedderKind;
  predictors: PredictorKind;
  'sound-collections': SoundCollectionKind;
  quality: QualityMeasure;
}

/** A family of members, named like its folder. */
export type Family = keyof FamilyMembers;

/** A member that was loaded by its name or path. */
export interface LoadedMember<F extends Family> {
  readonly member: FamilyMembers[F];
  /** For a member of the user's own: SHA-256 of its file, which belongs into its identity. Null for ours. */
  readonly moduleHash: string | null;
}

const catalog: Record<Family, Readonly<Record<string, { load(): Promise<unknown> }>>> = {
  recognizers,
  synthesizers,
  corpora,
  perturbations,
  studies,
  decoders,
  embedders,
  predictors,
  'sound-collections': soundCollections,
  quality,
};

const singular: Record<Family, string> = {
  recognizers: 'recognizer',
  synthesizers: 'synthesizer',
  corpora: 'corpus',
  perturbations: 'perturbation',
  studies: 'study',
  decoders: 'decoder',
  embedders: 'embedder',
  predictors: 'predictor',
  'sound-collections': 'sound collection',
  quality: 'quality measure',
};

/** What an object must have to be a member; enough to catch a wrong file, the contracts say the rest. */
const required: Record<Family, readonly string[]> = {
  recognizers: ['name', 'about', 'options', 'describe', 'open'],
  synthesizers: ['name', 'about', 'options', 'open'],
  corpora: ['name', 'about', 'options', 'open'],
  perturbations: ['name', 'version', 'about', 'parameters', 'apply'],
  studies: ['name', 'version', 'about', 'options', 'run'],
  decoders: ['name', 'version', 'recognizes', 'decode'],
  embedders: ['name', 'about', 'options', 'open'],
  predictors: ['name', 'about', 'options', 'open'],
  'sound-collections': ['name', 'about', 'options', 'list'],
  quality: ['name', 'version', 'about', 'values', 'options', 'open'],
};

/** Every family, in the order in which people meet them. */
export const families = [
  'recognizers',
  'synthesizers',
  'perturbations',
  'corpora',
  'studies',
  'decoders',
  'embedders',
  'predictors',
  'sound-collections',
  'quality',
] as const satisfies readonly Family[];

/** Names of the members of a family, in alphabetical order. */
export function memberNames(family: Family): string[] {
  return Object.keys(catalog[family]);
}

/**
 * Loads a member by its name in the catalog, or a user's own by the path of its module, meant from `baseFolder`. The
 * module exports the member as its default or as its only export.
 *
 * @throws EarwitnessError `bad-config`: no member has this name (the nearest one is suggested), or the module is
 * missing, fails, or exports no member of this family
 * @example const { member } = await loadMember('recognizers', 'pocketsphinx', process.cwd())
 */
export async function loadMember<F extends Family>(
  family: F,
  type: string,
  baseFolder: string,
): Promise<LoadedMember<F>> {
  if (isModulePath(type)) return loadOwnMember(family, type, baseFolder);
  return { member: await loadNamedMember(family, type), moduleHash: null };
}

/**
 * Loads a member of the catalog, and nothing else: for names that stand in files of others, which are never paths.
 *
 * @throws EarwitnessError `bad-config`: no member has this name
 * @example const study = await loadNamedMember('studies', 'robustness')
 */
export async function loadNamedMember<F extends Family>(family: F, name: string): Promise<FamilyMembers[F]> {
  refuseUntrustedMember(name);
  const known = catalog[family];
  const entry = Object.hasOwn(known, name) ? known[name] : undefined;
  if (entry === undefined) throw badConfig(unknownMember(family, name));
  // The catalog is generated from what satisfies the contract: members differ only in their options' type.
  return (await entry.load()) as FamilyMembers[F];
}

/** One sentence for a name that no member has, with the nearest one that exists. */
function unknownMember(family: Family, type: string): string {
  const names = memberNames(family);
  const nearest = nearestName(type, names);
  const hint =
    nearest === null
      ? `expected ${names.join(', ')}, or the path of a module (./mine.ts)`
      : `did you mean "${nearest}"?`;
  return `unknown ${singular[family]} ${JSON.stringify(type.slice(0, 100))}; ${hint}`;
}

async function loadOwnMember<F extends Family>(family: F, type: string, baseFolder: string): Promise<LoadedMember<F>> {
  const { exported, hash } = await loadOwnModule(type, baseFolder, singular[family], required[family]);
  // Decoders are told by the first bytes of a file: a config cannot name one.
  if (family === 'decoders') return { member: exported as FamilyMembers[F], moduleHash: hash };
  const guard = guardMember[family as keyof typeof guardMember] as (own: object, path: string) => FamilyMembers[F];
  return { member: guard(exported, type), moduleHash: hash };
}
