import { badInput } from './errors.ts';
import { limitText } from './printable.ts';

/** One line of a transcript file, without its end. */
export interface TranscriptLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** The lines of a file, read already or as they come. */
export type TranscriptLines = AsyncIterable<TranscriptLine> | Iterable<TranscriptLine>;

/** A field of a line that is divided at blanks and tabs. */
export interface LineField {
  readonly text: string;
  /** Where it begins in the line, from 0. */
  readonly start: number;
}

/** Lines that begin with two semicolons are comments in all of NIST's formats. */
export function isComment(line: string): boolean {
  return line.startsWith(';;');
}

/** The first fields of a line; the rest of the line begins where the last one ends. */
export function leadingFields(line: string, most: number): LineField[] {
  const fields: LineField[] = [];
  const pattern = /[^ \t]+/g;
  while (fields.length < most) {
    const match = pattern.exec(line);
    if (match === null) break;
    fields.push({ text: match[0], start: match.index });
  }
  return fields;
}

/**
 * Begin or length of something, in seconds.
 *
 * @param least recognizers have written words of -.01 seconds, which need not stop anybody: not asked of lengths
 */
export function secondsOf(
  field: LineField,
  what: string,
  name: string,
  line: number,
  least = Number.NEGATIVE_INFINITY,
): number {
  const seconds = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(field.text) ? Number(field.text) : Number.NaN;
  if (!(Number.isFinite(seconds) && seconds >= least)) {
    throw badInput(
      `${name}:${line}:${field.start + 1}: expected ${what} in seconds${least === 0 ? ', 0 or more' : ''}, but found ${JSON.stringify(limitText(field.text, 40))}; correct the line`,
    );
  }
  return seconds;
}

/** A stretch of a recording with its reference. */
export interface StmSegment {
  readonly file: string;
  readonly channel: string;
  readonly speaker: string;
  readonly beginSeconds: number;
  readonly endSeconds: number;
  /** The subsets it belongs to (`<o,f0,male>`), one for each category; an empty one stands as ''. */
  readonly labels: readonly string[];
  /** As it stands there: alternatives in braces and optional words in parentheses are not resolved. */
  readonly text: string;
  /** Where the text begins in its line, from 1. */
  readonly column: number;
  /** Nothing in this stretch is scored: its text is `ignore_time_segment_in_scoring`. */
  readonly ignored: boolean;
  readonly line: number;
}

/** What an stm file says about its labels: `;; LABEL "M" "Male" "Male Talkers"`. */
export interface StmLabel {
  /** `category`: about all labels at one place of the list, `id` being that place. */
  readonly kind: 'label' | 'category';
  readonly id: string;
  readonly heading: string;
  readonly description: string;
}

/** A file's content. */
export interface StmFile {
  readonly segments: readonly StmSegment[];
  readonly labels: readonly StmLabel[];
}

/**
 * Reads a segment time marked file, NIST's format of references: `file channel speaker begin end [<labels>] text` (sclite(1),
 * "Segment time mark input file"). Empty lines are passed over, and lines that begin with `;;`, but for what those say
 * about labels and categories.
 *
 * @param name of the file, for errors
 * @throws EarwitnessError `bad-input` with file, line and column: a line with too few fields, a time that is none, an
 * end before the begin
 */
export async function readStm(lines: TranscriptLines, name: string): Promise<StmFile> {
  const segments: StmSegment[] = [];
  const labels: StmLabel[] = [];
  for await (const { number, text } of lines) {
    if (isComment(text)) {
      const label = labelOf(text);
      if (label !== null) labels.push(label);
    } else if (text.trim() !== '') {
      segments.push(segmentOf(text, number, name));
    }
  }
  return { segments, labels };
}

const fieldNames = ['file', 'channel', 'speaker', 'begin', 'end'];

function segmentOf(line: string, number: number, name: string): StmSegment {
  const fields = leadingFields(line, 6);
  const [file, channel, speaker, begin, end, next] = fields;
  if (!file || !channel || !speaker || !begin || !end) {
    throw badInput(
      `${name}:${number}:${line.trimEnd().length + 1}: expected file, channel, speaker, begin, end and text, but the line ends before its ${fieldNames[fields.length]}; complete it`,
    );
  }
  const beginSeconds = secondsOf(begin, 'the begin of the segment', name, number, 0);
  const endSeconds = secondsOf(end, 'the end of the segment', name, number, 0);
  if (endSeconds < beginSeconds) {
    throw badInput(
      `${name}:${number}:${end.start + 1}: expected a segment that ends after it begins (${begin.text}), but its end is ${end.text}; correct the times`,
    );
  }
  const labelled = next?.text.startsWith('<') === true && next.text.endsWith('>');
  const before = labelled ? next.start + next.text.length : (next?.start ?? line.length);
  const text = line.slice(before).trim();
  return {
    file: file.text,
    channel: channel.text,
    speaker: speaker.text,
    beginSeconds,
    endSeconds,
    labels: labelled ? next.text.slice(1, -1).split(',') : [],
    text,
    column: line.length - line.slice(before).trimStart().length + 1,
    ignored: /^ignore_?time_?segment_?in_?scoring$/i.test(text),
    line: number,
  };
}

function labelOf(comment: string): StmLabel | null {
  const match = /^;;\s*(label|category)\s+"([^"]*)"\s+"([^"]*)"\s+"([^"]*)"/i.exec(comment);
  if (match === null) return null;
  const kind = match[1]!.toLowerCase() === 'label' ? 'label' : 'category';
  return { kind, id: match[2]!, heading: match[3]!, description: match[4]! };
}
