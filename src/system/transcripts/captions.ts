import { badInput } from '../../base/errors.ts';
import { timeIn } from '../../base/time-text.ts';

/** A part of a recording and its words. */
export interface TextSegment {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
  readonly speaker?: string;
}

/** Start, end and label: https://manual.audacityteam.org/man/importing_and_exporting_labels.html */
const label = /^(\d+(?:[.,]\d+)?)\t(\d+(?:[.,]\d+)?)(?:\t(.*))?$/;
/** Of a label: who speaks, and the words. */
const spoken = /^(\S[^\t]{0,39})\t(.+)$/;

/**
 * The labelled parts of an Audacity label track: start, end and text with tabs between them on every line; lines of frequencies, which
 * begin with a backslash, tell nothing. Parts without a text are left out.
 *
 * @param shownName how errors name the file
 * @returns null where the text is none
 * @throws EarwitnessError `bad-input`: a part that does not end after its start
 */
export function labelTrack(lines: readonly string[], shownName: string): readonly TextSegment[] | null {
  const found = lines.flatMap((line, index) =>
    line.trim() === '' || line.startsWith('\\') ? [] : [{ match: label.exec(line.trimEnd()), number: index + 1 }],
  );
  if (found.length === 0 || found.some(({ match }) => match === null)) return null;
  const areSpoken = found.every(({ match }) => spoken.test(match![3] ?? ''));
  return found.flatMap(({ match, number }) => {
    const [, speaker, said] = (areSpoken && spoken.exec(match![3]!)) || [];
    const own = segment(match![1]!, match![2]!, said ?? match![3] ?? '', `${shownName}:${number}`);
    return speaker === undefined ? own : own.map((one) => ({ ...one, speaker }));
  });
}

const cueTimes = /^\s*([\d:.,]+)\s+-->\s+([\d:.,]+)(?:\s|$)/;

/** The time of a word within a cue, as automatic captions have them. */
const wordTime = /<\d[\d:.]+>/;

/** Whether subtitles have the times of words: a machine wrote them, and what stands in them is no reference that somebody made. */
export function areAutomaticCaptions(lines: readonly string[]): boolean {
  return lines.some((line) => wordTime.test(line));
}

/**
 * The cues of subtitles, SubRip (`.srt`) or WebVTT (`.vtt`): without tags, with the speaker of a voice tag (`<v Ann>`). Automatic captions roll: each cue shows the line
 * before it again, which counts once.
 *
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`: times that are none
 * @example subtitles(['1', '00:00:01,000 --> 00:00:02,500', 'Hello'], 'a.srt') // [{ startSeconds: 1, endSeconds: 2.5, text: 'Hello' }]
 */
export function subtitles(lines: readonly string[], shownName: string): readonly TextSegment[] {
  const rolls = areAutomaticCaptions(lines);
  const found: TextSegment[] = [];
  let before: readonly string[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at]!.includes('-->')) continue;
    const place = `${shownName}:${at + 1}`;
    const [, start, end] = cueTimes.exec(lines[at]!) ?? [];
    const shown: string[] = [];
    // What rolls has lines of one blank above the words.
    const isEnd = (line: string) => (rolls ? line === '' : line.trim() === '') || line.includes('-->');
    while (at + 1 < lines.length && !isEnd(lines[at + 1]!)) shown.push(lines[++at]!.trim());
    // Without a blank line between the cues the number of the next stands below the words.
    if (lines[at + 1]?.includes('-->') && /^\d+$/.test(shown.at(-1) ?? '')) shown.pop();
    const plain = shown.map(plainCue).filter((line) => line !== '');
    const added = rolls ? plain.filter((line) => !before.includes(line)) : plain;
    before = plain;
    const speaker = /<v(?:\.[^\s>]+)?\s+([^>]+)>/.exec(shown.join(' '))?.[1]?.trim();
    for (const one of segment(start ?? '', end ?? '', added.join(' '), place))
      found.push(speaker ? { ...one, speaker } : one);
  }
  return found;
}

function plainCue(line: string): string {
  return line
    .replace(/<[^>]*>|\{\\[^}]*\}/g, '')
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name) => entities[name]!)
    .trim();
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };

/**
 * A part of a recording as its file has it; none where there is no text.
 *
 * @param place of it, for errors
 * @throws EarwitnessError `bad-input`: it does not end after its start
 */
export function segment(start: string, end: string, text: string, place: string): TextSegment[] {
  const [startSeconds, endSeconds] = [start, end].map((time) => timeIn(time, 'seconds')?.value);
  if (startSeconds === undefined || endSeconds === undefined || endSeconds <= startSeconds) {
    throw badInput(
      `${place}: expected the start and the end of a part of the recording, but found ${JSON.stringify(`${start} ${end}`.slice(0, 60))}; correct the times`,
    );
  }
  return text.trim() === '' ? [] : [{ startSeconds, endSeconds, text: text.trim() }];
}

/**
 * What Whisper and whisper.cpp print while they hear: `[00:01.000 --> 00:02.500]  Hello` on every line.
 *
 * @returns null where the text is none
 */
export function printedSegments(lines: readonly string[]): readonly TextSegment[] | null {
  const written = lines.filter((line) => line.trim() !== '' && !/^Detect(?:ing|ed) language/.test(line));
  const found = written.map((line) => /^\s*\[([\d:.,]+) --> ([\d:.,]+)\]\s*(.*)$/.exec(line));
  if (found.length === 0 || found.includes(null)) return null;
  return found.flatMap((match) => {
    const [startSeconds, endSeconds] = [match![1]!, match![2]!].map((time) => timeIn(time, 'seconds')?.value ?? 0);
    const text = match![3]!.trim();
    return text === '' ? [] : [{ startSeconds: startSeconds!, endSeconds: endSeconds!, text }];
  });
}

/**
 * The rows of the `.tsv` that Whisper writes beside its other files: start and end in milliseconds, and a text.
 *
 * @returns null where it is another table
 */
export function whisperRows(lines: readonly string[]): readonly TextSegment[] | null {
  const [head, ...rows] = lines;
  if (head?.trimEnd() !== 'start\tend\ttext') return null;
  const read = rows.filter((row) => row.trim() !== '').map((row) => /^(\d+)\t(\d+)\t(.*)$/.exec(row));
  if (read.some((row) => row === null)) return null;
  return read.map((row) => ({
    startSeconds: Number(row![1]) / 1000,
    endSeconds: Number(row![2]) / 1000,
    text: row![3]!.trim(),
  }));
}
