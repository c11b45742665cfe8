import { badConfig, badInput, type EarwitnessError } from '../../base/errors.ts';
import { guessLanguage, textsLookedAt } from '../../base/guess-language.ts';
import { sha256 } from '../../base/hash.ts';
import { isInLanguage, languageTag, longestTag, undeterminedLanguage } from '../../base/language-tag.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { someOf } from '../../base/printable.ts';
import { createRandom } from '../../base/random.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { CorpusKind, CorpusServices, SpeechSource } from '../contract.ts';
import { checkId, createIdRegister } from '../shared/utterance-id.ts';
import { isTooLong, longestText, readTexts, type SentencesOptions, sentencesOptions } from './options.ts';

/** Hexadecimal digits of the text's SHA-256 in an id: 64 bits, so that a million texts meet with a probability of 3e-8. */
const idDigits = 16;

/**
 * Texts spoken by a synthesizer: each text by each voice, or by one that a seed chooses. The text is the reference, the voice the speaker. Empty texts
 * and texts that came before are left out, and counted in a warning. The language is that of the texts, whatever the voices speak: a
 * synthesizer may read any text with any voice, and calls its voices as it likes (`cmn-latn-pinyin` reads Chinese characters).
 *
 * @example { type: 'sentences', texts: ['Turn left here.'], language: 'en', synthesizer: 'flite', voices: ['slt', 'rms'] }
 */
export const sentences: CorpusKind<SentencesOptions> = {
  name: 'sentences',
  about: 'Texts spoken by the voices of a synthesizer',
  options: sentencesOptions,
  async open(options, services) {
    const source = await services.speech(options.synthesizer);
    const voices = chooseVoices(source, options, services);
    const shownName = options.file ?? options.folder ?? options.grammar ?? 'texts';
    const spellOut = await normalizerOf(options, services);
    const usualLanguage = await languageOf(options, shownName, services);

    let warned = false;
    async function* utterances(): AsyncGenerator<Utterance> {
      const before = createIdRegister();
      let empty = 0;
      let doubled = 0;
      let tooLong = 0;
      let firstTooLong = '';
      for await (const { text: written, language, attributes, place } of readTexts(options, services.baseFolder)) {
        const spoken = language ?? usualLanguage;
        const whole = spellOut(written, spoken);
        if (whole === '') {
          empty++;
          continue;
        }
        if (isTooLong({ text: whole }) && options.maxCharacters === undefined) {
          if (tooLong++ === 0) firstTooLong = place;
          continue;
        }
        const text = options.maxCharacters === undefined ? whole : shortened(whole, options.maxCharacters);
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
            language: spoken,
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
        throw badInput(
          `${id}: expected an utterance with a text to be spoken, but it has none; check that it belongs to this corpus`,
        );
      },
      async close() {},
    };
  },
};

/** What the texts are in for which no row says it: as the config says, else as they tell by their script or their words. */
async function languageOf(
  options: SentencesOptions,
  shownName: string,
  { baseFolder, warn }: CorpusServices,
): Promise<string> {
  const stated = options.language === undefined ? null : languageTag(options.language, () => 'language');
  const texts: string[] = [];
  for await (const { text, language } of readTexts(options, baseFolder)) {
    if (text === '' || language !== undefined) continue;
    // Whether it can be read at all is seen at the first.
    if (stated !== null) return stated;
    if (texts.push(text) === textsLookedAt) break;
  }
  if (stated !== null || texts.length === 0) return stated ?? undeterminedLanguage;
  const { language } = guessLanguage(texts);
  if (language === null) {
    warn(
      `${shownName}: nothing says what language the texts are in, and they do not tell; set \`language\` (what the voices speak does not decide it)`,
    );
  }
  return language ?? undeterminedLanguage;
}

