import { isoTime } from '../../base/clock.ts';
import { foreignLimits } from '../../base/foreign-data.ts';
import type { JsonObject } from '../../base/json.ts';
import { knownLanguageTag } from '../../base/language-tag.ts';
import { grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Example, Finding } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { clean, conditionsInWords } from '../../model/trial.ts';

import { namedFindings } from '../../report/prepare/named-findings.ts';
import { examplesOf, withExamples } from '../../report/prepare/report-parts.ts';
import { spellingTogether, watchSpelling } from '../../scoring/analysis/spelling-errors.ts';
import { watchWords } from '../../scoring/normalizers/basic.ts';
import { mixesUnits } from '../../scoring/normalizers/by-language.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { normalizerNamed, normalizerOfFinding } from '../../scoring/normalizers/normalizers.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import { packageVersion } from '../version.ts';

/**
 * What is reported of a run. What differs between two runs of the same stands in `timing`.
 *
 * @param seconds how long it took; null where nobody knows
 */
export function reportOf(
  store: Pick<Store, 'tally' | 'failures' | 'spent' | 'conditions'>,
  run: RunRecord,
  findings: readonly Finding[],
  warnings: readonly string[],
  seconds: number | null,
): RunReport {
  const { money, speech } = store.spent(run.id);
  const paid = Object.entries(money).filter(([, total]) => total > 0);
  return {
    earwitness: packageVersion(),
    run: { name: run.name, seed: run.seed },
    recognizers: run.recognizers.map(({ name, identity }) => ({ name, identity })),
    tally: store.tally(run.id),
    failures: store.failures(run.id),
    findings: namedFindings(findings, studyNames(run), conditionsInWords(store.conditions(run.id))),
    warnings,
    timing: {
      run: run.id,
      started: isoTime(run.startedAtMs),
      finished: run.finishedAtMs === null ? null : isoTime(run.finishedAtMs),
      // Only recognizers that can change behind their names have one.
      epochs: Object.fromEntries(run.recognizers.flatMap(({ name, epoch }) => (epoch === null ? [] : [[name, epoch]]))),
      seconds: seconds === null ? null : Math.round(seconds * 1000) / 1000,
      ...(paid.length > 0 && {
        spent: Object.fromEntries(
          paid.map(([currency, total]) => [currency, { total, speech: speech[currency] ?? 0 }]),
        ),
      }),
    },
  };
}

const page = 500;

/** A report whose examples say in which language they were spoken; it says so itself where all utterances are in one. */
export function withLanguages(store: Pick<Store, 'utterances'>, runId: string, report: RunReport): RunReport {
  const shown = new Set(report.findings.flatMap(examplesOf).map(({ utteranceId }) => utteranceId));
  const languages = new Set<string>();
  const spoken = new Map<string, string>();
  for (let from = 0; ; from += page) {
    const utterances = store.utterances(runId, { from, limit: page });
    for (const { id, language } of utterances) {
      languages.add(language);
      if (shown.has(id)) spoken.set(id, language);
    }
    if (utterances.length < page) break;
  }
  const [language] = languages;
  if (languages.size === 1) return { ...report, language: language! };
  const told = (example: Example) => {
    const own = spoken.get(example.utteranceId);
    return own === undefined ? example : { ...example, language: own };
  };
  return { ...report, findings: report.findings.map((finding) => withExamples(finding, told)) };
}

/** What a finished run warned of; of one that earlier versions made, what its answers show. */
export function runWarnings(
  store: Pick<Store, 'oddAnswers' | 'warnings' | 'leftOut'>,
  runId: string,
): readonly string[] {
  const warned = store.warnings(runId) ?? oddAnswerWarnings(store, runId);
  return [...new Set([...warned, ...leftOutWarnings(store, runId)])];
}

