import type { Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import type { Design } from './design.ts';
import type { FirstAnswers } from './first-answers.ts';
import type { MetamorphicOptions } from './options.ts';
import { type BleuVariant, publishedBleu, soundBleu } from './pair-scores.ts';
import { tokensOf, type Unit, unitOf } from './tokens.ts';

/** Everything that scoring needs besides the answers. */
export interface Scoring {
  readonly design: Design;
  readonly options: MetamorphicOptions;
  readonly bleu: BleuVariant;
  readonly first: FirstAnswers;
  readonly validity: CaseValidity | null;
  readonly critical: (unit: Unit) => ReadonlySet<string>;
  readonly unit: (utterance: Utterance) => Unit;
  readonly tokens: (text: string, unit: Unit, language?: string) => readonly string[];
  /** Numbers of the utterances whose similarity of meaning is asked for. */
  readonly similaritySample: ReadonlySet<number>;
}

/** Puts together what scoring needs. */
export function prepareScoring(known: {
  readonly design: Design;
  readonly options: MetamorphicOptions;
  readonly first: FirstAnswers;
  readonly validity: CaseValidity | null;
  readonly normalizer: Normalizer;
  readonly similaritySample: ReadonlySet<number>;
}): Scoring {
  const { options, normalizer } = known;
  const tokens = (text: string, unit: Unit, language?: string) => tokensOf(text, unit, normalizer, language);
  const critical = {
    words: new Set(options.robustness.criticalWords.flatMap((word) => tokens(word, 'words'))),
    characters: new Set(options.robustness.criticalWords.flatMap((word) => tokens(word, 'characters'))),
  };
  return {
    ...known,
    bleu: options.profile === 'sr-mt' ? publishedBleu : soundBleu,
    critical: (unit) => critical[unit],
    unit: ({ language }) => unitOf(language, options.unit),
    tokens,
  };
}
