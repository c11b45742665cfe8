/**
 * Numbers for the series that are counted. `errors` and `words` of a series are sums over the answered trials of a
 * recognizer in a condition. What failed elsewhere is counted apart and taken out of a comparison's two sides, so that
 * there is one count for each recognizer and condition, and not one for each pair; where nothing fails, the rest is empty.
 */
export interface Series {
  /** All answered trials. */
  words(recognizer: number, condition: number): number;
  /** The same in characters. */
  characters(recognizer: number, condition: number): number;
  /** Of `words`: those whose own clean trial failed. */
  withoutClean(recognizer: number, condition: number): number;
  /** Clean errors and words of trials that were answered clean and failed in the condition. */
  cleanOnly(recognizer: number, condition: number): number;
  /** Of `words`: those that the other recognizer failed at (or was not asked). */
  without(recognizer: number, condition: number, other: number): number;
}

/** Numbers of the series of so many recognizers and conditions. */
export function numberSeries(recognizers: number, conditions: number): Series {
  const places = recognizers * conditions;
  const place = (recognizer: number, condition: number) => condition * recognizers + recognizer;
  return {
    words: place,
    characters: (recognizer, condition) => places + place(recognizer, condition),
    withoutClean: (recognizer, condition) => 2 * places + place(recognizer, condition),
    cleanOnly: (recognizer, condition) => 3 * places + place(recognizer, condition),
    without: (recognizer, condition, other) => 4 * places + place(recognizer, condition) * recognizers + other,
  };
}
