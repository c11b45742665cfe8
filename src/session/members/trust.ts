import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';

// Kept in environment variables because these reach every thread and process of a run. They only ever take away.
const [trustVariable, hostsVariable, namesVariable] = [
  'EARWITNESS_TRUST',
  'EARWITNESS_ALLOWED_HOSTS',
  'EARWITNESS_ALLOWED_VARIABLES',
] as const;

/** What the user allows a config of somebody else. */
export interface Allowed {
  /** Hosts that may be asked, as they stand in addresses: `api.example.org`, `localhost:8000`. */
  readonly hosts: readonly string[];
  /** Environment variables that may be read. */
  readonly variables: readonly string[];
}

/** From here on this process and its children run no modules and no programs of a config, and ask and read only what is allowed. */
export function trustNone({ hosts, variables }: Allowed): void {
  process.env[trustVariable] = 'none';
  process.env[hostsVariable] = hosts.join(' ');
  process.env[namesVariable] = variables.join(' ');
}

function distrusting(): boolean {
  return process.env[trustVariable] === 'none';
}

/** Members that start a program which their options name. */
const startsPrograms: readonly string[] = ['command', 'program', 'python', 'pesq'];

/** @throws EarwitnessError `bad-config` where code that a config names is not to be run */
export function refuseUntrustedCode(what: string): void {
  if (!distrusting()) return;
  throw new EarwitnessError(
    'bad-config',
    `expected nothing but earwitness' own members (--trust none), but got ${what}; inspect it, and run without --trust none if you trust it`,
  );
}

/** @throws EarwitnessError `bad-config` where a member starts programs and none is to be started */
export function refuseUntrustedMember(type: string): void {
  if (startsPrograms.includes(type)) refuseUntrustedCode(`"${type}", which starts a program that the config names`);
}

/** @throws EarwitnessError `bad-config` where options name libraries that a member would load, and none is to be */
export function refuseUntrustedLibraries(options: unknown): void {
  const { libraryFolder } = options as { readonly libraryFolder?: unknown };
  if (libraryFolder !== undefined) refuseUntrustedCode(`libraryFolder, whose libraries would be loaded`);
}

/**
 * Addresses in options whose hosts were not allowed; hosted services without an address, and buckets, by their names.
 *
 * @param baseFolder relative paths of folders are meant from here
 * @example untrustedHosts('openai-compatible', { baseUrl: 'https://api.example.org/v1' }, '.') // ['api.example.org'] with --trust none
 */
export function untrustedHosts(type: string, options: unknown, baseFolder: string): string[] {
  if (!distrusting()) return [];
  const allowed = (process.env[hostsVariable] ?? '').split(' ');
  const found = new Set<string>();
  let sawAddress = false;
  const walk = (value: unknown): void => {
    // Parsed as whoever asks parses it, which passes over blanks, tabs and line ends even in the middle of "http".
    const url = typeof value === 'string' ? URL.parse(value) : null;
    if (url !== null) {
      sawAddress = true;
      if (/^(https?|wss?):$/.test(url.protocol) && !allowed.includes(url.host)) found.add(url.host);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
  };
  walk(options);
  const { hub, model, service, bucket } = options as Readonly<Record<'hub' | 'model' | 'service' | 'bucket', unknown>>;
  // Without an address in its options a service is asked where its vendor has it.
  const isNamed = type === 'hosted' && typeof service === 'string' && !sawAddress && !allowed.includes(service);
  if (isNamed) found.add(service);
  // Clips are put into it, whoever's it is.
  if (type === 'hosted' && typeof bucket === 'string' && !allowed.includes(bucket)) found.add(bucket);
  // A model that is no folder here is looked for on the hub.
  const mayBeId = typeof model === 'string' && /^[\w.-]+\/[\w.-]+$/.test(model) && !model.startsWith('.');
  const fromHub =
    type === 'transformers' && (hub !== undefined || (mayBeId && !existsSync(resolve(baseFolder, model))));
  if (fromHub && !allowed.includes('huggingface.co')) found.add('huggingface.co');
  return [...found];
}

/** An environment variable, as far as configs may read it. */
export function trustedVariable(name: string): string | undefined {
  const allowed = (process.env[namesVariable] ?? '').split(' ');
  return distrusting() && !allowed.includes(name) ? undefined : process.env[name];
}
