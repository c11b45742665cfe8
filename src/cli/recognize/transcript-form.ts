import { basename, extname } from 'node:path';
import { badInput } from '../../base/errors.ts';
import { printable, visibleText } from '../../base/printable.ts';
import type { Transcript, Word } from '../../model/observation.ts';

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
      return formatSrt(subtitleCues(words));
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
  throw badInput(
    `${path}: expected words with times for --${form}, but this recognizer gave text only; use one that gives times, or print the text`,
  );
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

/**
 * Subtitles as a SubRip file, as players take it: number, times, lines, an empty line. `-->` in a line would be taken for
 * times.
 */
export function formatSrt(cues: readonly Cue[]): string {
  return cues
    .map(({ startSeconds, endSeconds, lines }, index) => {
      const text = lines.join('\n').replaceAll('-->', '->');
      return `${index + 1}\n${clockTime(startSeconds, ',')} --> ${clockTime(endSeconds, ',')}\n${text}\n`;
    })
    .join('\n');
}

/** Subtitles as WebVTT (W3C, WebVTT: The Web Video Text Tracks Format, section 4). */
export function vttText(cues: readonly Cue[]): string {
  const blocks = cues.map(({ startSeconds, endSeconds, lines }) => {
    const text = lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `\n${clockTime(startSeconds, '.')} --> ${clockTime(endSeconds, '.')}\n${text}\n`;
  });
  return `WEBVTT\n${blocks.join('')}`;
}

/** Hours, minutes, seconds and thousandths: 00:00:01,500. */
function clockTime(seconds: number, point: ',' | '.'): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (size: number, within: number) => String(Math.floor(milliseconds / size) % within);
  const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, '0');
  return `${hours}:${part(60_000, 60).padStart(2, '0')}:${part(1000, 60).padStart(2, '0')}${point}${part(1, 1000).padStart(3, '0')}`;
}

/** What stands on the screen at one time: one or two lines. */
interface Cue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly lines: readonly string[];
}

/**
 * 42 characters in each of at most 2 lines, from 5/6 of a second to 7 seconds (Netflix, Timed Text Style Guide: General
 * Requirements, "Duration" and "Line Treatment"; English Timed Text Style Guide, "Character Limitation").
 */
const lineCharacters = 42;
const maxLines = 2;
const maxSeconds = 7;
const minSeconds = 5 / 6;
/** A silence after which a new subtitle begins. Pauses within sentences are mostly shorter. */
const pauseSeconds = 0.5;

/**
 * Words as subtitles: a new one begins where the speaker pauses, after the end of a sentence, and where the words would no
 * longer fit into the lines or the time. Two lines are made as alike as they can be.
 */
export function subtitleCues(words: readonly TimedWord[]): readonly Cue[] {
  const groups: TimedWord[][] = [];
  for (const word of words.flatMap(pieces)) {
    const group = groups.at(-1);
    if (group && belongs(group, word)) group.push(word);
    else groups.push([word]);
  }
  return groups.map((group, index) => {
    const startSeconds = group[0]!.startSeconds;
    const spokenUntil = group.at(-1)!.endSeconds;
    const next = groups[index + 1]?.[0]?.startSeconds ?? Number.POSITIVE_INFINITY;
    const shown = Math.min(Math.max(spokenUntil, startSeconds + minSeconds), startSeconds + maxSeconds);
    const endSeconds = Math.min(shown, next);
    return { startSeconds, endSeconds, lines: lines(group.map(({ text }) => text))! };
  });
}

function belongs(group: readonly TimedWord[], word: TimedWord): boolean {
  const last = group.at(-1)!;
  return (
    word.startSeconds - last.endSeconds < pauseSeconds &&
    word.endSeconds - group[0]!.startSeconds <= maxSeconds &&
    !/[.?!…。？！]["'”’)\]]?$/.test(last.text) &&
    lines([...group.map(({ text }) => text), word.text]) !== null
  );
}

/** The words in as few lines as they need, two as even as possible; null where they do not fit. */
function lines(words: readonly string[]): readonly string[] | null {
  const whole = words.join(' ');
  if (length(whole) <= lineCharacters) return [whole];
  if (length(whole) > maxLines * (lineCharacters + 1)) return null;
  let best: readonly string[] | null = null;
  let bestDifference = Number.POSITIVE_INFINITY;
  for (let cut = 1; cut < words.length; cut++) {
    const both = [words.slice(0, cut).join(' '), words.slice(cut).join(' ')] as const;
    const [upper, lower] = [length(both[0]), length(both[1])];
    if (upper > lineCharacters || lower > lineCharacters) continue;
    const difference = Math.abs(upper - lower);
    if (difference >= bestDifference) continue;
    best = both;
    bestDifference = difference;
  }
  return best;
}

/** A word as it can stand in a line: without what steers a screen, and what is longer than a line cut to its length. */
function pieces({ text, startSeconds, endSeconds, confidence }: TimedWord): TimedWord[] {
  const characters = [...visibleText(text.replaceAll(/\s+/g, ' ').trim())];
  const count = Math.ceil(characters.length / lineCharacters);
  const seconds = (endSeconds - startSeconds) / count;
  return Array.from({ length: count }, (_, index) => ({
    text: characters.slice(index * lineCharacters, (index + 1) * lineCharacters).join(''),
    startSeconds: startSeconds + index * seconds,
    endSeconds: startSeconds + (index + 1) * seconds,
    confidence,
  }));
}

function length(text: string): number {
  return [...text].length;
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
