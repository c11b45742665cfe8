import type { z } from 'zod';
import type * as catalog from '../../catalog.ts';
import type { configFrame, corpusFrame, memberFrame, recognizerFrame } from './frame.ts';

// Types only, so that a config loads nothing: editors complete each member's options from the members' own schemas.

type MemberOf<Entry> = Entry extends { readonly load: () => Promise<infer Member> } ? Member : never;

/**
 * What may be written for a schema. A schema whose input type is not declared is taken by its output, all optional; one
 * without options (an output of type `Record<string, never>`) allows none.
 */
type Written<Schema> = Schema extends z.ZodType
  ? unknown extends z.input<Schema>
    ? string extends keyof z.output<Schema>
      ? Record<never, never>
      : Omittable<z.output<Schema>>
    : z.input<Schema>
  : never;

/** Objects within options have defaults too. */
type Omittable<Value> = Value extends readonly unknown[]
  ? { [Key in keyof Value]: Omittable<Value[Key]> }
  : Value extends object
    ? { [Key in keyof Value]?: Omittable<Value[Key]> }
    : Value;

/** A member of the user's own: options of any kind, since its schema is known only when it is loaded. */
interface OwnMember {
  type: `./${string}` | `../${string}`;
  [option: string]: unknown;
}

type MemberConfig<Family, Frame> =
  | {
      [Name in keyof Family]: { type: Name } & Written<
        MemberOf<Family[Name]> extends { options: infer Options } ? Options : never
      > &
        Frame;
    }[keyof Family]
  | (OwnMember & Frame);

type FrameOf<Schema extends z.ZodType> = Omit<z.input<Schema>, 'type'>;

export type RecognizerConfig = MemberConfig<typeof catalog.recognizers, FrameOf<typeof recognizerFrame>>;
export type SynthesizerConfig = MemberConfig<typeof catalog.synthesizers, FrameOf<typeof memberFrame>>;
export type SoundsConfig = MemberConfig<typeof catalog.soundCollections, FrameOf<typeof memberFrame>>;
export type CorpusConfig = MemberConfig<typeof catalog.corpora, FrameOf<typeof corpusFrame>>;
export type StudyConfig = MemberConfig<typeof catalog.studies, FrameOf<typeof memberFrame>>;

type EmbedderConfig = MemberConfig<typeof catalog.embedders, FrameOf<typeof memberFrame>>;
type PredictorConfig = MemberConfig<typeof catalog.predictors, FrameOf<typeof memberFrame>>;
type QualityConfig = MemberConfig<typeof catalog.quality, FrameOf<typeof memberFrame>>;

type Common = Omit<
  z.input<typeof configFrame>,
  'corpus' | 'synthesizers' | 'sounds' | 'recognizers' | 'studies' | 'embedders' | 'predictors' | 'quality'
>;

/** A config as people write it in earwitness.config.ts. */
export interface EarwitnessConfig extends Common {
  /** What is said: recordings, or texts to speak; a list of such is joined in its order. */
  corpus: CorpusConfig | CorpusConfig[];
  /** Engines that speak texts, by a name of your own. */
  synthesizers?: Record<string, SynthesizerConfig>;
  /** Noises, music, talkers and room responses that steps name, by a name of your own. */
  sounds?: Record<string, SoundsConfig>;
  /** Who is asked, by a name of your own. */
  recognizers: Record<string, RecognizerConfig>;
  /** What is to be found out; robustness if absent. */
  studies?: StudyConfig[];
  /** Models that turn sentences into vectors, for the similarity of meaning, by a name of your own. */
  embedders?: Record<string, EmbedderConfig>;
  /** Models that tell from texts alone which of them will fail, by a name of your own. */
  predictors?: Record<string, PredictorConfig>;
  /** Measures of quality of the clips: a name, or a member with options. */
  quality?: (keyof typeof catalog.quality | QualityConfig)[];
}

/**
 * Gives back what it is given: it is there so that editors know what may stand in a config.
 *
 * @example
 * // earwitness.config.ts
 * import { defineConfig } from 'earwitness';
 * export default defineConfig({
 *   corpus: { type: 'folder', path: 'recordings' },
 *   recognizers: { narrow: { type: 'pocketsphinx', beam: 1e-20 } },
 * });
 */
export function defineConfig(config: EarwitnessConfig): EarwitnessConfig {
  return config;
}
