import { named } from '../studies/shared/wording.ts';

/** What two sides are called, and what they are: one recognizer at two times, or two by their names. */
export interface Sides {
  readonly before: string;
  readonly after: string;
  readonly are: 'times' | 'names';
}

/** Headings that say which side is meant. */
export interface SidesInWords {
  readonly moreErrors: string;
  readonly fewerErrors: string;
  /** Of words that are wrong on the side behind alone: title, and heads of what was said and heard. */
  readonly broken: readonly [title: string, right: string, heard: string];
  /** Of trials: without error only there, wrong words only there, failed only there. */
  readonly outcomes: Readonly<Record<'broken' | 'fixed' | 'stillBroken' | 'came' | 'went' | 'twice', string>>;
}

/** Two times are before and now; two names are told apart by them. */
export function sidesInWords(sides: Sides): SidesInWords {
  const [before, after] = [named(sides.before), named(sides.after)];
  if (sides.are === 'times')
    return {
      moreErrors: 'Utterances with more errors than before',
      fewerErrors: 'Utterances with fewer errors than before',
      broken: ['Words that were right and are wrong now', 'Right before', 'Now'],
      outcomes: {
        broken: 'Newly broken',
        fixed: 'Fixed',
        stillBroken: 'Still broken',
        came: 'Fails now',
        went: 'Failed before',
        twice: 'Fails as before',
      },
    };
  return {
    moreErrors: `Utterances with more errors with ${after} than with ${before}`,
    fewerErrors: `Utterances with fewer errors with ${after} than with ${before}`,
    broken: [`Words right with ${before} and wrong with ${after}`, `Right with ${before}`, `With ${after}`],
    outcomes: {
      broken: `Without error only with ${before}`,
      fixed: `Without error only with ${after}`,
      stillBroken: 'Errors with both',
      came: `Fails only with ${after}`,
      went: `Fails only with ${before}`,
      twice: 'Fails with both',
    },
  };
}
