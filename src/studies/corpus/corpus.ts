import { asJson, type JsonObject } from '../../base/json.ts';
import { grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { BarChart, Finding, Section, Statement } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { type Normalizer, normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Question, Study, StudyContext } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { chosenNormalizer, namedNormalizer } from '../shared/options.ts';
import { machineVoices } from '../shared/speaker-warnings.ts';
import { percent } from '../shared/wording.ts';
import { coverageReport } from './coverage.ts';
import {
  createDescription,
  type Description,
  type OutsideVocabulary,
  outsideVocabulary,
  suspicionKinds,
  suspicionsListed,
  suspicious,
} from './description.ts';
import { type CorpusStudyOptions, corpusStudyOptions } from './options.ts';
import type { AttributeGroups, SoundTotals } from './sound-totals.ts';
import {
  attributeTable,
  languageTable,
  outsideTable,
  outsideWordTable,
  overviewTable,
  sampleRateTable,
  soundTable,
  suspicionKindTable,
  suspicionTable,
} from './tables.ts';

/** How many words outside of a recognizer's vocabulary are named. */
const wordsListed = 20;

/**
 * What the corpus is: clips, speakers, hours, groups, words, words that a recognizer cannot write, and utterances whose
 * sound or reference looks wrong. Asks for one measurement of each clean clip; utterances without sound are described
 * by their texts.
 */
export const corpus: Study<CorpusStudyOptions> = {
  name: 'corpus',
  version: 15,
  about: 'Contents of the corpus: clips, speakers, hours, groups, vocabulary, and suspicious utterances',
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
    const normalizer = await chosenNormalizer(context, namedNormalizer(options));
    const description = createDescription(options, normalizer);
    for await (const utterance of context.utterances()) description.addUtterance(utterance);
    if (description.counts.withSound > 0) {
      const answers: AsyncIterable<Answer> = yield {
        about: 'the clean clips',
        size: description.counts.withSound,
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
    const finding = corpusFinding(
      { name: corpus.name, version: corpus.version },
      options,
      normalizer,
      description,
      outside,
    );
    return { ...finding, warnings: [...(await machineVoices(context)), ...finding.warnings] };
  },
};

async function* measurements(context: StudyContext): AsyncGenerator<Question> {
  for await (const utterance of context.utterances()) {
    if (utterance.sound !== undefined) yield { ask: 'measurement', utterance, condition: clean, draw: 0 };
  }
}

/** Values of an attribute that are shown, the most frequent first. */
const valuesListed = 20;

/** Puts what was counted into sentences and tables. */
function corpusFinding(
  study: Finding['study'],
  options: CorpusStudyOptions,
  normalizer: Normalizer,
  description: Description,
  outside: readonly OutsideVocabulary[],
): Finding {
  const sounds = description.sounds();
  const languages = description.languages.largest(valuesListed)[0]?.largest ?? [];
  const attributes = description.attributes.largest(valuesListed);
  const { suspicions } = description;
  const listed = suspicions.listed(suspicionsListed);
  const coverage =
    description.coverage === null || options.coverage === undefined
      ? null
      : coverageReport(description.coverage, options.coverage);

  const sections: Section[] = [
    {
      id: 'corpus-size',
      title: 'What the corpus holds',
      text: extremes(sounds),
      tables: [
        overviewTable(description, sounds, normalizer),
        ...(description.card === null ? [] : [description.card.table()]),
        languageTable(languages),
      ],
    },
  ];
  if (attributes.length > 0) {
    sections.push({
      id: 'corpus-groups',
      title: 'How many clips each group has',
      text: [...unknown(attributes, description.counts.clips), ...unbroken(attributes)],
      bars: attributes.flatMap(({ attribute, values, largest }): BarChart[] =>
        values === null || values < 2
          ? []
          : [
              {
                title: attribute,
                label: 'Clips',
                kind: 'count',
                series: ['clips'],
                rows: largest.map(({ value, clips }) => ({ name: value, values: [clips] })),
              },
            ],
      ),
      tables: [attributeTable(attributes)],
    });
  }
  if (coverage !== null) sections.push(coverage.section);
  if (sounds.clips > 0) {
    sections.push({ id: 'corpus-sound', title: 'Sound', tables: [soundTable(sounds), sampleRateTable(sounds)] });
  }
  if (outside.length > 0) {
    sections.push({
      id: 'corpus-vocabulary',
      title: 'Out-of-vocabulary words',
      tables: [outsideTable(outside), outsideWordTable(outside)],
    });
  }
  if (suspicions.total > 0) {
    sections.push({
      id: 'corpus-suspicions',
      title: 'Suspicious utterances',
      text: [
        ...(listed.length < suspicions.total
          ? [`${grouped(listed.length)} of ${grouped(suspicions.total)} are listed.`]
          : []),
        ...(description.counts.withoutBlanks > 0
          ? [
              `Words per second are not checked for ${counted(description.counts.withoutBlanks, 'reference')} in scripts without blanks between words.`,
            ]
          : []),
      ],
      tables: [suspicionKindTable(suspicions), suspicionTable(listed)],
    });
  }
  return {
    study,
    title: 'The corpus',
    settings: asJson({ ...options, ...suspicious, normalizer: normalizerIdentity(normalizer) }) as JsonObject,
    answer: [...answerOf(description, sounds, outside), ...(coverage?.answer ?? [])],
    sections,
    warnings: [...warningsOf(description, sounds), ...foreign(outside)],
  };
}

function answerOf(
  description: Description,
  sounds: SoundTotals,
  outside: readonly OutsideVocabulary[],
): readonly Statement[] {
  const { speakers, words, suspicions } = description;
  const { clips, tokens } = description.counts;
  const who = speakers.size === 0 ? 'of unknown speakers' : `of ${counted(speakers.size, 'speaker')}`;
  const length = sounds.clips === 0 ? 'no audio' : lengthInWords(sounds.seconds);
  const said =
    tokens === 0 ? 'no words known' : `${counted(tokens, 'reference word')} (${grouped(words.size)} distinct)`;
  const statements: Statement[] = [
    {
      text: `${counted(clips, 'utterance')} ${who}, ${length}, ${said}.`,
    },
  ];
  for (const { recognizer, tokensOutside, tokenShare } of outside) {
    if (tokenShare === null) continue;
    const text =
      tokensOutside === 0
        ? `Every word is in the vocabulary of ${recognizer}.`
        : `${percent(tokenShare, 1)} of the words are out of vocabulary for ${recognizer}: it cannot recognize them.`;
    statements.push({ text });
  }
  if (suspicions.total > 0) {
    const kinds = suspicionKinds.filter((kind) => suspicions.count(kind) > 0);
    const list = kinds.map((kind) => `${kind} ${grouped(suspicions.count(kind))}`).join(', ');
    statements.push({ text: `Suspicious utterances: ${list}.` });
  }
  return statements;
}

function extremes({ shortest, longest }: SoundTotals): string[] {
  if (shortest === null || longest === null) return [];
  return [
    `The shortest clip is ${shortest.utteranceId} (${shortest.seconds.toFixed(2)} s), the longest ${longest.utteranceId} (${longest.seconds.toFixed(2)} s).`,
  ];
}

/** Groups hold those alone of whom the attribute is known. */
function unknown(attributes: readonly AttributeGroups[], clips: number): string[] {
  const missing = attributes.filter(({ known }) => known < clips);
  if (missing.length === 0) return [];
  const parts = missing.map(({ attribute, known }) => `${attribute} of ${grouped(clips - known)}`);
  return [`Not known, and in no group below: ${parts.join(', ')} (of ${counted(clips, 'utterance')}).`];
}

function unbroken(attributes: readonly AttributeGroups[]): string[] {
  const names = attributes.filter(({ values }) => values === null).map(({ attribute }) => attribute);
  return names.length === 0 ? [] : [`Not broken down, because they have more than 1,000 values: ${names.join(', ')}.`];
}

const ratesNamed = 5;

function warningsOf(description: Description, sounds: SoundTotals): string[] {
  const { suspicions, attributes } = description;
  const { clips, withSound, withReference, withoutSpeaker, undivided } = description.counts;
  const unreadable = suspicions.count('unreadable audio');
  return [
    withSound < clips &&
      `${withSound === 0 ? 'There is no audio to play' : `${grouped(clips - withSound)} of ${grouped(clips)} utterances have no audio to play`}; the transcripts were recorded earlier.`,
    unreadable > 0 &&
      `The audio of ${grouped(unreadable)} of ${grouped(withSound)} utterances could not be read, and is not counted in the hours.`,
    withReference < clips && `${grouped(clips - withReference)} of ${grouped(clips)} utterances have no reference.`,
    // Where nobody is known, the answer says so.
    withoutSpeaker > 0 &&
      withoutSpeaker < clips &&
      `For ${grouped(withoutSpeaker)} of ${grouped(clips)} utterances no speaker is known: intervals that need speakers leave them out or cannot be given.`,
    undivided > 0 &&
      `${grouped(undivided)} of ${grouped(withReference)} references are in scripts without blanks between words, and the normalizer does not divide them: stretches between blanks count as words. Set the language of the corpus.`,
    attributes.passedOver > 0 && 'There are more than 200 attributes: only the first 200 are broken down.',
    sounds.clips > 0 && sounds.seconds === 0 && 'All clips are empty.',
    sounds.sampleRates.length > 1 &&
      `The clips have ${sounds.sampleRates.length} sample rates (${sounds.sampleRates
        .slice(0, ratesNamed)
        .map(({ sampleRate, clips: count }) => `${sampleRate / 1000} kHz in ${grouped(count)}`)
        .join(', ')}): perturbed, all are made at one; clean, each is heard as it is.`,
  ].filter((warning) => warning !== false);
}

/** A text of its language has few words that a recognizer cannot write; of another language half and more. */
const foreignShare = 1 / 3;

function foreign(outside: readonly OutsideVocabulary[]): string[] {
  return outside
    .filter(({ tokenShare }) => tokenShare !== null && tokenShare > foreignShare)
    .map(
      ({ recognizer, tokenShare }) =>
        `${recognizer} cannot write ${percent(tokenShare!, 1)} of the words: is it a recognizer for this language? Its errors on these words say nothing of how it recognizes.`,
    );
}

function lengthInWords(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} seconds`;
  return seconds < 3600 ? `${(seconds / 60).toFixed(1)} minutes` : `${(seconds / 3600).toFixed(1)} hours`;
}
