import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { Voice } from '../contract.ts';
import { quoted } from './speakable-text.ts';

/**
 * The voice of this name.
 *
 * @throws EarwitnessError `bad-config` where there is none, with the nearest name
 */
export function findVoice<V extends Voice>(engine: string, voices: readonly V[], name: string): V {
  const voice = voices.find((candidate) => candidate.name === name);
  if (voice) return voice;
  const names = voices.map((candidate) => candidate.name);
  const nearest = nearestName(name, names);
  const shown = names.slice(0, 12).join(', ') + (names.length > 12 ? ', …' : '');
  const hint = nearest === null ? `it has ${shown}` : `did you mean "${nearest}"?`;
  throw new EarwitnessError(
    'bad-config',
    `expected a voice of ${engine}, but it has none named ${quoted(name)}; ${hint}`,
  );
}
