import { z } from 'zod';
import { badConfig } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import { asJson } from '../../base/json.ts';
import { longestTag } from '../../base/language-tag.ts';
import { between, list, nonEmpty, whole } from '../../base/option-kinds.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import { byLanguage, goesByLanguage, normalizerOfLanguages, spelledAs } from '../../scoring/normalizers/by-language.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { normalizerNamed, normalizers } from '../../scoring/normalizers/normalizers.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { StudyContext } from '../contract.ts';

/** What is done to a sound, in order. */
export const stepsOption = list(
  z.strictObject({
    perturbation: nonEmpty(4096).describe('Name of a perturbation'),
    parameters: z.record(z.string(), z.json()).default({}).describe('Its parameters'),
  }),
  0,
  100,
);

const name = nonEmpty(100);

/** A condition that the config spells out. */
const ownConditionOption = z.strictObject({
  name: name.describe('Unique among the conditions'),
  steps: stepsOption.describe('Perturbations of the clip, in order'),
  rung: z
    .strictObject({
      family: name.describe('Conditions of one family make one chart'),
      rank: whole(1, 1000).describe('1 is the mildest'),
      label: name.describe('The severity, as charts show it'),
    })
    .optional()
    .describe('Its place in a family of severities'),
});

/** Conditions by name or spelled out: every study that asks about disturbed sound has such a list. */
export const conditionsOption = z.array(z.union([nonEmpty(200), ownConditionOption]));

/** What makes words where nobody says what does. */
export const defaultNormalizer = byLanguage.name;

/**
 * The option `normalizer` of a study: a name, or the path of a module of the user's own. Whether there is such a one is
 * checked with the config, which can load modules; here the names are for editors.
 */
export const normalizerOption = z
  .union([z.enum(Object.keys(normalizers) as [string, ...string[]]), nonEmpty(4096)])
  .default(defaultNormalizer);

/** What makes words in the profiles of publications, which had normalizers of their own. */
const ofProfile = new Map([
  ['srb', 'srb'],
  ['srb-paper', 'srb'],
  ['aequevox', 'aequevox'],
  ['sr-mt', 'none'],
]);

/**
 * The name of the normalizer that options ask for: what they name, else that of their profile, else by language.
 *
 * @example namedNormalizer({ normalizer: null, profile: 'srb' }) // 'srb'
 */
export function namedNormalizer({
  normalizer,
  profile,
}: {
  readonly normalizer?: string | null | undefined;
  readonly profile?: string | null | undefined;
}): string {
  return normalizer ?? ofProfile.get(profile ?? '') ?? defaultNormalizer;
}

/**
 * The normalizer that a study's options name. By language, where all utterances are of languages that have one, it is that itself
 * (`plain-english`, `plain`, …), so that findings name what was done to the words, and what is said in one language is counted in one way.
 *
 * @param name what `normalizerOption` gave: a name or a module, with equal spellings behind a +
 * @throws EarwitnessError `bad-config` where there is none
 * @example const { words } = await chosenNormalizer(context, 'by-language'); words('Mr. Smith') // ['mister', 'smith']
 */
export async function chosenNormalizer(context: StudyContext, name: string): Promise<Normalizer> {
  const chosen = name === byLanguage.name ? byLanguage : ((await context.normalizer?.(name)) ?? normalizerNamed(name));
  if (!goesByLanguage(chosen)) return chosen;
  const languages = new Set<string>();
  for await (const { language } of context.utterances()) languages.add(language);
  return spelledAs(chosen, spokenIn(languages, normalizerOfLanguages(languages)));
}

/** A normalizer that takes a text of which nobody says the language (a word of a list) for one of the only language that there is. */
function spokenIn(languages: ReadonlySet<string>, normalizer: Normalizer): Normalizer {
  const [first, ...others] = new Set(Array.from(languages, (tag) => longestTag(tag).split('-', 1)[0]!));
  if (first === undefined || others.length > 0) return normalizer;
  return { ...normalizer, words: (text, language = first) => normalizer.words(text, language) };
}

