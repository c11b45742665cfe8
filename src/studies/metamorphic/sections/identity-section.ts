import type { Section } from '../../../model/finding.ts';
import { recognizerColumn, speakersColumn } from '../../shared/columns.ts';
import type { Design } from '../design.ts';
import type { FirstAnswers } from '../first-answers.ts';
import type { Results } from '../results.ts';

/** What each recognizer does with nothing changed. */
export function identitySection({ identity }: Results, design: Design, { contradicted }: FirstAnswers): Section {
  const title = 'Identity control: the same clip again';
  const id = 'metamorphic-identity';
  if (design.recognitions < 2) {
    return { id, title, text: ['No clean clip was recognized again, so what comes with nothing changed is unknown.'] };
  }
  const several = new Set(identity.map(({ language }) => language)).size > 1;
  return {
    id,
    title,
    text: [
      `Clean clips were recognized ${design.recognitions} times. A violation of a clip whose own recognitions differ may have nothing to do with the change.`,
    ],
    tables: [
      {
        id,
        title: 'Transcripts of the same clean clips',
        columns: [
          ...(several ? [{ key: 'language', label: 'Language', kind: 'text' as const }] : []),
          recognizerColumn,
          {
            key: 'same',
            label: 'Two recognitions agree',
            kind: 'rate',
            help: 'Fill rate of pairs of recognitions of one clip, each with each.',
          },
          {
            key: 'unsteady',
            label: 'Unsteady clips',
            kind: 'rate',
            help: 'Clips whose recognitions do not all agree.',
          },
          { key: 'unsteadyClips', label: 'Their number', kind: 'count' },
          { key: 'clips', label: 'Clips', kind: 'count' },
          { key: 'recognitions', label: 'Recognitions', kind: 'count' },
          speakersColumn,
          { key: 'declared', label: 'Declares itself', kind: 'text' },
        ],
        rows: identity.map(({ language, recognizer, differing, unsteady, cases }) => ({
          language,
          recognizer: design.recognizers[recognizer]!.name,
          same: opposite(differing),
          unsteady,
          unsteadyClips: cases.total('unsteady'),
          clips: unsteady.n.utterances,
          recognitions: cases.total('recognitions'),
          speakers: unsteady.n.speakers,
          declared: declaration(design, recognizer, contradicted[recognizer]!),
        })),
      },
    ],
  };
}

function declaration({ recognizers, checked }: Design, recognizer: number, contradicted: boolean): string {
  if (contradicted) return 'deterministic, and is not';
  if (checked[recognizer] !== null) return 'deterministic, checked on a sample';
  return recognizers[recognizer]!.facts.deterministic === true ? 'deterministic' : 'nothing';
}

function opposite<Interval extends { value: number | null; low: number | null; high: number | null }>(
  one: Interval,
): Interval {
  const of = (value: number | null) => (value === null ? null : 1 - value);
  return { ...one, value: of(one.value), low: of(one.high), high: of(one.low) };
}
