import { badUsage } from '../../base/errors.ts';
import { defaultSeed } from '../../base/random.ts';
import { counted } from '../../base/wording.ts';
import { compareAnswers } from '../../compare/compare-answers.ts';
import { refuseMargin } from '../../compare/refuse-margin.ts';
import { countFamily } from '../../compare/run-family.ts';
import { testedInRun } from '../../compare/tested-in-run.ts';
import type { Finding } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import type { RunReport } from '../../model/run.ts';
import { clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { namedFindings } from '../../report/prepare/named-findings.ts';
import { besideNumbers } from '../../report/prepare/report-parts.ts';
import type { Answer, Batch, StudyContext } from '../../studies/contract.ts';
import { robustness } from '../../studies/robustness/robustness.ts';
import { defaultNormalizer } from '../../studies/shared/options.ts';
import { listed } from '../../studies/shared/wording.ts';
import { refusedUsage } from '../members/explain-issue.ts';
import { loadNormalizer } from '../members/load-normalizer.ts';
import { packageVersion } from '../version.ts';

/** What recognizers made of the same utterances, however it was read. */
export interface RecordedOutputs {
  /** Of recognizers, each once. */
  readonly names: readonly string[];
  readonly utterances: readonly {
    readonly utterance: Utterance & { readonly reference: string };
    /** By recognizer. */
    readonly heard: readonly string[];
  }[];
}

/** How outputs are compared. */
export interface OutputChoice {
  /** Name of a normalizer, or the path of a module with one of the user's own, meant from `baseFolder`; absent: as a run counts. */
  readonly normalizer?: string;
  readonly baseFolder: string;
  readonly resamples?: number;
  /** A share of words within which two rates are the same; of two recognizers alone. */
  readonly margin?: number;
  /** Whether groups were asked for; if absent, where an utterance has an attribute. */
  readonly hasGroups?: boolean;
  /** Where a reader can name speakers; files if absent. */
  readonly speakersFrom?: StudyContext['speakersFrom'];
}

/**
 * Compares outputs of recognizers on clean audio as a run of the study `robustness` does: the same numbers, tests and verdicts, without config, store or
 * audio. Of two recognizers also what changed from the first to the second.
 *
 * @throws EarwitnessError `bad-config` where there is no such normalizer, `bad-usage` for a margin of more than two recognizers
 * @example await compareOutputs({ names: ['a', 'b'], utterances }, { baseFolder: process.cwd() })
 */
export async function compareOutputs(outputs: RecordedOutputs, choice: OutputChoice): Promise<RunReport> {
  const { names, utterances } = outputs;
  const { margin, hasGroups = utterances.some(({ utterance }) => Object.keys(utterance.attributes).length > 0) } =
    choice;
  refuseMargin(margin);
  if (margin !== undefined && names.length !== 2) {
    throw badUsage(`expected two outputs with a margin, but got ${names.length}; name two`);
  }
  const ranking = await rankOutputs(outputs, choice);
  const change = names.length === 2 ? await changeOf(outputs, ranking, choice) : null;
  const findings = change === null ? [ranking] : [change, change.unchanged ? ranking : apartAbove(ranking, hasGroups)];
  const trials = utterances.length * names.length;
  return {
    earwitness: packageVersion(),
    run: { name: names.join(' and '), seed: defaultSeed },
    recognizers: names.map((name) => ({ name, identity: { recorded: name } })),
    tally: { trials, answered: trials, failed: 0, reused: 0, failures: {}, possiblyPaid: 0 },
    failures: [],
    findings: namedFindings(findings, []),
    warnings: [],
    timing: {},
  };
}

/** Of two the change says how far they are apart, in one direction; that groups cannot be compared is news where they were asked for. */
function apartAbove(ranking: Finding, hasGroups: boolean): Finding {
  if (ranking.scores === undefined) return ranking;
  const told = besideNumbers(ranking);
  const answer = ranking.answer.map(({ headline, ...one }) => ({
    ...one,
    ...(headline && (hasGroups || !told.includes(one.text)) && { headline }),
  }));
  return { ...ranking, answer, scores: { ...ranking.scores, apartElsewhere: true } };
}

async function rankOutputs(
  { names, utterances }: RecordedOutputs,
  { normalizer = defaultNormalizer, baseFolder, resamples, speakersFrom = 'files' }: OutputChoice,
): Promise<Finding> {
  const context: StudyContext = {
    async *utterances() {
      for (const { utterance } of utterances) yield utterance;
    },
    utteranceCount: utterances.length,
    recognizers: names.map((name) => ({
      ...{ name, input: 'names', facts: {}, pricePerMinute: null, vocabulary: null },
    })),
    ladders: [],
    normalizer: (name) => loadNormalizer(name, baseFolder),
    seed: defaultSeed,
    speakersFrom,
  };
  const options = { conditions: [], normalizer, ...(resamples !== undefined && { resamples }) };
  const { data, error } = robustness.options.safeParse(options);
  if (error) throw refusedUsage(error, options);
  const asking = robustness.run(data, context);
  const heard = new Map(utterances.map(({ utterance, heard }) => [utterance.id, heard]));
  let step = await asking.next();
  while (!step.done) {
    step = await asking.next(
      answersTo(step.value, ({ utterance, recognizer }) => heard.get(utterance.id)![names.indexOf(recognizer)]!),
    );
  }
  return { ...step.value, title: names.length === 2 ? listed(names) : counted(names.length, 'output') };
}

function said(text: string): Observation & { readonly failure?: undefined } {
  return { transcript: { text }, soundSeconds: null, timing: { seconds: 0, calls: 0 } };
}

async function* answersTo(
  batch: Batch,
  textOf: (trial: { readonly utterance: Utterance; readonly recognizer: string }) => string,
): AsyncGenerator<Answer> {
  for await (const question of batch.questions())
    if (question.ask === 'recognition') yield { ...question, observation: said(textOf(question.trial)) };
}

/** What changed from the first to the second, with the verdicts of the ranking. */
async function changeOf(
  { names, utterances }: RecordedOutputs,
  ranking: Finding,
  { normalizer: wanted = defaultNormalizer, baseFolder, resamples, margin, speakersFrom = 'files' }: OutputChoice,
): Promise<Finding> {
  const [before, after] = names as [string, string];
  const normalizer = await loadNormalizer(wanted, baseFolder);
  const tested = testedInRun([ranking], before, after);
  async function* trials() {
    for (const { utterance, heard } of utterances)
      for (const [recognizer, text] of heard.entries())
        yield { utterance, conditionName: clean.name, draw: 0, repeat: 0, recognizer, observation: said(text) };
  }
  async function* pairs() {
    for (const { utterance, heard } of utterances) {
      const [one, other] = heard.map(said) as [Observation, Observation];
      yield { utterance, conditionName: clean.name, draw: 0, repeat: 0, before: one, after: other };
    }
  }
  const change = await compareAnswers(pairs(), {
    ...{ beforeLabel: before, afterLabel: after, normalizer, seed: defaultSeed },
    ...(resamples !== undefined && { resamples }),
    ...(margin !== undefined && { margin }),
    speakersFrom,
    unpaired: { onlyBefore: 0, onlyAfter: 0 },
    family: {
      recognizers: names,
      by: 'the ranking',
      studies: tested?.studies ?? 0,
      known: tested?.known ?? (() => null),
      ranks: tested?.ranks ?? null,
      counts: await countFamily(trials(), 2, [0, 1], (text, language) => normalizer.words(text, language)),
    },
  });
  const about = { recognizer: after, than: { recognizer: before } };
  return {
    ...change,
    answer: change.answer.map((one) => (one.verdict === undefined ? one : { ...one, about })),
  };
}
