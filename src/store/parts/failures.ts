import { foreignLimits } from '../../base/foreign-data.ts';
import type { FailureReason, RecognizerFailures } from '../../model/run.ts';
import type { FailuresOfKind, HeardLanguage, InapplicableCondition, OddAnswers, Store } from '../contract.ts';
import type { Database } from '../database.ts';
import { intactRowSql } from './checksums.ts';
import { blob, carriedOf } from './rows.ts';
import type { RunNumber } from './runs.ts';

/** Messages that are all different are counted together from here on: nobody reads so many. */
const maxShapes = 1000;
const shownReasons = 5;

interface FailedRow {
  readonly recognizer: number;
  readonly kind: FailureReason['kind'];
  readonly message: string;
  readonly utterance_id: string;
}

interface AnswersSeen {
  answers: number;
  wrote: number;
  /** How many have more than one line. */
  more: number;
  /** Of all of them; empty where they differ. */
  firstLine: string;
  /** The first of those that were asked about. */
  readonly utterances: Set<number>;
}

/** What is the same for so many utterances is none of their words. */
const enoughUtterances = 3;

/** The trials of a run, with their places and what came of them: what several studies ask is one trial. */
const eachOnce = `SELECT recognizer, utterance, max(observation) AS found, min(batch) AS batch, min(position) AS position
  FROM run_trials WHERE run = ? AND recognizer IS NOT NULL GROUP BY recognizer, utterance, condition, draw, repeat`;

/** Why trials of a run failed. */
export function failuresPart(
  database: Database,
  numberOf: RunNumber,
): Pick<
  Store,
  'failures' | 'failureKinds' | 'failedBefore' | 'oddAnswers' | 'leftOut' | 'heardLanguages' | 'inapplicable'
