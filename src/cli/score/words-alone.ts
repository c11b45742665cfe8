import { limitText } from '../../base/printable.ts';
import { speakerNames } from '../../base/speaker-names.ts';
import { counted } from '../../base/wording.ts';

/** What of a text is words. */
interface Words {
  readonly text: string;
  /** Whose they are, where the text said it. */
  readonly speaker?: string;
}

/** What is no word in the texts of one file, as some of them tell. */
export interface WordsAlone {
  /** What is said of it; null: all is words. */
  readonly told: string | null;
  of(text: string): Words;
}

/** Letters with blanks between them and a bar behind each word, as fairseq writes them: `W E | K E E P |`. */
const letters = /^\s*(?:\S(?:\s+\S)*\s+\|\s*)+$/u;

/** @param texts the first of a file */
export function wordsAlone(texts: readonly string[]): WordsAlone {
  const written = texts.filter((text) => text.trim() !== '');
  if (written.length > 0 && written.every((text) => letters.test(text) && !/[^\s|]{2}/u.test(text))) {
    const word = (text: string) => text.replace(/\s+/g, '');
    const of = (text: string) => ({ text: text.split('|').map(word).join(' ').trim() });
    return { told: 'letters put together to words', of };
  }
  const speakers = speakerNames(texts);
  if (speakers === null) return { told: null, of: (text) => ({ text }) };
  const names = speakers.names.slice(0, 3).map((name) => limitText(name, 30));
  const more = speakers.names.length - names.length;
  const shown = `${names.join(', ')}${more > 0 ? ` and ${counted(more, 'other')}` : ''}`;
  return { told: `names of speakers left out: ${shown}`, of: (text) => speakers.of(text) ?? { text } };
}
