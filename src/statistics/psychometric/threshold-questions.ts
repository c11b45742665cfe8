/** One recognition: at which level, how many of its words were right. */
export interface ThresholdQuestion {
  /** Rises with the share of right words; Infinity stands for clean sound. */
  readonly level: number;
  readonly words: number;
  readonly correct: number;
  /** Whose words: those of one speaker are not independent. */
  readonly cluster: string;
}

/** What is looked for, and where. */
export interface ThresholdAim {
  /** Levels that may be asked about, rising. At least two. */
  readonly levels: readonly number[];
  /** The share of right words at the threshold. */
  readonly target: number;
  /** Of the words said, or of those that are right in clean sound. */
  readonly of: 'said' | 'clean';
}

/**
 * Dispersion of right words that is expected before anything is known: words of one clip are right or wrong together, as
 * thresholds of clips differ by some decibels. It counts like so many questions.
 */
const expectedCorrelation = 0.6;
const expectedQuestions = 10;

/** Midpoint, slope, ceiling. */
const curveParameters = 3;

/** The dispersion of right words that is to be expected of questions with as many words. */
export function usualDispersion(questions: readonly ThresholdQuestion[]): number {
  if (questions.length === 0) return 1;
  const words = questions.reduce((sum, question) => sum + question.words, 0);
  return 1 + Math.max(0, words / questions.length - 1) * expectedCorrelation;
}

/**
 * How much more than independent words the right words of questions scatter about their expectation: Pearson's chi-square
 * for each degree of freedom (P. McCullagh and J. Nelder, "Generalized linear models", 1989, section 4.5), drawn towards
 * what is usual where questions are few. Never below 1.
 *
 * @param shareAt the expected share of right words at a level
 */
export function dispersionOf(questions: readonly ThresholdQuestion[], shareAt: (level: number) => number): number {
  let chiSquare = 0;
  for (const question of questions) {
    const share = shareAt(question.level);
    chiSquare += (question.correct - question.words * share) ** 2 / (question.words * share * (1 - share));
  }
  if (questions.length === 0) return 1;
  const freedom = Math.max(0, questions.length - curveParameters);
  const own = (chiSquare * freedom) / questions.length;
  return Math.max(1, (own + expectedQuestions * usualDispersion(questions)) / (freedom + expectedQuestions));
}
