import { timeIn } from '../../base/time-text.ts';
import { attribute, plainXml } from './annotations.ts';
import { segment, type TextSegment } from './captions.ts';

/**
 * The cues of SubViewer (`.sbv`), as YouTube gives them: `0:00:01.000,0:00:04.200`, and below it the lines of the cue.
 *
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`: times that are none
 */
export function subViewer(lines: readonly string[], shownName: string): readonly TextSegment[] {
  const times = /^(\d+:\d\d:\d\d[.,]\d+),(\d+:\d\d:\d\d[.,]\d+)\s*$/;
  return lines.flatMap((line, at) => {
    const [, start, end] = times.exec(line) ?? [];
    if (start === undefined) return [];
    const shown = lines.slice(at + 1);
    const after = shown.findIndex((other) => other.trim() === '' || times.test(other));
    return segment(start, end!, shown.slice(0, after === -1 ? undefined : after).join(' '), `${shownName}:${at + 1}`);
  });
}

/** The lines of lyrics (`.lrc`), each until the next; null where the text is none. `[ar:…]` and the like tell of the song. */
export function lyrics(lines: readonly string[]): readonly TextSegment[] | null {
  const written = lines.filter((line) => line.trim() !== '' && !/^\s*\[[a-z#]+:/i.test(line));
  const found = written.map((line) => /^\s*\[(\d+:\d\d(?:[.:]\d+)?)\](.*)$/.exec(line));
  if (found.length === 0 || found.includes(null)) return null;
  const starts = found.map((line) => timeIn(line![1]!, 'seconds')?.value ?? 0);
  return found.flatMap((line, place) => {
    const text = line![2]!.replace(/<\d+:[\d.:]+>/g, '').trim();
    const startSeconds = starts[place]!;
    const endSeconds = starts.slice(place).find((start) => start > startSeconds) ?? startSeconds + 1;
    return text === '' ? [] : [{ startSeconds, endSeconds, text }];
  });
}

/**
 * The paragraphs of a TTML file (`.ttml`, `.dfxp`), https://www.w3.org/TR/ttml2/: with times of a clock or in seconds.
 *
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`: times that are neither
 */
export function timedText(text: string, shownName: string): readonly TextSegment[] {
  return [...text.matchAll(/<(?:\w+:)?p\b([^>]*)>([\s\S]*?)<\/(?:\w+:)?p>/g)].flatMap(([, attributes, body]) => {
    const words = plainXml(body!.replace(/<(?:\w+:)?br\b[^>]*>/g, ' ').replace(/<[^>]*>/g, '')).replace(/\s+/g, ' ');
    const [begin = '', end = '', lasts] = ['begin', 'end', 'dur'].map((name) => attribute(attributes!, name));
    const seconds = (time: string) => timeIn(time.replace(/(?<=\d)s$/, ''), 'seconds')?.value;
    const until = end === '' && lasts !== undefined ? `${(seconds(begin) ?? 0) + (seconds(lasts) ?? 0)}` : end;
    return segment(`${seconds(begin) ?? begin}`, `${seconds(until) ?? until}`, words, shownName);
  });
}

/**
 * The lines of dialogue of SubStation Alpha (`.ass`, `.ssa`): the tenth field is what is shown.
 *
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`: times that are none
 */
export function dialogue(lines: readonly string[], shownName: string): readonly TextSegment[] {
  return lines.flatMap((line, at) => {
    const fields = /^Dialogue:\s*(.*)$/.exec(line)?.[1]?.split(',');
    if (fields === undefined) return [];
    const [, start = '', end = '', , speaker = ''] = fields;
    const text = fields
      .slice(9)
      .join(',')
      .replace(/\{[^}]*\}/g, '')
      .replace(/\\[Nnh]/g, ' ');
    const own = segment(start.trim(), end.trim(), text, `${shownName}:${at + 1}`);
    return own.map((one) => (speaker.trim() === '' ? one : { ...one, speaker: speaker.trim() }));
  });
}

/** Who speaks from when on, on a line of its own: `Ann Smith  0:01`. */
const turn = /^\s*(\p{L}[^\t:]{0,38}?)\s+(\d{1,2}:\d\d(?::\d\d)?)\s*$/u;

/** Turns of speakers, each below a line with the name and the time, as Otter writes them; null where the text has none. */
export function turnsOf(lines: readonly string[]): readonly TextSegment[] | null {
  const first = lines.find((line) => line.trim() !== '');
  const heads = lines.flatMap((line, at) => (turn.test(line) ? [at] : []));
  if (first === undefined || !turn.test(first) || heads.length < 2) return null;
  const starts = heads.map((at) => timeIn(turn.exec(lines[at]!)![2]!, 'seconds')?.value ?? 0);
  return heads.flatMap((at, place) => {
    const below = lines.slice(at + 1, heads[place + 1]).filter((line) => !/^\s*Transcribed by https?:/.test(line));
    const text = below
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' ');
    const startSeconds = starts[place]!;
    const endSeconds = Math.max(starts[place + 1] ?? 0, startSeconds + 1);
    return text === '' ? [] : [{ startSeconds, endSeconds, text, speaker: turn.exec(lines[at]!)![1]! }];
  });
}
