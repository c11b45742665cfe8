import { type Answer, type Batch, clean, type Finding, type Study } from 'earwitness';
import { countEdits, errors } from 'earwitness/scoring';
import {
  allTrials,
  chosenNormalizer,
  cubeWarnings,
  failuresSection,
  failureWarnings,
  gapsTable,
  groupsOf,
  intervalOptions,
  normalizerOption,
  openCube,
  pairsTable,
  whole,
} from 'earwitness/studies';
import { z } from 'zod';

const options = z.strictObject({
  ...intervalOptions,
  groupBy: z.array(z.string()).default([]).describe('Attributes of speakers whose groups are compared'),
  normalizer: normalizerOption.describe('Text normalizer'),
});

/** What counts of an answer. */
interface Scored {
  readonly errors: number;
  readonly words: number;
  /** Words per second; null where the length of the audio is not known. */
  readonly pace: number | null;
}

const lengths = ['1 to 5 words', '6 to 10 words', 'more than 10 words'];
const paces = ['under 2 words/s', '2 to 3 words/s', '3 words/s or more'];

/** Which of three classes a value is in: below the first limit, below the second, or neither. */
const classOf = (names: readonly string[], value: number, [first, second]: readonly [number, number]): string =>
  names[value < first ? 0 : value < second ? 1 : 2] ?? '';

/** Are short sentences, or fast ones, misrecognized more often? */
export const pace: Study<z.output<typeof options>> = {
  name: 'pace',
  version: 1,
  about: 'WER by length of the sentence and by speaking rate',
  options,
  async *run(chosen, context): AsyncGenerator<Batch, Finding, AsyncIterable<Answer>> {
    const { groupBy, level, resamples, minimumSpeakers } = chosen;
    const normalizer = await chosenNormalizer(context, chosen.normalizer);
    const cube = openCube<Scored>()({
      series: context.recognizers.map(({ name }) => name),
      conditions: [clean.name],
      counts: {
        errors: { label: 'Errors', of: (scored) => scored.errors },
        words: { label: 'Words said', of: ({ words }) => words },
      },
      ratios: { wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'], empty: { code: 'no-words' } } },
      slices: {
        all: whole,
        length: {
          columns: [{ key: 'length', label: 'Sentence', kind: 'text' }],
          order: lengths,
          of: ({ words }) => [[classOf(lengths, words, [6, 11])]],
        },
        pace: {
          columns: [{ key: 'pace', label: 'Speaking rate', kind: 'text' }],
          order: paces,
          of: (scored) => (scored.pace === null ? [] : [[classOf(paces, scored.pace, [2, 3])]]),
        },
        group: groupsOf(groupBy),
      },
      unit: 'speaker',
      words: 'words',
      settings: { level, resamples, minimumSpeakers, seed: context.seed },
    });

    const answers = yield await allTrials(context, [clean], 'the clean clips');
    await cube.fill(answers, ({ trial: { utterance }, observation: { transcript, soundSeconds } }) => {
      if (utterance.reference === undefined) return null;
      const [said, heard] = [utterance.reference, transcript.text].map((text) =>
        normalizer.words(text, utterance.language),
      );
      const words = said?.length ?? 0;
      return {
        errors: errors(countEdits(said ?? [], heard ?? [])),
        words,
        pace: soundSeconds ? words / soundSeconds : null,
      };
    });

    const pairs = cube.pairs('wer');
    return {
      study: { name: 'pace', version: 1 },
      title: 'Length and speaking rate',
      settings: { ...chosen, normalizer: normalizer.name },
      answer: [
        ...pairs.map(({ first, second, comparison }) => {
          return { text: `${second} compared with ${first}:`, comparison, verdict: comparison.verdict };
        }),
        ...cube.rows('all').map(({ series, ratios }) => ({ text: `WER of ${series}:`, estimate: ratios.wer })),
      ],
      sections: [
        {
          id: 'pace',
          title: 'By length and speaking rate',
          charts: [cube.chart('pace', 'wer', 'WER by speaking rate')],
          tables: [
            cube.table('length', 'pace-length', 'By length'),
            cube.table('pace', 'pace-rate', 'By speaking rate'),
          ],
        },
        {
          id: 'pace-groups',
          title: 'Groups',
          tables: [
            cube.table('group', 'pace-groups', 'WER by group'),
            gapsTable(cube.gaps('wer', 'group'), 'pace-gaps', 'Gaps'),
          ],
        },
        {
          id: 'pace-pairs',
          title: 'Comparisons',
          tables: [pairsTable(pairs, 'pace-pairs', 'On the clips that both answered')],
        },
        failuresSection('pace', 'A failed trial is left out.', cube.trials),
      ],
      warnings: [
        ...failureWarnings(cube.trials, 'these trials are left out'),
        ...cubeWarnings(cube, 'speaker', minimumSpeakers),
      ],
    };
  },
};
