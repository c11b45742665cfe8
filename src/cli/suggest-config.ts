import type { JsonObject } from '../base/json.ts';
import { type Family, loadMember } from '../session/members/load-member.ts';
import { describeOptions } from '../session/members/option-schema.ts';
import { maxGroups } from '../studies/robustness/group-gaps.ts';
import type { Template, TemplateMember } from './config-template.ts';
import type { Group } from './survey/count-utterances.ts';
import type { Survey } from './survey/survey.ts';
import type { TranscriptSurvey } from './survey/survey-transcripts.ts';

/** What a config can be about: recordings or a table of transcripts that were found, or texts to be spoken. */
export type Material =
  | { readonly kind: 'recordings'; readonly survey: Survey }
  | { readonly kind: 'transcripts'; readonly survey: TranscriptSurvey }
  | { readonly kind: 'texts'; readonly synthesizer: string; readonly texts: TextSource; readonly language: string };

/** Where texts are that are to be spoken, as the corpus `sentences` is told. */
export type TextSource =
  | { readonly file: string }
  | { readonly folder: string }
  | { readonly texts: readonly string[] };

/** Recognizers of a config by the names they have in it. */
export type ChosenRecognizers = Readonly<Record<string, { readonly type: string; readonly options: JsonObject }>>;

/** What is done to the sound, in words and as scenarios of ladders. */
export const usualConditions = {
  noise: {
    about: 'white noise at 20 and 10 dB',
    scenarios: ['earwitness/gnoise:2', 'earwitness/gnoise:3'],
  },
  telephone: { about: 'two telephone codecs', scenarios: ['earwitness/telephone:2', 'earwitness/telephone:4'] },
} as const;

/** The synthesizer for texts: of those that are ready and need no options, one that needs nothing installed first. */
export async function suggestSynthesizer(ready: readonly string[]): Promise<string | null> {
  const found: string[] = [];
  for (const name of ready) {
    const { described } = await member('synthesizers', name, {});
    if (!described.some(({ required }) => required)) found.push(name);
  }
  return found.find((name) => name === 'flite') ?? found[0] ?? null;
}

/** Texts to begin with where there are none. */
export const sampleTexts = [
  'the quick brown fox jumps over the lazy dog',
  'please call me back before noon tomorrow',
  'she sells sea shells by the sea shore',
  'it was the best of times it was the worst of times',
  'we will meet at the station at half past seven',
  'the weather is expected to be cold and windy',
];

/** How the study of a config is chosen: errors need words that were said, changes need none. */
export function studyFor(material: Material): 'robustness' | 'metamorphic' {
  return material.kind === 'recordings' && material.survey.texts === 0 ? 'metamorphic' : 'robustness';
}

/**
 * Attributes by which recordings can be compared: pair by pair, as the study `robustness` does, or each group with everybody, as
 * `disparity` does where there are more groups.
 */
export function groupsOf(material: Material): { readonly pairs: readonly Group[]; readonly crowded: readonly Group[] } {
  const groups = material.kind === 'texts' ? [] : material.survey.groups;
  return {
    pairs: groups.filter(({ values }) => values.length <= maxGroups),
    crowded: groups.filter(({ values }) => values.length > maxGroups),
  };
}

/**
 * A config for this material and these recognizers.
 *
 * @param scenarios what is done to the sound; without any, clean sound alone is asked where references are known
 */
export async function suggestTemplate(
  material: Material,
  recognizers: ChosenRecognizers,
  scenarios: readonly string[],
): Promise<Template> {
  const named: Record<string, TemplateMember> = {};
  for (const [name, { type, options }] of Object.entries(recognizers))
    named[name] = await member('recognizers', type, options);
  const study = studyFor(material);
  const { crowded } = groupsOf(material);
  return {
    corpus: await member('corpora', ...corpusOf(material)),
    synthesizers:
      material.kind === 'texts'
        ? { [material.synthesizer]: await member('synthesizers', material.synthesizer, {}) }
        : {},
    recognizers: named,
    studies: [
      await member(
        'studies',
        study,
        study === 'robustness'
          ? { conditions: scenarios }
          : { relations: [{ name: 'disturbed', conditions: scenarios }] },
      ),
      ...(study === 'robustness' && crowded.length > 0
        ? [await member('studies', 'disparity', { attributes: crowded.map(({ name }) => name) })]
        : []),
    ],
  };
}

function corpusOf(material: Material): [type: string, options: JsonObject] {
  if (material.kind === 'transcripts') return [material.survey.corpus.type, material.survey.corpus.options];
  if (material.kind === 'recordings') {
    const { type, options, channels } = material.survey.corpus;
    return [type, { ...options, ...(channels !== undefined && { channels }) }];
  }
  const { texts, synthesizer, language } = material;
  return ['sentences', { ...texts, synthesizer, language }];
}

async function member(
  family: Exclude<Family, 'perturbations' | 'decoders'>,
  type: string,
  options: JsonObject,
): Promise<TemplateMember> {
  const { member } = await loadMember(family, type, process.cwd());
  return { family, type, options, about: member.about, described: describeOptions(member.options) };
}
