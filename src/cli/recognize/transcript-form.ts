import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Transcript } from '../../model/observation.ts';
import { ctmLines } from './ctm-lines.ts';
import { subtitleCues } from './subtitle-cues.ts';
import { srtText, vttText } from './subtitle-text.ts';
import { type TimedWord, timedWords } from './timed-words.ts';

/** What transcripts can be written as. */
export type TranscriptForm = 'txt' | 'srt' | 'vtt' | 'ctm';

const longestText = 1_000_000;

/**
 * A transcript as a file of its own, ending with a line end; empty where nothing was said.
 *
 * @throws EarwitnessError `bad-input` where the form needs times of words and there are none
 */
export function transcriptText(path: string, transcript: Transcript, form: TranscriptForm): string {
  if (form === 'txt') return `${printable(transcript.text, longestText)}\n`;
  const words = neededWords(path, transcript, form);
  switch (form) {
    case 'srt':
      return srtText(subtitleCues(words));
    case 'vtt':
      return vttText(subtitleCues(words));
    case 'ctm':
      return ctmLines(path, words)
        .map((line) => `${line}\n`)
        .join('');
  }
}

function neededWords(path: string, { text, words = [] }: Transcript, form: TranscriptForm): readonly TimedWord[] {
  if (text.trim() === '' && words.length === 0) return [];
  const timed = timedWords(words);
  if (timed !== null) return timed;
  throw new EarwitnessError(
    'bad-input',
    `${path}: expected words with their times for --${form}, but this recognizer gave a text alone; take one that tells times, or print the text`,
  );
}