/** @throws EarwitnessError `bad-config` for a normalizer that there is not */
async function normalizerOf(
  { normalizer }: SentencesOptions,
  services: CorpusServices,
): Promise<(text: string, language: string) => string> {
  if (normalizer === undefined) return (text) => text;
  if (services.normalizer === undefined) {
    throw badConfig('normalizer: expected none, because nothing normalizes here; leave it out');
  }
  const found = await services.normalizer(normalizer);
  return (text, language) => found.words(text, language).join(' ');
}

function noTexts(shownName: string): EarwitnessError {
  return badInput(
    `${shownName}: expected at least one text to be spoken, but all are empty or left out; write one on each line`,
  );
}

/**
 * A text cut to at most so many characters (code points), at the last blank; a first word that is longer is cut itself.
 *
 * @example shortened('one two three', 8) // 'one two'
 */
function shortened(text: string, maxCharacters: number): string {
  // Every code point has at most two code units.
  const start = Array.from(text.slice(0, 2 * maxCharacters + 2));
  if (start.length <= maxCharacters) return text;
  const cut = start.slice(0, maxCharacters + 1).join('');
  const blank = cut.search(/\s\S*$/);
  return blank > 0 ? cut.slice(0, blank).trimEnd() : start.slice(0, maxCharacters).join('');
}

type VoiceOfSource = SpeechSource['voices'][number];

/**
 * The voices that speak: those named, else all of the language asked for, else all.
 *
 * @throws EarwitnessError `bad-config`: no such voice (with the nearest name), none of the language, or several
 * languages and nothing said
 */
function chooseVoices(
  source: SpeechSource,
  { synthesizer, voices, language }: SentencesOptions,
  { warn }: CorpusServices,
): readonly VoiceOfSource[] {
  const known = new Map(source.voices.map((voice) => [voice.name, voice]));
  const wanted = language === undefined ? null : languageTag(language, () => 'language');
  const speaks = (voice: VoiceOfSource) => wanted === null || isInLanguage(longestTag(voice.language), wanted);
  if (voices !== undefined) {
    const named = [...new Set(voices)].map((name) => {
      const voice = known.get(name);
      if (voice === undefined) throw unknownVoice(name, synthesizer, [...known.keys()]);
      return voice;
    });
    const primary = (tag: string) => tag.split('-', 1)[0];
    const others = named.filter(
      ({ language: spoken }) => wanted !== null && primary(longestTag(spoken)) !== primary(wanted),
    );
    if (others.length > 0) {
      const spoken = others.map((voice) => `"${voice.name}" speaks ${voice.language}`);
      warn(`voices: the texts are in ${wanted}, but ${someOf(spoken)}`);
    }
    return named;
  }
  const usable = source.voices.filter(speaks);
  const languages = [...new Set(source.voices.map((voice) => voice.language.split(/[-_]/)[0]!))].sort();
  if (usable.length === 0) {
    const hint = languages.length === 0 ? 'it has no voices at all' : `it speaks ${someOf(languages)}`;
    throw badConfig(
      `language: expected ${synthesizer} to have a voice of ${language ?? 'any language'}, but there is none; ${hint}`,
    );
  }
  if (wanted === null && languages.length > 1) {
    throw badConfig(
      `voices: expected voices or a language to be named, because ${synthesizer} speaks ${languages.length} languages (${languages.slice(0, 10).join(', ')}, …); set language: 'en' or so`,
    );
  }
  return usable;
}

/**
 * The voices that speak a text: all, or with a seed one that the seed and the text choose, whatever other texts there are.
 *
 * @param digest of the text
 */
function voicesFor<Voice>(digest: string, voices: readonly Voice[], seed: number | undefined): readonly Voice[] {
  if (seed === undefined) return voices;
  return [voices[createRandom(['voice', seed, digest]).integer(voices.length)]!];
}

function unknownVoice(name: string, synthesizer: string, names: readonly string[]): EarwitnessError {
  const nearest = nearestName(name, names);
  const hint = nearest === null ? `its voices are ${names.slice(0, 20).join(', ')}` : `did you mean "${nearest}"?`;
  return badConfig(`voices: ${synthesizer} has no voice "${name.slice(0, 100)}"; ${hint}`);
}
