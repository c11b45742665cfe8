/** Rows of a table of the finding, and the column of theirs that counts. */
export interface ChosenRows {
  /** Its id. */
  readonly table: string;
  readonly column: string;
  /** What these rows have in other columns; all rows if absent. */
  readonly where?: Readonly<Record<string, string>>;
}

/**
 * In which of its tables a finding says who makes how many errors, where and for whom. The first table of every screen is made of them: a row
 * for each recognizer, and nothing that does not stand in those tables.
 */
export interface Scores {
  /** What the numbers are: `WER`. */
  readonly measure: string;
  /** The column of the tables that names the rows; `recognizer` if absent. */
  readonly of?: string;
  /** What was found, in at most two sentences; absent where the numbers are error rates, of which the table says it. */
  readonly found?: readonly string[];
  /** The first is what others are changes from, where there are any. */
  readonly columns: readonly ScoreColumn[];
  /** Which column ranks. */
  readonly ranks: number;
  /** How far they are apart is told by another finding that stands beside it. */
  readonly apartElsewhere?: true;
  /** Why not all that was asked stands in it: `4 of 28 families of conditions, at their worst`. */
  readonly left?: string;
  /** Groups beside everybody (`group`, `recognizer`): the one of each recognizer that has most errors more, of those that are told to have more. */
  readonly worst?: {
    readonly differences: ChosenRows;
    readonly rates: ChosenRows;
    /** Which stand before their values in the names of groups: `ageGroup 19-29 × accent India`. */
    readonly attributes: readonly string[];
  };
  /** Two groups beside each other for each recognizer (`attribute`, `group`, `comparedWith`, `recognizer`), and their rates (`attribute`, `group`, `recognizer`). */
  readonly gaps?: { readonly of: string; readonly differences: ChosenRows; readonly rates: ChosenRows };
}

/** A number for each recognizer, and the comparisons of recognizers (`recognizer`, `comparedWith`) by it. */
export interface ScoreColumn {
  /** In the middle of a sentence: `on clean audio`. */
  readonly words: string;
  /** The same where a line is short: `on average`. */
  readonly briefly?: string;
  /** Above the column, in at most two lines. */
  readonly head: readonly [string] | readonly [string, string];
  /** What its head leaves open, beneath the table: `of the 7 conditions other than clean`. */
  readonly note?: string;
  readonly rates: ChosenRows;
  readonly comparisons?: ChosenRows;
  /** How the numbers are printed; `rate` if absent. */
  readonly kind?: 'difference' | 'decibels' | 'number' | 'count';
  /** What is marked, and stands first where the column ranks: the lowest if absent; null: nothing, but what is told to be other than 0. */
  readonly best?: 'highest' | null;
  /** How far each is from the first column (`recognizer`). */
  readonly changes?: ChosenRows;
}
