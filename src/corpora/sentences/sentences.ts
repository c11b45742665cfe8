import { EarwitnessError } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { CorpusKind, CorpusServices } from '../contract.ts';
import { createIdRegister } from '../shared/id-register.ts';
import { languageTag } from '../shared/language-tag.ts';
import { checkId } from '../shared/utterance-id.ts';
import { chooseVoices, voicesFor } from './choose-voices.ts';
import { type SentencesOptions, sentencesOptions } from './options.ts';
import { isTooLong, longestText, readTexts } from './read-texts.ts';
import { shortened } from './shortened.ts';

/** Hexadecimal digits of the text's SHA-256 in an id: 64 bits, so that a million texts meet with a probability of 3e-8. */
const idDigits = 16;

/**
 * Texts spoken by a synthesizer: each text by each voice, or by one that a seed chooses. The text is the reference, the voice the speaker. Empty texts
 * and texts that came before are left out, and counted in a warning.
 *
 * @example { type: 'sentences', texts: ['Turn left here.'], synthesizer: 'flite', voices: ['slt', 'rms'] }
 */
export const sentences: CorpusKind<SentencesOptions> = {
  name: 'sentences',
  about: 'Texts spoken by the voices of a synthesizer',
  options: sentencesOptions,
  async open(options, services) {
    const source = await services.speech(options.synthesizer);
    const voices = chooseVoices(source, options);
    const shownName = options.file ?? options.folder ?? options.grammar ?? 'texts';
    const spellOut = await normalizerOf(options, services);
    for await (const first of readTexts(options, services.baseFolder)) if (first.text !== '') break;

    let warned = false;
    async function* utterances(): AsyncGenerator<Utterance> {
      const before = createIdRegister();
      let empty = 0;
      let doubled = 0;
      let tooLong = 0;
      let firstTooLong = '';
      for await (const { text: written, attributes, place } of readTexts(options, services.baseFolder)) {
        const whole = spellOut(written);
        if (whole === '') {
          empty++;
          continue;
        }
        if (isTooLong({ text: whole }) && options.mostCharacters === undefined) {
          if (tooLong++ === 0) firstTooLong = place;
          continue;
        }
        const text = options.mostCharacters === undefined ? whole : shortened(whole, options.mostCharacters);
        if (before.add(text, 0) !== null) {
          doubled++;
          continue;
        }
        const digest = sha256(text).slice(0, idDigits);
        for (const voice of voicesFor(digest, voices, options.oneVoice)) {
          yield {
            id: checkId(`${digest}-${voice.name}`, 'id', () => place),
            sound: { text, synthesizer: options.synthesizer, voice: voice.name },
            reference: text,
            language: languageTag(voice.language, () => `voice ${voice.name}`),
            speaker: checkId(`${options.synthesizer}:${voice.name}`, 'speaker', () => place),
            attributes: { ...attributes, ...voice.attributes },
            tags: [],
          };
        }
      }
      if (before.size === 0) throw noTexts(shownName);
      if (!warned && empty > 0)
        services.warn(`${shownName}: left out ${empty} empty ${empty === 1 ? 'text' : 'texts'}`);
      if (!warned && doubled > 0) {
        services.warn(`${shownName}: left out ${doubled} ${doubled === 1 ? 'text' : 'texts'} that came before`);
      }
      if (!warned && tooLong > 0) {
        services.warn(
          `${shownName}: left out ${tooLong} ${tooLong === 1 ? 'text' : 'texts'} of more than ${longestText} characters, the first at ${firstTooLong}; split such into sentences`,
        );
      }
      warned = true;
    }

    return {
      utterances,
      async soundIdentity({ sound }) {
        if (sound === undefined || !('text' in sound)) return null;
        return { text: sound.text, synthesizer: source.identity(), voice: sound.voice };
      },
      async clip({ id, sound }) {
        if (sound !== undefined && 'text' in sound) return source.speak(sound.text, sound.voice);
        throw new EarwitnessError(
          'bad-input',
          `${id}: expected an utterance with a text to be spoken, but it has none; check that it belongs to this corpus`,
        );
      },
      async close() {},
    };
  },
};

/** @throws EarwitnessError `bad-config` for a normalizer that there is not */
async function normalizerOf(
  { normalizer }: SentencesOptions,
  services: CorpusServices,
): Promise<(text: string) => string> {
  if (normalizer === undefined) return (text) => text;
  if (services.normalizer === undefined) {
    throw new EarwitnessError('bad-config', 'normalizer: expected none, because nothing normalizes here; leave it out');
  }
  const found = await services.normalizer(normalizer);
  return (text) => found.words(text).join(' ');
}

function noTexts(shownName: string): EarwitnessError {
  return new EarwitnessError(
    'bad-input',
    `${shownName}: expected at least one text to be spoken, but all are empty or left out; write one on each line`,
  );
}
