import { plainWords } from '../../base/columns/texts.ts';
import { badInput } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { type SpeakerNames, speakerNames } from '../../base/speaker-names.ts';
import { timeIn } from '../../base/time-text.ts';
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

/** Words in pieces, and how they are put together: fairseq's letters (`W E | K E E P |`), SentencePiece (`▁ke ep`), BPE (`ke@@ ep`), WordPiece (`ke ##ep`). */
const pieces: readonly { readonly told: string; is(text: string): boolean; word(text: string): string }[] = [
  {
    told: 'letters put together to words',
    is: (text) => /^\s*(?:\S(?:\s+\S)*\s+\|\s*)+$/u.test(text) && !/[^\s|]{2}/u.test(text),
    word: (text) => text.replace(/\s+/g, '').replaceAll('|', ' '),
  },
  {
    told: 'pieces (▁) put together to words',
    is: (text) => /^\s*▁/.test(text),
    word: (text) => text.replace(/\s+/g, '').replaceAll('▁', ' '),
  },
  {
    told: 'pieces (@@) put together to words',
    is: (text) => /\S@@ /.test(text),
    word: (text) => text.replace(/@@(?: |$)/g, ''),
  },
  {
    told: 'pieces (##) put together to words',
    is: (text) => / ##\S/.test(text),
    word: (text) => text.replaceAll(' ##', ''),
  },
];
/** Of short texts some have no word in pieces. */
const minInPieces = 0.5;

/**
 * @param texts the first of a file
 * @param others the first of the file that these are compared with: what stands there too is no mere name
 * @param file as errors call it, where each text is an utterance; null: all are of one, whose lines go on
 * @throws EarwitnessError `bad-input`: times stand before some texts and not before the others
 */
export function wordsAlone(texts: readonly string[], others: readonly string[], file: string | null): WordsAlone {
  const written = texts.filter((text) => text.trim() !== '');
  const inPieces = pieces.find(({ is }, place) => {
    const share = written.filter(is).length / Math.max(written.length, 1);
    return place < 2 ? share === 1 : share > minInPieces;
  });
  if (inPieces !== undefined) return { told: inPieces.told, of: (text) => ({ text: inPieces.word(text).trim() }) };
  const times = timesBefore(written, file);
  const rest = times === null ? written : written.map((text) => times(text).text);
  const speakers = speakerNames(rest);
  const names = speakers === null || areSaid(speakers, rest, others) ? null : speakers;
  const told = [times === null ? null : 'times before texts left out', names === null ? null : leftOut(names)];
  const of = (text: string): Words => {
    const timed = times?.(text) ?? { text };
    return names?.of(timed.text) ?? timed;
  };
  return { told: told.filter((one) => one !== null).join(', ') || null, of };
}

function leftOut({ names }: SpeakerNames): string {
  const shown = names.slice(0, 3).map((name) => limitText(name, 30));
  const more = names.length - shown.length;
  return `names of speakers left out: ${shown.join(', ')}${more > 0 ? ` and ${counted(more, 'other')}` : ''}`;
}

/** Whether the texts on the other side have most of the names too, but for what stands before a colon there: then these were said. */
function areSaid(speakers: SpeakerNames, texts: readonly string[], others: readonly string[]): boolean {
  const own = speakerNames(others);
  const words = ` ${others.map((text) => plainWords(own?.of(text)?.text ?? text)).join(' ')} `;
  const found = Map.groupBy(
    texts.flatMap((text) => speakers.of(text)?.speaker ?? []),
    plainWords,
  );
  const counts = [...found].map(([name, all]) => ({
    before: all.length,
    said: Math.min(all.length, words.split(` ${name} `).length - 1),
  }));
  const sum = (side: 'before' | 'said') => counts.reduce((total, one) => total + one[side], 0);
  return sum('said') * 2 >= sum('before');
}

const time = String.raw`(?:\d{1,3}:\d\d(?::\d\d)?(?:[.,:]\d{1,3})?|\d+(?:\.\d+)?\s?s)`;
const span = String.raw`(${time})(?:\s*(?:-+>|[-–—]|to)\s*${time})?`;
/** When a text begins, also behind who speaks: `[00:05] …`, `(0:05) …`, `00:00:05 - …`, `[SPEAKER_00] 0.0s - 4.0s: …`. */
const timed = new RegExp(
  String.raw`^\s*(?:\[([^\]\d:][^\]]{0,39})\]\s*)?(?:[[(<]\s*${span}\s*[\])>]\s*(?:[-–:]\s+)?|${span}\s*(?:[-–—:|]\s+|\t))`,
  'u',
);
/** Nearly all texts begin with a time, or some do by chance. */
const shares = { nearlyAll: 0.9, some: 0.1 };
const minTimed = 3;

/** Takes the times off that texts begin with; null where they do not. */
function timesBefore(written: readonly string[], file: string | null): ((text: string) => Words) | null {
  const found = written.flatMap((text) => {
    const [, , bracketed, bare] = timed.exec(text) ?? [];
    const seconds = timeIn((bracketed ?? bare ?? '').replace(/\s?s$/, ''), 'seconds')?.value;
    return seconds === undefined ? [] : [{ text, seconds, isBare: bracketed === undefined }];
  });
  // A number of a sentence may look like a time; those of one recording come in their order.
  const isInOrder = found.every(({ isBare, seconds }, at) => !isBare || at === 0 || seconds >= found[at - 1]!.seconds);
  if (found.length < minTimed || found.length < shares.some * written.length || !isInOrder) return null;
  if (file !== null && found.length < shares.nearlyAll * written.length) {
    throw badInput(
      `${file}: expected times before all texts or before none, but ${found.length} of ${written.length} begin with one (${JSON.stringify(limitText(found[0]!.text, 40))}); take the times out, or write each text with its time on one line`,
    );
  }
  return (text) => {
    const match = timed.exec(text);
    if (match === null) return { text };
    const said = text.slice(match[0].length).trim();
    return match[1] === undefined ? { text: said } : { text: said, speaker: match[1].trim() };
  };
}