/** One sentence, where earlier versions kept beside transcripts what no version keeps now. */
export function leftOutWarnings(store: Pick<Store, 'leftOut'>, runId: string): string[] {
  const count = store.leftOut(runId);
  if (count === 0) return [];
  return [
    `${counted(count, 'answer')} ${count === 1 ? 'is' : 'are'} read without what has more than ${foreignLimits.depth} lists and objects in each other beside the transcript (details that an earlier version kept); the transcript counts.`,
  ];
}

/** What fewer answers have in common may be chance. */
const minAnswers = 3;

/**
 * One sentence for each recognizer that never wrote a word (a program that prints elsewhere has a WER of 100 % too), or always begins
 * with the same line (`Loading model…`), whose words are scored. The line is not shown: a report may be one without transcripts.
 */
export function oddAnswerWarnings(store: Pick<Store, 'oddAnswers'>, runId: string): string[] {
  return store
    .oddAnswers(runId)
    .filter(({ answers }) => answers >= minAnswers)
    .map(({ recognizer, answers, odd }) => {
      const count = answers.toLocaleString('en-US');
      return odd === 'same first line'
        ? `${recognizer} begins each of its ${count} answers with the same line, whose words count as recognized: look at one (earwitness recognize FILE --recognizer …), and let the program print that line to standard error.`
        : `${recognizer} recognized no word in any of its ${count} answers: try it on a clip with speech (earwitness recognize FILE --recognizer …) before you trust its figures.`;
    });
}

/** One sentence about conditions that cannot be applied to some clips: true of both, and no failure of any recognizer. */
export function inapplicableWarnings(store: Pick<Store, 'inapplicable'>, runId: string): string[] {
  const found = store.inapplicable(runId);
  if (found.length === 0) return [];
  const named = found
    .slice(0, maxConditionsNamed)
    .map(({ condition, utterances }) => `${condition} to ${counted(utterances, 'utterance')}`);
  const more = found.length > named.length ? ` and ${counted(found.length - named.length, 'other condition')}` : '';
  return [
    `What cannot be applied was not asked of any recognizer, and stands in no rate: ${named.join(', ')}${more} (${found[0]!.message}).`,
  ];
}

const maxConditionsNamed = 5;

/** One sentence for each recognizer that says of answers that it heard another language than that of the utterance. */
export function otherLanguageWarnings(store: Pick<Store, 'heardLanguages'>, runId: string): string[] {
  const told = store.heardLanguages(runId).flatMap(({ heard, ...one }) => {
    const tag = knownLanguageTag(heard);
    return tag === null || [tag, one.spoken].some(isUnknown) ? [] : [{ ...one, heard: tag }];
  });
  return [...Map.groupBy(told, ({ recognizer }) => recognizer)].flatMap(([recognizer, all]) => {
    const others = all
      .filter(({ spoken, heard }) => languageItself(spoken) !== languageItself(heard))
      .sort((a, b) => b.answers - a.answers);
    const [most] = others;
    if (most === undefined) return [];
    const [count, of] = [others, all].map((some) => some.reduce((sum, { answers }) => sum + answers, 0)) as [
      number,
      number,
    ];
    const example = `${others.length > 1 ? 'most often ' : ''}${most.heard} in place of ${most.spoken}`;
    return [
      `${recognizer} says of ${count.toLocaleString('en-US')} of its ${counted(of, 'answer')} that it heard another language than that of the utterance (${example}): it may take no notice of the language that it is asked for.`,
    ];
  });
}

function isUnknown(tag: string): boolean {
  return ['und', 'mul', 'zxx', 'mis'].includes(tag);
}

/** Written forms of one language that services do not tell apart: Norwegian, and Chinese with the languages that share its name. */
const formsOf: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', yue: 'zh', wuu: 'zh', nan: 'zh', hak: 'zh' };

/** Without script and region. */
function languageItself(tag: string): string {
  const [primary = ''] = tag.toLowerCase().split('-', 1);
  return formsOf[primary] ?? primary;
}

/** So many references are looked at, in pages over the whole list: one that is sorted by language begins with one of them. */
const pagesLookedAt = 40;
const referencesOfPage = 25;

