import { printable } from '../../base/printable.ts';
import { RecognitionError } from '../contract.ts';

/** Tags that say that the language is not known: undetermined, several, none, not coded (ISO 639-2). */
const unknownLanguages: readonly string[] = ['und', 'mul', 'zxx', 'mis'];

/**
 * A BCP 47 tag as a service writes it. A bare language is the first of its regions that the service has; a region that it has not is
 * never exchanged for another, because that would test the wrong one (parts are left out from behind, as RFC 4647 section 3.4 says).
 *
 * @param supported as the service writes them
 * @param takesOtherRegions whether a tag with a region is sent although it is not listed
 * @throws RecognitionError `refused` for a language that the service is not known to have
 * @example serviceLanguage('de', 'Azure', ['de-DE', 'de-AT'], false) // 'de-DE'
 */
export function serviceLanguage(
  tag: string,
  title: string,
  supported: readonly string[],
  takesOtherRegions: boolean,
): string {
  const wanted = tag.toLowerCase();
  const primary = wanted.split('-', 1)[0]!;
  for (let part = wanted; part !== ''; part = part.includes('-') ? part.slice(0, part.lastIndexOf('-')) : '') {
    const found = supported.find((code) => code.toLowerCase() === part);
    if (found !== undefined) return found;
  }
  const ofLanguage = supported.filter((code) => code.toLowerCase().split('-', 1)[0] === primary);
  if (wanted === primary && ofLanguage.length > 0) return ofLanguage[0]!;
  if (takesOtherRegions && wanted !== primary && !unknownLanguages.includes(primary)) return tag;
  const choice = ofLanguage.length > 0 ? ofLanguage : supported;
  const shown = choice.length > 12 ? `${choice.slice(0, 12).join(', ')}, …` : choice.join(', ');
  throw new RecognitionError(
    'refused',
    `expected a language that ${title} is known to have (${shown}), but the utterance is in ${printable(tag, 40)}; name one with \`language\`, or leave such utterances out`,
  );
}