> {
  const failure = database.prepare('SELECT 1 FROM observations WHERE key = ? AND failure_kind IS NOT NULL LIMIT 1');
  const recognizers = database
    .prepare(`SELECT recognizers FROM runs WHERE number = ? AND ${intactRowSql('runs')}`)
    .pluck();
  const namesOf = (run: number) => JSON.parse(recognizers.get(run) as string) as readonly { readonly name: string }[];
  return {
    failedBefore: (key) => failure.get(blob(key)) !== undefined,
    oddAnswers(runId) {
      const run = numberOf(runId);
      const answers = database
        .prepare(
          `SELECT recognizer, transcript, utterance FROM (${eachOnce}) AS trials
           JOIN observations ON observations.number = found AND ${intactRowSql('observations')} WHERE transcript IS NOT NULL`,
        )
        .iterate(run) as Iterable<{
        recognizer: number;
        transcript: string;
        utterance: number;
      }>;
      const counts = new Map<number, AnswersSeen>();
      for (const { recognizer, transcript, utterance } of answers) {
        const firstLine = transcript.split('\n', 1)[0]!.replace(/[\r ]+$/, '');
        let seen = counts.get(recognizer);
        if (seen === undefined) {
          seen = { answers: 0, wrote: 0, more: 0, firstLine, utterances: new Set() };
          counts.set(recognizer, seen);
        }
        seen.answers++;
        if (/[^\t\n\r ]/.test(transcript)) seen.wrote++;
        if (transcript.includes('\n')) seen.more++;
        if (seen.firstLine !== firstLine) seen.firstLine = '';
        if (seen.utterances.size < enoughUtterances) seen.utterances.add(utterance);
      }
      const names = namesOf(run);
      return [...counts]
        .flatMap(([number, { answers, wrote, more, firstLine, utterances }]): OddAnswers[] => {
          const recognizer = names[number]!.name;
          if (wrote === 0) return [{ recognizer, answers, odd: 'no word' }];
          // Where nothing was heard, the line stands alone; one sound under several conditions may well begin the same.
          const same = firstLine.trim() !== '' && more > answers / 2 && utterances.size === enoughUtterances;
          return same ? [{ recognizer, answers, odd: 'same first line' }] : [];
        })
        .sort((a, b) => (a.recognizer < b.recognizer ? -1 : 1));
    },
    leftOut(runId) {
      // Those alone that have as many lists and objects at all.
      const carried = database
        .prepare(
          `SELECT extra FROM (SELECT DISTINCT found FROM (${eachOnce}) AS trials) AS found_once JOIN observations ON observations.number = found AND ${intactRowSql('observations')}
           WHERE length(extra) - length(replace(replace(extra, '{', ''), '[', '')) >= ?`,
        )
        .iterate(numberOf(runId), foreignLimits.depth) as Iterable<{ readonly extra: string }>;
      let count = 0;
      for (const { extra } of carried) if (carriedOf(extra).leftOut) count++;
      return count;
    },
    heardLanguages(runId) {
      const run = numberOf(runId);
      const names = namesOf(run);
      const counts = database
        .prepare(
          `SELECT recognizer, json_extract(run_utterances.utterance, '$.language') AS spoken,
                  json_extract(CASE WHEN json_valid(extra) THEN extra END, '$.details.language') AS heard, count(*) AS answers
           FROM (${eachOnce}) AS trials
           JOIN observations ON observations.number = found AND ${intactRowSql('observations')}
           JOIN run_utterances ON run_utterances.run = ? AND run_utterances.position = trials.utterance AND ${intactRowSql('run_utterances')}
           WHERE json_type(CASE WHEN json_valid(extra) THEN extra END, '$.details.language') = 'text'
           GROUP BY recognizer, spoken, heard`,
        )
        .all(run, run) as (Omit<HeardLanguage, 'recognizer'> & { readonly recognizer: number })[];
      return counts.map((one) => ({ ...one, recognizer: names[one.recognizer]!.name }));
    },
    inapplicable(runId) {
      return database
        .prepare(
          `SELECT json_extract(run_conditions.condition, '$.name') AS condition, count(DISTINCT utterance) AS utterances, min(failure_message) AS message
           FROM run_trials JOIN observations ON observations.number = observation AND ${intactRowSql('observations')}
           JOIN run_conditions ON run_conditions.run = run_trials.run AND run_conditions.position = run_trials.condition
           WHERE run_trials.run = ? AND failure_kind = 'inapplicable' GROUP BY run_trials.condition, run_conditions.condition ORDER BY run_trials.condition`,
        )
        .all(numberOf(runId)) as InapplicableCondition[];
    },
    failures(runId) {
      const run = numberOf(runId);
      const names = namesOf(run);
      const asked = database
        .prepare(
          // Nobody was asked what cannot be asked.
          `SELECT recognizer, count(*) AS trials FROM (${eachOnce}) AS trials LEFT JOIN observations ON observations.number = found
           WHERE failure_kind IS DISTINCT FROM 'inapplicable' GROUP BY recognizer`,
        )
        .all(run) as readonly { readonly recognizer: number; readonly trials: number }[];
      const failed = database
        .prepare(
          `SELECT recognizer, failure_kind AS kind, coalesce(failure_message, '') AS message, utterance_id
           FROM (${eachOnce}) AS trials
           JOIN observations ON observations.number = found AND ${intactRowSql('observations')}
           WHERE failure_kind <> 'inapplicable' ORDER BY batch, position`,
        )
        .iterate(run) as Iterable<FailedRow>;
      const tallies = asked.map(({ recognizer, trials }) => ({
        recognizer,
        trials,
        failed: 0,
        shapes: new Map<string, FailureReason>(),
      }));
      const byRecognizer = new Map(tallies.map((tally) => [tally.recognizer, tally]));
      for (const row of failed) {
        const tally = byRecognizer.get(row.recognizer)!;
        tally.failed++;
        count(tally.shapes, row);
      }
      return tallies
        .filter((tally) => tally.failed > 0)
        .map(
          ({ recognizer, trials, failed, shapes }): RecognizerFailures => ({
            recognizer: names[recognizer]!.name,
            trials,
            failed,
            // Sorting keeps the order of equals: of reasons as frequent, the first met.
            reasons: [...shapes.values()].sort((a, b) => b.count - a.count).slice(0, shownReasons),
          }),
        );
    },
    failureKinds(runId) {
      const run = numberOf(runId);
      const names = namesOf(run);
      const kinds = database
        .prepare(
          `SELECT recognizer, failure_kind AS kind, count(*) AS count
           FROM (${eachOnce}) AS trials
           JOIN observations ON observations.number = found AND ${intactRowSql('observations')}
           WHERE failure_kind <> 'inapplicable' GROUP BY recognizer, failure_kind ORDER BY recognizer, count(*) DESC, failure_kind`,
        )
        .all(run) as readonly (Omit<FailuresOfKind, 'recognizer'> & { readonly recognizer: number })[];
      return kinds.map(({ recognizer, kind, count }) => ({ recognizer: names[recognizer]!.name, kind, count }));
    },
  };
}

function count(shapes: Map<string, FailureReason>, { kind, message, utterance_id }: FailedRow): void {
  const shape = `${kind}\0${shapeOf(message, utterance_id)}`;
  const known = shapes.get(shape);
  if (known !== undefined) {
    shapes.set(shape, { ...known, count: known.count + 1, varied: known.varied || known.message !== message });
  } else if (shapes.size < maxShapes) {
    shapes.set(shape, { kind, message, count: 1, varied: false });
  }
}

/** A message without what differs from trial to trial: the utterance, quoted texts, files, and fractions of seconds. */
function shapeOf(message: string, utteranceId: string): string {
  const name = new RegExp(`(?<![\\p{L}\\p{N}])${literal(utteranceId)}(?![\\p{L}\\p{N}])`, 'gu');
  return message
    .replace(name, '…')
    .replace(/"[^"]*"/g, '…')
    .replace(/^[^:"]*[^\s:"]\.\w{2,5}(?=:)/, '…')
    .replace(/[^\s"':;,()]*[\\/][^\s"':;,()]*/g, '…')
    .replace(/\d+\.\d+/g, '…');
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
