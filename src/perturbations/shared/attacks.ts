import { z } from 'zod';
import type { Clip } from '../../audio/clip.ts';
import { resample } from '../../audio/resample.ts';
import { badConfig, badInput } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { between, list, nonEmpty, orNull, positive, whole } from '../../base/option-kinds.ts';
import type { LossGradient } from '../../model/attack.ts';
import type {
  AssetServices,
  AttackedRecognizer,
  FitServices,
  Fitted,
  FittingClip,
  FittingSet,
  Prepared,
  SaidText,
} from '../contract.ts';

/** Parameters of what is made against one recognizer. */
const madeAgainst = {
  source: nonEmpty(200).describe('Name of the recognizer of the config that it is made against'),
};

/** Parameters of what searches for the worst that may be added to a clip. */
export function searchParameters(usualStep: number) {
  return {
    ...madeAgainst,
    snrDb: between(-20, 120).describe(
      'Signal-to-noise ratio over the whole clip in decibels, at least: lower allows more',
    ),
    relativeStep: positive(10)
      .default(usualStep)
      .describe('Length of a step, as a fraction of the radius, the greatest norm that may be added'),
    target: orNull(z.string().max(1000)).describe(
      'A text that is to be written instead; null: anything but what was said',
    ),
  };
}

type SearchParameters = z.output<z.ZodObject<ReturnType<typeof searchParameters>>>;

/** @throws EarwitnessError `bad-config` without a config, or without such a recognizer in it */
export function openAttacked(
  perturbation: string,
  source: string,
  { attacked }: Pick<AssetServices, 'attacked'>,
): Promise<AttackedRecognizer> {
  if (attacked !== undefined) return attacked(source);
  throw badConfig(
    `${perturbation}: expected a config that names the recognizer ${JSON.stringify(source)}, but there is none; give one with --config`,
  );
}

/** What a search is after, and what is told of it with every sound. */
interface SearchTask {
  readonly text: string;
  readonly language: string;
  readonly facts: JsonObject;
}

/** @throws EarwitnessError `bad-input` where nobody wrote down what was said and no target is named */
export function searchTask(
  perturbation: string,
  { snrDb, target }: Pick<SearchParameters, 'snrDb' | 'target'>,
  said: SaidText | undefined,
): SearchTask {
  const text = target ?? said?.reference;
  if (text !== undefined) {
    const facts = { askedSnrDb: snrDb, target: target === null ? 'what was said' : 'another text' };
    return { text, language: said?.language ?? 'en', facts };
  }
  throw badInput(
    `${perturbation}: expected an utterance whose reference is known, but nobody wrote it down; add a reference, or name a target`,
  );
}

/** @throws EarwitnessError `bad-input` for a loss or a gradient that is no number */
export async function finiteLoss(
  perturbation: string,
  gradient: LossGradient,
  ...asked: Parameters<LossGradient['loss']>
): ReturnType<LossGradient['loss']> {
  const found = await gradient.loss(...asked);
  if (Number.isFinite(found.loss) && found.gradient.every(Number.isFinite)) return found;
  throw badInput(
    `${perturbation}: expected a loss and a gradient that are numbers, but on this clip they are not; leave it out, or take fewer steps`,
  );
}

/** Parameters of what is fitted against one recognizer on clips of some speakers. */
export const fittedParameters = {
  ...madeAgainst,
  fitSpeakers: z
    .union([z.number().gt(0).lt(1), list(nonEmpty(), 1, 10_000)])
    .default(0.5)
    .describe(
      'Speakers of the run that it is fitted on, by name or as a share that the seed draws; their clips are refused afterwards',
    ),
  clipsPerSpeaker: orNull(whole(1, 100_000)).describe(
    'At most so many clips of each of them, which the seed draws; null: all',
  ),
};

type FittedParameters = z.output<z.ZodObject<typeof fittedParameters>>;

/** Those that only name what is fitted on, and against. */
export const fittedAssetParameters = ['source', 'fitSpeakers', 'clipsPerSpeaker'] as const;

/** What a fit is made from. */
export interface FitMaterial extends FitServices {
  readonly recognizer: AttackedRecognizer;
  readonly gradient: LossGradient;
  readonly set: FittingSet;
  /** At the rate of the gradient. */
  readonly clips: readonly (Pick<FittingClip, 'reference' | 'language'> & { readonly samples: Float32Array })[];
}

/** What was fitted, when it is wanted. */
export interface FittedSound {
  sound(): Promise<Fitted>;
  /** @throws EarwitnessError `bad-input` for a clip of somebody whom it was fitted on, or whom nobody knows */
  refuseFitted(speaker: string | undefined): void;
}

/**
 * Opens what is fitted once, on clips of some speakers, and used on those of all others.
 *
 * @param passesPerClip passes through the recognizer at most, over the clips
 * @param recipe parameters that the fit depends on, and nothing else: conditions with the same recipe share one fit
 * @throws EarwitnessError `bad-config` without a config, without such a recognizer, without such speakers
 */
export async function prepareFitted(
  { name, version }: { readonly name: string; readonly version: number },
  { source, fitSpeakers, clipsPerSpeaker }: FittedParameters,
  services: AssetServices,
  { passesPerClip, recipe }: { readonly passesPerClip: number; readonly recipe: JsonObject },
  make: (material: FitMaterial) => Promise<Fitted>,
): Promise<Prepared<FittedSound>> {
  const recognizer = await openAttacked(name, source, services);
  const { fitting } = services;
  if (fitting === undefined) {
    throw badConfig(
      `${name}: expected clips of a run to fit on, but there are none here; name it in a condition of a study and use earwitness run`,
    );
  }
  const set = await fitting({ speakers: fitSpeakers, clipsPerSpeaker });
  const identity = { attacked: recognizer.identity, fittedOn: set.identity };
  const whole = { perturbation: name, version, ...identity, recipe };
  const sound = () =>
    set.fit(whole, async (services) => {
      const gradient = await recognizer.gradient();
      const clips: FitMaterial['clips'][number][] = [];
      for (const clip of set.clips) {
        const { samples } = resample(await clip.read(), gradient.sampleRate);
        clips.push({ reference: clip.reference, language: clip.language, samples });
      }
      const heard = clips.filter(({ samples }) => samples.some((sample) => sample !== 0));
      if (heard.length > 0) return make({ ...services, recognizer, gradient, set, clips: heard });
      throw badInput(
        `${name}: expected clips to fit on, but all ${clips.length} are digital silence; name other speakers`,
      );
    });
  return {
    identity,
    assets: {
      sound,
      refuseFitted(speaker) {
        if (speaker !== undefined && !set.speakers.has(speaker)) return;
        const came = speaker === undefined ? 'nobody says whose this is' : 'it was fitted on clips of this one';
        throw badInput(
          `${name}: expected a clip of a speaker whom the sound was not fitted on, but ${came}; ${speaker === undefined ? 'name the speaker in the corpus' : 'ask about the others'}`,
        );
      },
    },
    async begin() {
      await sound();
    },
    fit: {
      source,
      clips: set.clips.length,
      maxPasses: set.clips.length * passesPerClip,
      state: () => set.state(whole),
    },
  };
}

/** A sound over and over, from its beginning. */
export function tiled({ samples }: Pick<Clip, 'samples'>, length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => samples[n % samples.length]!);
}
