import type { JsonObject } from '../../base/json.ts';
import { ladders } from '../../catalog.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { normalizers } from '../../scoring/normalizers/normalizers.ts';
import { type Family, loadMember, memberNames } from './load-member.ts';
import { describeOptions, type OptionDescription } from './option-schema.ts';

/** One thing of a listing, made from what its member declares. */
export interface ListedMember {
  readonly name: string;
  readonly about: string;
  /** Short facts: version, isolation, … */
  readonly facts: JsonObject;
  readonly options: readonly OptionDescription[];
}

/** The members of a family with their options. */
export async function listMembers(family: Family): Promise<ListedMember[]> {
  return Promise.all(memberNames(family).map((name) => listMember(family, name)));
}

async function listMember(family: Family, name: string): Promise<ListedMember> {
  const load = async <F extends Family>(of: F) => (await loadMember(of, name, '.')).member;
  switch (family) {
    case 'recognizers': {
      const { about, options, isolation } = await load('recognizers');
      return { name, about, facts: { isolation }, options: describeOptions(options) };
    }
    case 'synthesizers': {
      const { about, options } = await load('synthesizers');
      return { name, about, facts: {}, options: describeOptions(options) };
    }
    case 'corpora': {
      const { about, options } = await load('corpora');
      return { name, about, facts: {}, options: describeOptions(options) };
    }
    case 'embedders': {
      const { about, options } = await load('embedders');
      return { name, about, facts: {}, options: describeOptions(options) };
    }
    case 'predictors': {
      const { about, options } = await load('predictors');
      return { name, about, facts: {}, options: describeOptions(options) };
    }
    case 'sound-collections': {
      const { about, options } = await load('sound-collections');
      return { name, about, facts: {}, options: describeOptions(options) };
    }
    case 'quality': {
      const { about, options, version, needsClean } = await load('quality');
      return { name, about, facts: { version, 'needs the clean clip': needsClean }, options: describeOptions(options) };
    }
    case 'studies': {
      const { about, options, version } = await load('studies');
      return { name, about, facts: { version }, options: describeOptions(options) };
    }
    case 'perturbations': {
      const { about, parameters, version, random } = await load('perturbations');
      return { name, about, facts: { version, random }, options: describeOptions(parameters) };
    }
    case 'decoders': {
      const decoder = await load('decoders');
      return { name, about: '', facts: { version: versionOf(decoder) }, options: [] };
    }
  }
}

/** The version of a decoder is its library's, and asking for it fails where the library is not installed. */
export function versionOf(decoder: { readonly version: string }): string | null {
  try {
    return decoder.version;
  } catch {
    return null;
  }
}

/** Every normalizer. */
export function listNormalizers(): ListedMember[] {
  return Object.values(normalizers).map(({ name, about, version }) => ({
    name,
    about,
    facts: { version },
    options: [],
  }));
}

/** A family of scenarios, as a listing shows it. */
export interface ListedScenarioFamily {
  readonly ladder: string;
  readonly family: string;
  readonly about: string;
  readonly axis: string;
  readonly source: string;
  readonly scenarios: readonly {
    readonly name: string;
    readonly label: string;
    readonly steps: readonly JsonObject[];
  }[];
}

/** Every scenario of every ladder. */
export async function listScenarios(): Promise<ListedScenarioFamily[]> {
  return (await loadLadders()).flatMap((ladder) =>
    ladder.families.map(({ name, about, axis, rungs }) => ({
      ladder: ladder.name,
      family: name,
      about,
      axis,
      source: ladder.source,
      scenarios: rungs.map(({ label, steps }, index) => ({
        name: `${ladder.name}/${name}:${index + 1}`,
        label,
        steps: steps as unknown as JsonObject[],
      })),
    })),
  );
}

/** Every ladder of the catalog. */
export async function loadLadders(): Promise<Ladder[]> {
  const entries: readonly { load(): Promise<Ladder> }[] = Object.values(ladders);
  return Promise.all(entries.map((entry) => entry.load()));
}
