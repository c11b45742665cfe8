import { badInput } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { isComment, type TranscriptLines } from '../../base/read-stm.ts';

/** One utterance of a trn file. */
export interface TrnUtterance {
  readonly id: string;
  /** What stands in the id before its first hyphen or, without one, its first underscore; null where it has neither. */
  readonly speaker: string | null;
  /** As it stands there: alternatives in braces and optional words in parentheses are not resolved. */
  readonly text: string;
  /** Where the text begins in its line, from 1. */
  readonly column: number;
  readonly line: number;
}

/**
 * The utterances of a trn file of NIST's scoring toolkit: the words, and at the line's end an id in parentheses that
 * begins with the speaker (`she had your dark suit (cmh_sa01)`; sclite(1), "Transcript input file", id types `spu_id`, `rm` and
 * `swb`). Empty lines and lines that begin with `;;` are passed over.
 *
 * @param name of the file, for errors
 * @throws EarwitnessError `bad-input` with file, line and column: a line without an id, or something after it
 */
export async function* readTrn(lines: TranscriptLines, name: string): AsyncGenerator<TrnUtterance> {
  for await (const { number, text } of lines) {
    if (isComment(text) || text.trim() === '') continue;
    yield trnUtterance(text.trimEnd(), number, name);
  }
}

function trnUtterance(line: string, number: number, name: string): TrnUtterance {
  const opening = line.lastIndexOf('(');
  const closing = line.indexOf(')', opening);
  if (opening === -1 || closing === -1) {
    throw badInput(
      `${name}:${number}:${line.length + 1}: expected the utterance's id in parentheses at the end of the line, but there is none; end the line with (speaker-utterance)`,
    );
  }
  if (closing !== line.length - 1) {
    throw badInput(
      `${name}:${number}:${closing + 2}: expected the line to end after the utterance's id, but found ${JSON.stringify(limitText(line.slice(closing + 1).trim(), 40))}; put the id at the end`,
    );
  }
  const id = line.slice(opening + 1, closing).trim();
  if (id === '') {
    throw badInput(
      `${name}:${number}:${opening + 2}: expected the utterance's id between the last parentheses, but they are empty; write (speaker-utterance)`,
    );
  }
  const text = line.slice(0, opening).trim();
  return { id, speaker: speakerOf(id), text, column: Math.max(0, line.search(/\S/)) + 1, line: number };
}

function speakerOf(id: string): string | null {
  const hyphen = id.indexOf('-');
  const end = hyphen === -1 ? id.indexOf('_') : hyphen;
  return end > 0 ? id.slice(0, end) : null;
}

/**
 * A text in lower case, character by character (Unicode's simple mappings), so that a word does not depend on its
 * neighbours: `toLowerCase` writes a Greek sigma at the end of a word otherwise, and a dotted capital I as two characters.
 * NIST's sclite without `-s` folds the letters of ASCII alone: `foldAsciiCase`.
 *
 * @example foldCase('ΛΌΓΟΣ') // 'λόγοσ'
 */
export function foldCase(text: string): string {
  return text.replace(/\p{Changes_When_Lowercased}/gu, (character) =>
    character === 'İ' ? 'i' : character.toLowerCase(),
  );
}
