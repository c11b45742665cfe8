import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { isComment, type LineField, leadingFields, secondsOf, type TranscriptLines } from '../../base/read-stm.ts';

/** A word, or several ways of saying what was said at one place, with its time. */
export interface CtmToken {
  readonly file: string;
  readonly channel: string;
  readonly beginSeconds: number;
  /** Of alternatives the latest end of any word. */
  readonly endSeconds: number;
  /**
   * Middle of the word, which decides to which segment it belongs; of alternatives the latest middle of any word, as in
   * sclite.
   */
  readonly middleSeconds: number;
  /** One sequence of words, or at least two where there are alternatives; a sequence may be empty. */
  readonly alternatives: readonly (readonly string[])[];
  /** From the recognizer, in whatever scale it has; null where there is none. */
  readonly confidence: number | null;
  readonly line: number;
}

/**
 * Reads a time marked conversation file, NIST's format of recognized words: `file channel begin duration word [confidence]`,
 * alternatives between lines with the words `<ALT_BEGIN>`, `<ALT>` and `<ALT_END>` (sclite(1), "Time marked conversation
 * scoring input"). Empty lines and lines that begin with `;;` are passed over.
 *
 * @param name of the file, for errors
 * @throws EarwitnessError `bad-input` with file, line and column: a line with too few or too many fields, a time or a
 * confidence that is no number, alternatives that are not closed, nested, or fewer than two
 */
export async function* readCtm(lines: TranscriptLines, name: string): AsyncGenerator<CtmToken> {
  let open: OpenAlternatives | null = null;
  for await (const { number, text } of lines) {
    if (isComment(text) || text.trim() === '') continue;
    const fields = fieldsOf(text, number, name);
    const [file, channel, begin, duration, word] = fields;
    const mark = /^<alt(?:_begin|_end)?>$/i.test(word.text) ? word.text.toLowerCase() : null;
    if (mark === '<alt_begin>') {
      if (open !== null) throw misplaced(word, `${name}:${number}`, `the alternatives of line ${open.line} are open`);
      open = { file: file.text, channel: channel.text, line: number, sequences: [[]], begin: null, middle: 0, end: 0 };
    } else if (mark !== null && open === null) {
      throw misplaced(word, `${name}:${number}`, 'no alternatives are open');
    } else if (open !== null && (open.file !== file.text || open.channel !== channel.text)) {
      throw misplaced(word, `${name}:${number}`, `the alternatives of line ${open.line} are in another channel`);
    } else if (mark === '<alt>') {
      open!.sequences.push([]);
    } else if (mark === '<alt_end>') {
      yield closed(open!, name);
      open = null;
    } else {
      const beginSeconds = secondsOf(begin, 'the begin of the word', name, number, 0);
      const seconds = secondsOf(duration, 'the duration of the word', name, number);
      const middleSeconds = beginSeconds + seconds / 2;
      const endSeconds = beginSeconds + Math.max(0, seconds);
      const confidence = confidenceOf(fields[5], name, number);
      if (open === null) {
        const alternatives = [[word.text]];
        const place = { file: file.text, channel: channel.text, line: number };
        yield { ...place, beginSeconds, endSeconds, middleSeconds, alternatives, confidence };
      } else {
        open.sequences.at(-1)!.push(word.text);
        open.begin = Math.min(open.begin ?? beginSeconds, beginSeconds);
        open.middle = Math.max(open.middle, middleSeconds);
        open.end = Math.max(open.end, endSeconds);
      }
    }
  }
  if (open !== null) {
    throw badInput(
      `${name}:${open.line}:1: expected the alternatives that begin here to be closed, but the file ends before; add a line with <ALT_END>`,
    );
  }
}

interface OpenAlternatives {
  readonly file: string;
  readonly channel: string;
  readonly line: number;
  readonly sequences: string[][];
  begin: number | null;
  middle: number;
  end: number;
}

type CtmFields = [LineField, LineField, LineField, LineField, LineField, LineField?, LineField?];

const fieldNames = ['file', 'channel', 'begin', 'duration', 'word'];

function fieldsOf(line: string, number: number, name: string): CtmFields {
  const fields = leadingFields(line, 8);
  if (fields.length < 5) {
    throw badInput(
      `${name}:${number}:${line.trimEnd().length + 1}: expected file, channel, begin, duration and word, but the line ends before its ${fieldNames[fields.length]}; complete it`,
    );
  }
  if (fields.length > 7) {
    throw badInput(
      `${name}:${number}:${fields[7]!.start + 1}: expected one word on the line, with its confidence, but there is more; write each word on a line of its own`,
    );
  }
  return fields as CtmFields;
}

function confidenceOf(field: LineField | undefined, name: string, number: number): number | null {
  if (field === undefined || /^na$/i.test(field.text)) return null;
  const confidence = Number(field.text);
  if (Number.isFinite(confidence)) return confidence;
  throw badInput(
    `${name}:${number}:${field.start + 1}: expected the confidence of the word, a number or NA, but found ${JSON.stringify(limitText(field.text, 40))}; is it a second word?`,
  );
}

function closed({ file, channel, line, sequences, begin, middle, end }: OpenAlternatives, name: string): CtmToken {
  if (sequences.length < 2 || begin === null) {
    throw badInput(
      `${name}:${line}:1: expected at least two alternatives, one of them with a word, between <ALT_BEGIN> and <ALT_END>, but there is ${begin === null ? 'no word' : 'one'}; add one or take the marks out`,
    );
  }
  return {
    file,
    channel,
    beginSeconds: begin,
    endSeconds: end,
    middleSeconds: middle,
    alternatives: sequences,
    confidence: null,
    line,
  };
}

function misplaced(word: LineField, place: string, why: string): EarwitnessError {
  return badInput(
    `${place}:${word.start + 1}: expected <ALT_BEGIN>, <ALT> and <ALT_END> in this order around alternatives, but found ${JSON.stringify(limitText(word.text, 40))} where ${why}; correct the marks`,
  );
}

/**
 * The words of a ctm file as one line, alternatives in braces as trn and stm files write them (`@` stands for none).
 *
 * @example // UM or UH, then RIGHT
 * ctmText(tokens) // '{ UM / UH } RIGHT'
 */
export function ctmText(tokens: readonly CtmToken[]): string {
  return tokens
    .map(({ alternatives }) =>
      alternatives.length === 1
        ? alternatives[0]!.join(' ')
        : `{ ${alternatives.map((words) => (words.length === 0 ? '@' : words.join(' '))).join(' / ')} }`,
    )
    .join(' ');
}
