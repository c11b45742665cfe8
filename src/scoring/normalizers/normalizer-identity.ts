import type { Normalizer } from './normalizer.ts';

/**
 * What a finding says of its normalizer: name and version, and of one of the user's own also what its file holds.
 *
 * @example normalizerIdentity(normalizerNamed('basic')) // { name: 'basic', version: 1 }
 */
export function normalizerIdentity({ name, version, module }: Normalizer): {
  readonly name: string;
  readonly version: number;
  readonly module?: string;
} {
  return { name, version, ...(module === undefined ? {} : { module }) };
}
