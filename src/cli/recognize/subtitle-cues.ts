import { visibleText } from '../../base/visible-text.ts';
import type { TimedWord } from './timed-words.ts';

/** What stands on the screen at one time: one or two lines. */
export interface Cue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly lines: readonly string[];
}

/**
 * 42 characters in each of at most 2 lines, from 5/6 of a second to 7 seconds (Netflix, Timed Text Style Guide: General
 * Requirements, "Duration" and "Line Treatment"; English Timed Text Style Guide, "Character Limitation").
 */
const lineCharacters = 42;
const mostLines = 2;
const longestSeconds = 7;
const shortestSeconds = 5 / 6;
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
    const shown = Math.min(Math.max(spokenUntil, startSeconds + shortestSeconds), startSeconds + longestSeconds);
    const endSeconds = Math.min(shown, next);
    return { startSeconds, endSeconds, lines: lines(group.map(({ text }) => text))! };
  });
}

function belongs(group: readonly TimedWord[], word: TimedWord): boolean {
  const last = group.at(-1)!;
  return (
    word.startSeconds - last.endSeconds < pauseSeconds &&
    word.endSeconds - group[0]!.startSeconds <= longestSeconds &&
    !/[.?!…。？！]["'”’)\]]?$/.test(last.text) &&
    lines([...group.map(({ text }) => text), word.text]) !== null
  );
}

/** The words in as few lines as they need, two as even as possible; null where they do not fit. */
function lines(words: readonly string[]): readonly string[] | null {
  const whole = words.join(' ');
  if (length(whole) <= lineCharacters) return [whole];
  if (length(whole) > mostLines * (lineCharacters + 1)) return null;
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
