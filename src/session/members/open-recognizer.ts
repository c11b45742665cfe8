import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Recognizer, RecognizerDescription, RecognizerServices } from '../../recognizers/contract.ts';
import type { Spec } from './parse-spec.ts';

/** A recognizer that is ready to be asked, with what it says of itself. */
export interface OpenedRecognizer {
  readonly description: RecognizerDescription;
  readonly recognizer: Recognizer;
}

/**
 * Opens the recognizer of a single step in this process, native engines too: a single step has no other trials that a
 * crash could cost. Runs give it a process of its own instead.
 *
 * @throws EarwitnessError `missing-program` where it is not installed, with the line that installs it
 */
export async function openRecognizer(
  spec: Spec<'recognizers'>,
  services: RecognizerServices,
): Promise<OpenedRecognizer> {
  const kind = spec.member;
  const readiness = await kind.readiness?.(services);
  if (readiness && !readiness.ready) {
    const hint = readiness.install === undefined ? '' : `; install it with: ${readiness.install}`;
    throw new EarwitnessError(
      'missing-program',
      `${kind.name} does not work on this machine: ${readiness.found}${hint}`,
    );
  }
  const described = await kind.describe(spec.options, services);
  const identity: JsonObject = spec.moduleHash
    ? { ...described.identity, module: spec.moduleHash }
    : described.identity;
  return { description: { ...described, identity }, recognizer: await kind.open(spec.options, services) };
}