/**
 * One sentence for each normalizer of the findings that cannot find the words of references, and one where units differ by language; no word
 * is shown, as a report may be one without transcripts.
 */
export function wordWarnings(
  store: Pick<Store, 'run' | 'utterances'>,
  runId: string,
  findings: readonly Finding[],
): string[] {
  // The corpus is added to every run and scores nothing.
  const scoring = findings.filter(({ study }) => study.name !== 'corpus');
  const named = scoring.flatMap(({ settings }) => {
    const { name, module } = (settings.normalizer ?? {}) as { readonly name?: string; readonly module?: string };
    return name !== undefined && module === undefined && normalizerOfFinding(name) !== null ? [name] : [];
  });
  const watched = [...new Set(named)].map((name) => watchWords(normalizerNamed(name)));
  const spoken = new Set<string>();
  const count = store.run(runId)!.utteranceCount;
  const step = Math.max(referencesOfPage, Math.ceil(count / pagesLookedAt));
  for (let from = 0; from < count; from += step) {
    for (const { reference, language } of store.utterances(runId, { from, limit: referencesOfPage })) {
      if (reference === undefined) continue;
      spoken.add(language.split('-', 1)[0]!);
      for (const words of watched) words.see(reference, language);
    }
  }
  const used = scoring.flatMap(({ settings }) => {
    const { used } = (settings.normalizer ?? {}) as Pick<Normalizer, 'used'>;
    return mixesUnits({ used: used ?? [] }) ? [used!] : [];
  });
  const mixed = used
    .slice(0, 1)
    .map(
      (names) =>
        `Words are characters in some languages and words in others (normalizers ${names.join(', ')}): a rate over all languages counts both. Compare recognizers and groups within a language.`,
    );
  const lost = watched.flatMap((words) =>
    words.told(false).map(({ sentence, better, language }) => {
      const choice = `normalizer: ${better} in the study`;
      const known = language === null || spoken.has(language);
      return `${sentence}. ${known ? `Set ${choice}` : `Set the language of the corpus (language: ${language}), or ${choice}`}.`;
    }),
  );
  return [...mixed, ...lost];
}

/** Notes about fewer errors than this share would stand in every report. */
const minSpelling = 0.005;

/**
 * One sentence about errors on clean audio that are spelling only (by the normalizer of the rates), by kind, language and recognizer: a
 * gap between languages, or between recognizers, must not be one of spelling.
 */
export function spellingWarnings(
  store: Pick<Store, 'run' | 'trials'>,
  runId: string,
  normalizer: Normalizer,
): string[] {
  const { recognizers } = store.run(runId)!;
  const watches = recognizers.map(() => watchSpelling(normalizer));
  for (const { utterance, conditionName, draw, repeat, recognizer, observation } of store.trials(runId)) {
    if (conditionName !== clean.name || draw + repeat > 0 || observation.failure) continue;
    if (utterance.reference === undefined) continue;
    watches[recognizer]!.see(utterance.reference, observation.transcript.text, utterance.language);
  }
  const told = recognizers.flatMap(({ name }, place) =>
    watches[place]!.told(minSpelling).map((note) => ({ ...note, name })),
  );
  return spellingTogether(watches, 0).flatMap(({ about, sentence }) => {
    const own = told.filter((note) => note.about === about);
    if (own.length === 0) return [];
    const each = own.map(({ name, errors, of }) => `${name} ${grouped(errors)} of ${grouped(of)}`).join(', ');
    return recognizers.length === 1
      ? `${own[0]!.name}, on clean audio: ${sentence}.`
      : `On clean audio ${sentence} (by recognizer: ${each}; docs/normalizers.md).`;
  });
}

/** What the config of a run calls its studies, which stand before those that were added. */
export function studyNames({ config }: Pick<RunRecord, 'config'>): (string | undefined)[] {
  const { studies = [] } = (config.config ?? {}) as { readonly studies?: readonly JsonObject[] };
  return studies.map(({ name }) => (typeof name === 'string' ? name : undefined));
}
