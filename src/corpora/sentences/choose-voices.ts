import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { createRandom } from '../../base/random.ts';
import type { SpeechSource } from '../contract.ts';
import { languageTag } from '../shared/language-tag.ts';
import type { SentencesOptions } from './options.ts';

type VoiceOfSource = SpeechSource['voices'][number];

/**
 * The voices that speak: those named, else all of the language asked for, else all.
 *
 * @throws EarwitnessError `bad-config`: no such voice (with the nearest name), none of the language, or several
 * languages and nothing said
 */
export function chooseVoices(
  source: SpeechSource,
  { synthesizer, voices, language }: SentencesOptions,
): readonly VoiceOfSource[] {
  const known = new Map(source.voices.map((voice) => [voice.name, voice]));
  const wanted = language === undefined ? null : languageTag(language, () => 'language').toLowerCase();
  const speaks = (voice: VoiceOfSource) => {
    const spoken = voice.language.replaceAll('_', '-').toLowerCase();
    return wanted === null || spoken === wanted || spoken.startsWith(`${wanted}-`);
  };
  if (voices !== undefined) {
    return [...new Set(voices)].map((name) => {
      const voice = known.get(name);
      if (voice === undefined) throw unknownVoice(name, synthesizer, [...known.keys()]);
      if (!speaks(voice)) {
        throw new EarwitnessError(
          'bad-config',
          `voices: expected voices of ${language}, but "${name}" speaks ${voice.language}; leave one of the two out`,
        );
      }
      return voice;
    });
  }
  const usable = source.voices.filter(speaks);
  const languages = [...new Set(source.voices.map((voice) => voice.language.split(/[-_]/)[0]!))].sort();
  if (usable.length === 0) {
    const hint = languages.length === 0 ? 'it has no voices at all' : `it speaks ${languages.slice(0, 20).join(', ')}`;
    throw new EarwitnessError(
      'bad-config',
      `language: expected ${synthesizer} to have a voice of ${language ?? 'any language'}, but there is none; ${hint}`,
    );
  }
  if (wanted === null && languages.length > 1) {
    throw new EarwitnessError(
      'bad-config',
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
export function voicesFor<Voice>(digest: string, voices: readonly Voice[], seed: number | undefined): readonly Voice[] {
  if (seed === undefined) return voices;
  return [voices[createRandom(['voice', seed, digest]).integer(voices.length)]!];
}

function unknownVoice(name: string, synthesizer: string, names: readonly string[]): EarwitnessError {
  const nearest = nearestName(name, names);
  const hint = nearest === null ? `its voices are ${names.slice(0, 20).join(', ')}` : `did you mean "${nearest}"?`;
  return new EarwitnessError('bad-config', `voices: ${synthesizer} has no voice "${name.slice(0, 100)}"; ${hint}`);
}
