import { z } from 'zod';
import { badUsage } from '../../base/errors.ts';
import type { Finding } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { countsAs, goesByLanguage } from '../../scoring/normalizers/by-language.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { normalizerNamed, normalizerOfFinding } from '../../scoring/normalizers/normalizers.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { RunRecord } from '../../store/contract.ts';
import type { StudyContext } from '../../studies/contract.ts';
import { defaultNormalizer, namedNormalizer } from '../../studies/shared/options.ts';
import { named } from '../../studies/shared/wording.ts';
import { isOwnNormalizer, loadNormalizer } from '../members/load-normalizer.ts';

/** How a study of a run counts words and makes intervals: whatever counts again does it alike. */
export interface StudyCounting {
  readonly study: string;
  /** A name, or the path of a module of the user's own. */
  readonly normalizer: string;
  readonly level: number;
  readonly resamples: number;
  readonly minimumSpeakers: number;
  /** How often it asks for the sound of a condition, and about each sound. */
  readonly draws: number;
  readonly repeats: number;
}

/** Studies of word error rates; of several in a run the first in this order is the one that others go by. */
export const countingStudies: readonly string[] = [
  'robustness',
  'disparity',
  'degradation',
  'few-references',
  'gap-decomposition',
  'adversarial',
  'threshold',
];

const countingOptions = z.looseObject({
  normalizer: z.string().nullish(),
  profile: z.string().nullish(),
  level: z.number().default(0.95),
  resamples: z.number().default(2000),
  minimumSpeakers: z.number().default(defaultMinimumClusters),
  draws: z.number().default(1),
  repeats: z.number().default(1),
});

/** Where no study says otherwise. */
const usual = { ...countingOptions.parse({}), normalizer: defaultNormalizer };

/**
 * How the study of word error rates among these counts; null: there is none.
 *
 * @example studyCounting([{ type: 'robustness', options: { normalizer: 'basic' } }])?.normalizer // 'basic'
 */
export function studyCounting(
  studies: readonly { readonly type: string; readonly options: unknown }[],
): StudyCounting | null {
  for (const study of countingStudies) {
    const { success, data } = countingOptions.safeParse(studies.find(({ type }) => type === study)?.options);
    if (!success) continue;
    const { level, resamples, minimumSpeakers, draws, repeats } = data;
    return { study, normalizer: namedNormalizer(data), level, resamples, minimumSpeakers, draws, repeats };
  }
  return null;
}

/**
 * What makes the words of a study that only describes them: that of the word error rates beside it, else of the first study that names one;
 * null: none does.
 *
 * @example normalizerBeside([{ type: 'hallucination', options: { normalizer: 'basic' } }]) // 'basic'
 */
export function normalizerBeside(
  studies: readonly { readonly type: string; readonly options: unknown }[],
): string | null {
  const named = () => studies.map(({ options }) => countingOptions.safeParse(options).data?.normalizer);
  return studyCounting(studies)?.normalizer ?? named().find((one) => one != null) ?? null;
}

/** What makes words for who counts before these studies have ended, as they do. */
export async function normalizerOfStudies(
  studies: readonly { readonly name: string; readonly options: unknown }[],
  { normalizer: load }: Pick<StudyContext, 'normalizer'>,
): Promise<Normalizer> {
  const { normalizer } = studyCounting(studies.map(({ name, options }) => ({ type: name, options }))) ?? usual;
  return (await load?.(normalizer)) ?? normalizerNamed(normalizer);
}

const runConfig = z.looseObject({
  config: z.looseObject({ studies: z.array(z.looseObject({ type: z.string(), options: z.unknown() })) }),
});

/** The same of the studies of a run. */
export function countingOf(run: Pick<RunRecord, 'config'>): StudyCounting | null {
  const { success, data } = runConfig.safeParse(run.config);
  return success ? studyCounting(data.config.studies.map(({ type, options }) => ({ type, options }))) : null;
}

/** What a finding says of the normalizer of its words. */
const countedBy = z.looseObject({
  normalizer: z.looseObject({ name: z.string(), version: z.number(), module: z.string().optional() }),
});

/**
 * By what the study of word error rates of a run has counted, where this one counts otherwise: another was meant, or a newer version of
 * Earwitness means another by the same name. Null where it is the same, or where nothing is known.
 */
export function countedOtherwise(
  run: Pick<RunRecord, 'config'>,
  findings: readonly Finding[] | null,
  words: Normalizer,
): Pick<Normalizer, 'name' | 'version'> | null {
  const study = countingOf(run)?.study;
  const found = countedBy.safeParse(findings?.find((finding) => finding.study.name === study)?.settings);
  if (!found.success || found.data.normalizer.module !== undefined) return null;
  return countsAs(words, found.data.normalizer) ? null : found.data.normalizer;
}

/** How the answers of a run are counted again, and what is to be said of it. */
export interface CountedAgain extends Omit<StudyCounting, 'study' | 'draws' | 'repeats'> {
  readonly words: Normalizer;
  /** One sentence. */
  readonly told: string;
  /** Whether the numbers are others than those of the run's own report. */
  readonly isOther: boolean;
}

