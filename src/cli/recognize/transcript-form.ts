import { basename, extname } from 'node:path';
import { badInput } from '../../base/errors.ts';
import { printable, visibleText } from '../../base/printable.ts';
import type { Transcript, Word } from '../../model/observation.ts';

/** What transcripts can be written as. */
export type TranscriptForm = 'txt' | 'ctm';

const longestText = 1_000_000;

/**
 * A transcript as a file of its own, ending with a line end; empty where nothing was said.
 *
 * @throws EarwitnessError `bad-input` where the form needs times of words and there are none
 */
export function transcriptText(path: string, transcript: Transcript, form: TranscriptForm): string {
  if (form === 'txt') return `${printable(transcript.text, longestText)}\n`;
  const { text, words = [] } = transcript;
  const timed = timedWords(words);
  if (timed === null && (text.trim() !== '' || words.length > 0)) {
    throw badInput(
      `${path}: expected words with times for --ctm, but this recognizer gave text only; use one that gives times, or print the text`,
    );
  }
  return ctmLines(path, timed ?? [])
    .map((line) => `${line}\n`)
    .join('');
}

/** Recognized sound has one channel by the time it is heard. */
const channel = '1';

/**
 * Words as NIST's time marked conversation file: `file channel begin duration word [confidence]`, times in seconds (sclite(1),
 * "Time marked conversation scoring input"). What has a blank in it becomes several words of equal length.
 *
 * @param path of the sound, whose name without ending stands for it
 * @example ctmLines('calls/a.wav', words) // ['a 1 0.460 0.180 go 0.9999', …]
 */
export function ctmLines(path: string, words: readonly TimedWord[]): string[] {
  const file = visibleText(basename(path, extname(path)))
    .replaceAll(/\s+/g, '_')
    .replace(/^;;/, '_;');
  return words.flatMap(({ text, startSeconds, endSeconds, confidence }) => {
    const parts = text.split(/\s+/).filter(Boolean);
    const seconds = (endSeconds - startSeconds) / parts.length;
    return parts.map((part, index) => {
      // A mark of alternatives is no word here.
      const word = visibleText(part).replace(/^<(alt(?:_begin|_end)?)>$/i, '<_$1>');
      const times = `${(startSeconds + index * seconds).toFixed(3)} ${seconds.toFixed(3)}`;
      return `${file} ${channel} ${times} ${word}${confidence === null ? '' : ` ${confidence.toFixed(4)}`}`;
    });
  });
}

/** A word with its place in the sound. */
export interface TimedWord {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly confidence: number | null;
}

/**
 * Words in order, each with a time: those for which the recognizer gave none lie between their neighbours, all of the same
 * length, and without length at the beginning and the end.
 *
 * @returns null where no word has a time
 */
export function timedWords(words: readonly Word[]): readonly TimedWord[] | null {
  const isTimed = (word: Word): word is Word & { startSeconds: number; endSeconds: number } =>
    word.startSeconds !== undefined && word.endSeconds !== undefined && word.endSeconds >= word.startSeconds;
  if (!words.some(isTimed)) return null;
  const timed: TimedWord[] = [];
  for (let from = 0; from < words.length; ) {
    const word = words[from]!;
    const confidence = word.confidence ?? null;
    if (isTimed(word)) {
      timed.push({ text: word.text, startSeconds: word.startSeconds, endSeconds: word.endSeconds, confidence });
      from++;
      continue;
    }
    let until = from;
    while (until < words.length && !isTimed(words[until]!)) until++;
    const next = words[until]?.startSeconds;
    const begin = timed.at(-1)?.endSeconds ?? next!;
    const length = Math.max(0, (next ?? begin) - begin) / (until - from);
    for (let index = from; index < until; index++) {
      const startSeconds = begin + (index - from) * length;
      const { text, confidence: own = null } = words[index]!;
      timed.push({ text, startSeconds, endSeconds: startSeconds + length, confidence: own });
    }
    from = until;
  }
  return timed.sort((one, other) => one.startSeconds - other.startSeconds);
}
