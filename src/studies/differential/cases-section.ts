import type { Example, Section } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import { alignedTranscript } from '../shared/aligned-transcript.ts';
import { counted, named } from '../shared/wording.ts';
import type { KeptCases } from './cases-of.ts';
import { countStatus } from './heard.ts';
import type { DifferentialResults } from './results.ts';

/** Rows that the report shows; the data has all that are kept. */
const shownRows = 100;

/** Failed tests as rows, and some of them to be heard. */
export function casesSection(results: DifferentialResults, { cases, leftOut }: KeptCases): Section {
  const failed = cases.filter(({ status }) => status === 'failed');
  const rows = failed.slice(0, shownRows);
  const more = failed.length - rows.length;
  const examples = examplesOf(results);
  return {
    id: 'differential-cases',
    title: 'Failed tests',
    ...(failed.length === 0 ? { text: ['No test failed.'] } : {}),
    tables: [
      {
        id: 'differential-cases',
        title: 'What was to be said, and what was written',
        columns: [
          { key: 'voice', label: 'Voice', kind: 'text' },
          { key: 'condition', label: 'Sound', kind: 'text' },
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'text', label: 'Text', kind: 'text', transcript: true },
          { key: 'transcript', label: 'Transcript', kind: 'text', transcript: true },
          { key: 'tolerant', label: 'By the tolerant rule', kind: 'text' },
          { key: 'iteration', label: 'Iteration', kind: 'count' },
        ],
        rows: rows.map((row) => ({
          voice: row.voice,
          condition: row.sound.conditionName,
          recognizer: row.recognizer,
          text: row.text,
          transcript: row.transcript,
          tolerant: row.otherwise.tolerant ?? row.status,
          iteration: row.iteration,
        })),
        ...(more > 0 || leftOut > 0 ? { note: noteOf(more, leftOut) } : {}),
      },
    ],
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function noteOf(more: number, leftOut: number): string {
  const parts = [
    ...(more > 0 ? [`${counted(more, 'more failed test')} in the data of this finding`] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'row')} not kept, see mostCases`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** One voice after the other, so that all of them are heard; the texts that most recognizers failed first. */
function examplesOf({ searches, options, recognizers }: DifferentialResults): Example[] {
  const { rule } = options;
  const byVoice = searches.map(({ heard, tried }) => ({
    heard,
    texts: tried
      .filter((text) => countStatus(heard, [text], rule, 'failed') > 0)
      .sort((a, b) => countStatus(heard, [b], rule, 'failed') - countStatus(heard, [a], rule, 'failed')),
  }));
  const longest = Math.max(0, ...byVoice.map(({ texts }) => texts.length));
  const turns = Array.from({ length: Math.min(longest, options.examples) }, (_, turn) => turn);
  return turns
    .flatMap((turn) =>
      byVoice.flatMap(({ heard, texts }) => (turn < texts.length ? [{ heard, text: texts[turn]! }] : [])),
    )
    .slice(0, options.examples)
    .map(({ heard, text }): Example => {
      const { text: words, utterance } = heard.pool.texts[text]!;
      const { transcripts, failures } = heard.at(text)!;
      const failing = countStatus(heard, [text], rule, 'failed');
      return {
        title: `${named(heard.pool.name)}: ${counted(failing, 'recognizer')} of ${recognizers.length} failed`,
        utteranceId: utterance.id,
        conditionName: heard.pool.condition.name,
        draw: 0,
        transcripts: recognizers.map(({ name }, index) =>
          alignedTranscript(name, words.split(' '), observed(transcripts[index]!, failures[index]!), (one) =>
            one.split(' ').filter((word) => word !== ''),
          ),
        ),
      };
    });
}

function observed(
  transcript: string | null,
  kind: NonNullable<Observation['failure']>['kind'] | null,
): Observation | undefined {
  const rest = { soundSeconds: null, timing: { seconds: 0, calls: 0 } };
  if (transcript !== null) return { ...rest, transcript: { text: transcript } };
  return kind === null ? undefined : { ...rest, failure: { kind, message: 'no transcript' } };
}