/**
 * The conditions that a list in the options names or spells out, in its order; ladders and families stand for all of theirs.
 *
 * @throws EarwitnessError `bad-config` for a name that stands for nothing
 */
export function listedConditions(listed: ConditionsOption, ladders: readonly Ladder[]): Condition[] {
  return listed.flatMap((wanted): Condition[] => {
    if (typeof wanted === 'string') return wanted === clean.name ? [clean] : resolveScenario(wanted, ladders);
    const { name, steps, rung } = wanted;
    return [{ name, steps, ...(rung && { rung }) }];
  });
}

/**
 * The conditions of a study, clean first, each once.
 *
 * @param listed what the option gave: names of scenarios, families and ladders, or conditions spelled out
 * @param ladders `StudyContext.ladders`
 * @throws EarwitnessError `bad-config` for a name that stands for nothing, or for two different conditions
 * @example chosenConditions(['aequevox/noise:5'], context.ladders).map(({ name }) => name) // ['clean', 'aequevox/noise:5']
 */
export function chosenConditions(listed: ConditionsOption, ladders: readonly Ladder[]): Condition[] {
  const chosen = new Map<string, Condition>([[clean.name, clean]]);
  for (const condition of listedConditions(listed, ladders)) {
    const before = chosen.get(condition.name);
    if (before === undefined) chosen.set(condition.name, condition);
    else if (canonicalJson(asJson(before.steps)) !== canonicalJson(asJson(condition.steps))) {
      throw badConfig(
        `expected unique condition names, but ${JSON.stringify(condition.name)} is used for two${condition.name === clean.name ? ' (it means unchanged audio)' : ''}; give one of them another name`,
      );
    }
  }
  return [...chosen.values()];
}

/** The ladders of a run: AequeVox's, whose scenarios are the defaults of studies, is always known. */
export function withAequevox({ ladders }: Pick<StudyContext, 'ladders'>): readonly Ladder[] {
  return ladders.some(({ name }) => name === aequevox.name) ? ladders : [...ladders, aequevox];
}

/**
 * The one condition that the others are compared with, by its name: one that is spelled out goes before a scenario.
 *
 * @throws EarwitnessError `bad-config` where the name stands for several, or for nothing
 */
export function baselineNamed(name: string, listed: ConditionsOption, ladders: readonly Ladder[]): Condition {
  const own = listed.filter((one) => typeof one !== 'string' && one.name === name);
  const found = listedConditions(own.length > 0 ? own : [name], ladders);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw badConfig(
    `baseline: expected one condition, but ${JSON.stringify(name)} matches ${found.length}; name one of them, such as ${JSON.stringify(first?.name ?? 'clean')}`,
  );
}

/** How often the sound of each condition is made: sounds are drawn again only where chance is in them. */
export function drawsOf(
  conditions: readonly Condition[],
  draws: number,
  { isRandom }: Pick<StudyContext, 'isRandom'>,
): Promise<number[]> {
  return Promise.all(
    conditions.map(async ({ steps }) => {
      if (steps.length === 0 || draws === 1) return 1;
      const random = await Promise.all(steps.map(async ({ perturbation }) => isRandom?.(perturbation) ?? true));
      return random.includes(true) ? draws : 1;
    }),
  );
}

/** The group that the others of an attribute are compared with. */
export const referenceOption = z
  .record(z.string(), z.string())
  .default({})
  .describe('The value that others of an attribute are compared with: { native: English }; else that of most speakers');

/** What `conditionsOption` gives. */
export type ConditionsOption = z.infer<typeof conditionsOption>;

/** How intervals are made: options that studies with bootstrap intervals by speaker have alike. */
export const intervalOptions = {
  level: between(0.5, 0.999).default(0.95).describe('Confidence level of intervals and tests'),
  resamples: whole(100, 100_000).default(2000).describe('Bootstrap resamples for an interval'),
  minimumSpeakers: whole(2, 10_000)
    .default(defaultMinimumClusters)
    .describe('Min number of speakers for an interval and a verdict'),
};

export const drawsOption = whole(1, 1000)
  .default(1)
  .describe('Number of draws of each condition that has random choices');