/**
 * How the answers of a run are counted again: as its study counted them, unless somebody says otherwise. Where `by-language` takes another
 * for a language now than it did then (until version 16 Whisper's for English), that of then is taken.
 *
 * @param findings of the run; null: none yet
 * @param given what somebody said: a normalizer, resamples
 * @param folder from where a module is meant that `given` names
 * @param own where a module of the user's own that the study names may be loaded from; null: not at all, because no code that a store names is run
 * @throws EarwitnessError `bad-usage` where the study counted with a module, and it may not be loaded; `bad-config` where there is no such normalizer
 */
export async function countedAgain(
  run: Pick<RunRecord, 'id' | 'config'>,
  findings: readonly Finding[] | null,
  given: {
    readonly normalizer?: string | undefined;
    readonly level?: number | undefined;
    readonly resamples?: number | undefined;
  },
  folder: string,
  own: string | null = null,
): Promise<CountedAgain> {
  const study = countingOf(run);
  const { normalizer, level, resamples, minimumSpeakers } = study ?? usual;
  if (given.normalizer === undefined && isOwnNormalizer(normalizer) && own === null) {
    throw badUsage(
      `expected a normalizer, since the study ${study!.study} of run ${run.id} counted words with ${/\.[cm]?[jt]s(?=\+|$)/.test(normalizer) ? 'a module of its own, and no code that a store names is run' : 'a list of equal spellings of its own, and no file that a store names is read'}; if it is yours, name it: --normalizer ${named(normalizer)}`,
    );
  }
  const words =
    given.normalizer === undefined
      ? await asThen(run, findings, await loadNormalizer(normalizer, own ?? folder))
      : await loadNormalizer(given.normalizer, folder);
  const settings = {
    normalizer: given.normalizer ?? normalizer,
    level: given.level ?? level,
    resamples: given.resamples ?? resamples,
    minimumSpeakers,
  };
  const then = countedOtherwise(run, findings, words);
  const isOther =
    then !== null ||
    (study !== null && (['normalizer', 'level', 'resamples'] as const).some((name) => study[name] !== settings[name]));
  return { ...settings, words, told: inWords(run, study, settings, words, then), isOther };
}

/** Of what `by-language` took for a language and takes no more, itself. */
async function asThen(
  run: Pick<RunRecord, 'config'>,
  findings: readonly Finding[] | null,
  now: Normalizer,
): Promise<Normalizer> {
  const then = goesByLanguage(now) ? countedOtherwise(run, findings, now) : null;
  const found = then === null ? null : normalizerOfFinding(then.name);
  return found === null || found.version !== then!.version ? now : found;
}

const namedVersion = ({ name, version }: Pick<Normalizer, 'name' | 'version'>) => `${named(name)} ${version}`;

function inWords(
  { id }: Pick<RunRecord, 'id'>,
  study: StudyCounting | null,
  { normalizer, level, resamples }: Omit<StudyCounting, 'study' | 'draws' | 'repeats'>,
  words: Normalizer,
  then: Pick<Normalizer, 'name' | 'version'> | null,
): string {
  const mine = `the normalizer ${named(words.name)}`;
  if (study === null) return `Words are counted with ${mine}: no study of run ${id} counts any.`;
  const its = `the study ${study.study} of run ${id}`;
  const asked = [
    study.level !== level && `a level of ${level} and not ${study.level}`,
    study.resamples !== resamples && `${resamples} resamples and not ${study.resamples}`,
  ].filter((one) => one !== false);
  const intervals = asked.length === 0 ? '' : ` Intervals have ${asked.join(', and ')}, as was asked for.`;
  const others = `${its} had ${then === null ? named(study.normalizer) : namedVersion(then)}, so that its numbers are others`;
  if (study.normalizer !== normalizer)
    return `Words are counted with ${mine}, as was asked for; ${others}.${intervals}`;
  return `Words are counted with ${mine}${then === null ? '' : ` ${words.version}; ${others}`}.${intervals}`;
}

/**
 * Which trials of a run take no part where its words are counted again: those that another study asked for beside (a sound asked about more
 * often, or made more often), those that studies made of their own, which were chosen by how a recognizer failed, and those in which no speech is left.
 */
export function leftOutOfCounts(
  run: Pick<RunRecord, 'config'>,
  findings: readonly Finding[],
): (trial: {
  readonly utterance: Pick<Utterance, 'made'>;
  readonly conditionName: string;
  readonly draw: number;
  readonly repeat: number;
}) => boolean {
  const silent = withoutSpeech(findings);
  const { draws, repeats } = countingOf(run) ?? { draws: Number.POSITIVE_INFINITY, repeats: Number.POSITIVE_INFINITY };
  return ({ utterance, conditionName, draw, repeat }) =>
    utterance.made !== undefined || silent.has(conditionName) || draw >= draws || repeat >= repeats;
}

/**
 * Conditions in which no speech is left, by what the study of silence found: no word is right there, and what the reference says is not to be
 * heard, so that they take no part in rates of words.
 */
function withoutSpeech(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(
    findings.flatMap(({ study, settings }) => {
      const asked = silentSettings.safeParse(settings);
      return study.name === 'hallucination' && asked.success
        ? asked.data.conditions.filter((name) => name !== clean.name)
        : [];
    }),
  );
}

const silentSettings = z.looseObject({ conditions: z.array(z.string()) });
