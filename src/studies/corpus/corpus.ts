import { clean } from '../../model/condition.ts';
import type { Answer, Question, Study, StudyContext } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { createDescription } from './description.ts';
import { corpusFinding } from './finding.ts';
import { type CorpusStudyOptions, corpusStudyOptions } from './options.ts';
import { outsideVocabulary } from './vocabulary.ts';

/** How many words outside of a recognizer's vocabulary are named. */
const wordsListed = 20;

/**
 * What the corpus is: clips, speakers, hours, groups, words, words that a recognizer cannot write, and utterances whose
 * sound or reference looks wrong. Asks for one measurement of each clean clip; utterances without sound are described
 * by their texts.
 */
export const corpus: Study<CorpusStudyOptions> = {
  name: 'corpus',
  version: 5,
  about: 'What the corpus holds: clips, speakers, hours, groups, vocabulary, and utterances that look wrong',
  options: corpusStudyOptions,
  check(options, context) {
    const { attributes = [], bins = {}, values = {} } = options.coverage ?? {};
    const { by = [], shares = [] } = options.card ?? {};
    const { corpusBy = null } = options.coverage ?? {};
    const corpora = corpusBy === null ? [] : [corpusBy];
    const named = {
      attributes,
      bins: Object.keys(bins),
      values: Object.keys(values),
      card: [...by, ...shares],
      corpora,
    };
    return checkUtterances('corpus', { attributes: named }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const description = createDescription(options, normalizer);
    for await (const utterance of context.utterances()) description.addUtterance(utterance);
    if (description.withSound > 0) {
      const answers: AsyncIterable<Answer> = yield {
        about: 'the clean clips',
        size: description.withSound,
        questions: () => measurements(context),
      };
      for await (const answer of answers) {
        if (answer.ask !== 'measurement') continue;
        if (answer.measurement === null) description.addUnreadable(answer.utterance, answer.failure);
        else description.addSound(answer.utterance, answer.measurement);
      }
    }
    const outside = context.recognizers.flatMap(({ name, vocabulary }) =>
      vocabulary === null
        ? []
        : [outsideVocabulary(name, vocabulary, description.words, (text) => normalizer.words(text), wordsListed)],
    );
    return corpusFinding({ name: corpus.name, version: corpus.version }, options, normalizer, description, outside);
  },
};

async function* measurements(context: StudyContext): AsyncGenerator<Question> {
  for await (const utterance of context.utterances()) {
    if (utterance.sound !== undefined) yield { ask: 'measurement', utterance, condition: clean, draw: 0 };
  }
}
