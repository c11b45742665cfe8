import type { Finding } from '../model/finding.ts';
import { conditionsInWords } from '../model/trial.ts';
import { namedFindings } from '../report/prepare/named-findings.ts';
import { byLanguage } from '../scoring/normalizers/by-language.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import { normalizerOfFinding } from '../scoring/normalizers/normalizers.ts';
import { studyNames } from '../session/stored/report-of.ts';
import { countingStudies } from '../session/stored/study-counting.ts';
import { packageVersion } from '../session/version.ts';
import type { RunRecord, Store } from '../store/contract.ts';
import { facetName, type IndexOf } from './index-columns.ts';
import type { RunParts } from './run-page.ts';
import type { TrialIndex } from './trial-index.ts';

/**
 * The same store, which reads its runs once until another program writes something: what a run found is megabytes, and is read with it to be
 * checked. Give it a store that nobody writes by.
 */
export function withRunsRead(store: Store): Store {
  let version: number | null = null;
  const known = new Map<string, unknown>();
  const once = <Value>(key: string, read: () => Value): Value => {
    const now = store.version();
    if (now !== version) known.clear();
    version = now;
    if (!known.has(key)) known.set(key, read());
    return known.get(key) as Value;
  };
  return {
    ...store,
    runs: () => once('runs', () => store.runs()),
    run: (id) => once(`run ${id}`, () => store.run(id)),
    stateOf: (id) => once(`state ${id}`, () => store.stateOf(id)),
    conditions: (id) => once(`conditions ${id}`, () => store.conditions(id)),
  };
}

/** What a run found, as pages show it; null: it is not finished. */
export function shownFindings(
  store: Pick<Store, 'findings' | 'conditions'>,
  run: RunRecord,
): readonly Finding[] | null {
  const kept = store.findings(run.id);
  return kept === null ? null : namedFindings(kept, studyNames(run), calledIn(store, run));
}

const calledIn = (store: Pick<Store, 'conditions'>, run: RunRecord) => conditionsInWords(store.conditions(run.id));

/** Requests to recognizers that a run has answers of, counted quickly; what was measured of clips is none. */
export function answeredIn(store: Pick<Store, 'batches' | 'progress'>, run: string): number {
  return store.batches(run).reduce((sum, { batch }) => sum + store.progress(run, batch).trials.answered, 0);
}

/** What is made of a run as it is now. */
export function indexOfRun(store: Pick<Store, 'stateOf'>, run: RunRecord, answered: number): IndexOf {
  return { format: 9, program: packageVersion(), run: run.id, answered, state: store.stateOf(run.id) };
}

/** The normalizer by whose study others go that count again (`countingStudies`), else of the first that scores; of a run that found nothing yet, each language's own. */
export function normalizerOfFindings(findings: readonly Finding[] | null): Normalizer {
  const rank = ({ study }: Finding) => {
    const place = countingStudies.indexOf(study.name);
    return place < 0 ? countingStudies.length : place;
  };
  for (const { settings } of (findings ?? []).toSorted((a, b) => rank(a) - rank(b))) {
    const { name, module } = (settings.normalizer ?? {}) as { readonly name?: string; readonly module?: string };
    const found = name === undefined || module !== undefined ? null : normalizerOfFinding(name);
    if (found !== null) return found;
  }
  return byLanguage;
}

/** By which the words of an index were counted. */
export function normalizerOf({ header }: Pick<TrialIndex, 'header'>): Normalizer {
  return normalizerOfFinding(header.normalizer.split('@')[0]!) ?? byLanguage;
}

/** Recognizers, conditions and groups of a run. */
export function partsOf(
  store: Pick<Store, 'utterances' | 'conditions'>,
  run: RunRecord,
): Omit<RunParts, 'trials' | 'clip'> {
  const groups = new Map<string, Set<string>>();
  const languages = new Set<string>();
  for (let from = 0; from < 20_000; from += 500) {
    const page = store.utterances(run.id, { from, limit: 500 });
    for (const { attributes, speaker, language } of page) {
      languages.add(language);
      for (const [name, value] of [
        ...Object.entries(attributes).map(([name, value]) => [facetName(name), value] as const),
        ...(speaker === undefined ? [] : [['speaker', speaker] as const]),
      ]) {
        const known = groups.get(name) ?? new Set();
        groups.set(name, known.add(value));
      }
    }
    if (page.length < 500) break;
  }
  const conditions = store.conditions(run.id).map(({ name }) => name);
  const called = calledIn(store, run);
  return { recognizers: run.recognizers.map(({ name }) => name), conditions, called, groups, languages };
}
