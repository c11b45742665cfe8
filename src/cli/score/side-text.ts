import type { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Row } from '../../system/delimited-rows.ts';
import type { ScoringText } from './scoring-pair.ts';
import type { WordsAlone } from './words-alone.ts';

/** One text of a file that holds references, or hypotheses. */
export interface SideText {
  /** Null where the file names none: texts are then known by their order. */
  readonly id: string | null;
  /** Another name of it: the path of its sound. */
  readonly path?: string;
  /** Which channel of what the id names; absent where nobody says. */
  readonly channel?: string;
  readonly text: ScoringText;
  /** Nobody knows what was said: the table has a mark in place of the reference. */
  readonly isUnknown?: true;
  readonly line: number;
  /** Of a table all that stands beside it. */
  readonly row?: Row;
  /** Why it cannot be read, which is said where it is asked for: beside transcripts lie other files. */
  readonly problem?: EarwitnessError;
  /** The reference that an output has beside it. */
  readonly ownReference?: string;
  values(attribute: string): readonly string[];
  attributes(): { readonly [name: string]: Json };
}

/** A text without what is no word in it. */
export function alone(text: SideText, words: WordsAlone): SideText {
  const { speaker, text: said } = words.of(text.text.text);
  const own = { ...text, text: { ...text.text, text: said } };
  if (speaker === undefined) return own;
  return {
    ...own,
    values: (attribute) => {
      const values = text.values(attribute);
      return attribute === 'speaker' && values.length === 0 ? [speaker] : values;
    },
    attributes: () => ({ speaker, ...text.attributes() }),
  };
}
