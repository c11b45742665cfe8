import { badConfig } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { chooseFittingSpeakers } from '../../model/attack.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { chosenConditions } from '../shared/options.ts';

import type { AdversarialOptions } from './options.ts';

/** Length of a step of `pgd` as a share of the radius, as its recipe has it. */
export const relativeStep = 0.4;

/** One way of changing every clip, at one ratio. */
export interface Attack {
  /**
   * `beside`: a condition that the options name, made to disturb and not to be misheard; `noise-before`: the samples of `prepend` in random
   * order, its control as white noise is that of the others.
   */
  readonly kind:
    | ('clean' | 'white-noise' | 'noise-before' | 'beside')
    | ('pgd' | 'universal' | 'kenansville' | 'prepend');
  readonly condition: Condition;
  /** Null for the clean clip, conditions beside, and what is put before a clip. */
  readonly snrDb: number | null;
  /** The recognizer that it is made against, by its place; null: none. */
  readonly source: number | null;
  /** Who is asked about it, by their places. */
  readonly heardBy: readonly number[];
}

export interface AttackDesign {
  readonly recognizers: readonly StudyRecognizer[];
  readonly conditions: readonly Condition[];
  /** In the order of the conditions; the clean clip first. */
  readonly attacks: readonly Attack[];
  /** Recognizers whose gradient is followed, by their places. */
  readonly sources: readonly number[];
}

/** Whether sounds were made to be misheard. */
export function isAttack({ kind }: Pick<Attack, 'kind'>): boolean {
  return kind !== 'clean' && kind !== 'white-noise' && kind !== 'noise-before' && kind !== 'beside';
}

/** The place of what an attack is compared with: noise of the same level, made for the same recognizer where that decides it. */
export function controlOf(attack: number, { attacks }: Pick<AttackDesign, 'attacks'>): number {
  const { kind, snrDb, source } = attacks[attack]!;
  return attacks.findIndex((other) =>
    kind === 'prepend'
      ? other.kind === 'noise-before' && other.source === source
      : other.kind === 'white-noise' && other.snrDb === snrDb,
  );
}

/** Whether an attack or its control knows the recognizer, or asks none. */
export function isOwn(
  { recognizer, attack }: { readonly recognizer: number; readonly attack: number },
  { attacks }: Pick<AttackDesign, 'attacks'>,
): boolean {
  return [null, recognizer].includes(attacks[attack]!.source);
}

/**
 * What is asked: clean clips, white noise at each ratio, and each attack at each ratio.
 *
 * @throws EarwitnessError `bad-config` for sources that are no recognizers of the run, or cannot be differentiated, where none can, and for
 * conditions beside that do not exist
 */
export function planAttacks(options: AdversarialOptions, { recognizers, ladders }: StudyContext): AttackDesign {
  const all = [...recognizers.keys()];
  const ratios = options.attacks.some((attack) => attack !== 'prepend')
    ? [...new Set(options.snrDb)].sort((a, b) => b - a)
    : [];
  if (options.attacks.every((attack) => attack === 'kenansville') && ratios.every((snrDb) => snrDb < 0)) {
    throw badConfig(
      `adversarial: snrDb: expected at least one of 0 dB or more for kenansville, but got ${ratios.join(', ')}; name a higher one`,
    );
  }
  const sourcesOf = (attack: GradientAttack) =>
    options.attacks.includes(attack) ? chosenSources(options, recognizers, attack) : [];
  const { transfer } = options;
  const before = {
    ...fitOf(options),
    ...{ lengthSeconds: options.prependSeconds, peak: options.prependPeak },
  };
  const at = (kind: Attack['kind'], source: number | null, among = ratios) =>
    among.map((snrDb): Attack => {
      const heardBy = source === null || transfer ? all : [source];
      return { kind, snrDb, source, heardBy, condition: designAttack(kind, source, snrDb, { recognizers }, options) };
    });
  const attacks: Attack[] = [
    { kind: 'clean', condition: clean, snrDb: null, source: null, heardBy: all },
    ...at('white-noise', null),
    ...besideOf(options, ladders).map(
      (condition): Attack => ({ kind: 'beside', condition, snrDb: null, source: null, heardBy: all }),
    ),
    ...(options.attacks.includes('kenansville')
      ? at(
          'kenansville',
          null,
          ratios.filter((snrDb) => snrDb >= 0),
        )
      : []),
    ...sourcesOf('pgd').flatMap((source) => at('pgd', source)),
    ...sourcesOf('universal').flatMap((source) => at('universal', source)),
    ...sourcesOf('prepend').flatMap((source): Attack[] => {
      const { name } = recognizers[source]!;
      const heard = { snrDb: null, source, heardBy: transfer ? all : [source] };
      const parameters = { source: name, ...before };
      return [
        {
          ...{ kind: 'noise-before', ...heard },
          condition: {
            name: `noise before, as loud as prepend against ${name}`,
            steps: [{ perturbation: 'prepend', parameters: { ...parameters, control: true } }],
          },
        },
        {
          ...{ kind: 'prepend', ...heard },
          condition: { name: `prepend against ${name}`, steps: [{ perturbation: 'prepend', parameters }] },
        },
      ];
    }),
  ];
  const differentiated = attacks.flatMap(({ source }) => (source === null ? [] : [source]));
  return {
    recognizers,
    attacks,
    sources: [...new Set(differentiated)],
    conditions: attacks.map(({ condition }) => condition),
  };
}

/** What asks no recognizer, at a ratio. */
export function plainAttack(kind: Attack['kind'], snrDb: number): Condition {
  return { name: `${kind.replace('-', ' ')}, ${snrDb} dB`, steps: [{ perturbation: kind, parameters: { snrDb } }] };
}

/** What is done to a clip by one kind of sound at a ratio: the same has the same name wherever it is asked. */
export function designAttack(
  kind: Attack['kind'],
  source: number | null,
  snrDb: number,
  { recognizers }: Pick<AttackDesign, 'recognizers'>,
  options: AdversarialOptions,
): Condition {
  const { steps, fitRecipe: recipe } = options;
  const own = {
    pgd: { steps, relativeStep },
    universal: { ...fitOf(options), recipe },
  }[kind as string];
  if (source === null) return plainAttack(kind, snrDb);
  const { name } = recognizers[source]!;
  return {
    name: `${kind} against ${name}, ${snrDb} dB`,
    steps: [{ perturbation: kind, parameters: { source: name, snrDb, ...own } }],
  };
}

function fitOf({ fitSpeakers, clipsPerSpeaker, fitEpochs: epochs }: AdversarialOptions) {
  return { fitSpeakers, clipsPerSpeaker, epochs };
}

/** Whom a sound was fitted on, and who is left to be tested: their utterances alone are asked about. */
export interface Tested {
  readonly context: StudyContext;
  /** Speakers; null where nothing is fitted, and all are tested. */
  readonly fitted: number | null;
  readonly tested: number;
}

/** @throws EarwitnessError `bad-config` where there are no such speakers, or no others */
export async function testedSpeakers(options: AdversarialOptions, context: StudyContext): Promise<Tested> {
  if (!options.attacks.some((attack) => attack === 'universal' || attack === 'prepend'))
    return { context, fitted: null, tested: 0 };
  const speakers: string[] = [];
  for await (const { speaker, reference } of context.utterances()) {
    if (speaker !== undefined && reference !== undefined) speakers.push(speaker);
  }
  const fitted = chooseFittingSpeakers(speakers, options.fitSpeakers, context.seed);
  const isTested = ({ speaker }: Utterance) => speaker !== undefined && !fitted.has(speaker);
  let utteranceCount = 0;
  for await (const utterance of context.utterances()) if (isTested(utterance)) utteranceCount++;
  async function* utterances() {
    for await (const utterance of context.utterances()) if (isTested(utterance)) yield utterance;
  }
  return {
    context: { ...context, utterances, utteranceCount },
    ...{ fitted: fitted.size, tested: new Set(speakers).size - fitted.size },
  };
}

/** Conditions beside, each once and none of them clean. */
function besideOf({ beside }: AdversarialOptions, ladders: StudyContext['ladders']): Condition[] {
  return chosenConditions(beside, ladders).slice(1);
}

/** What is made against a recognizer by its gradient. */
type GradientAttack = 'pgd' | 'universal' | 'prepend';

/** Of `sources` those that the attack can be made against; all of them where it is null. */
function chosenSources(
  { sources }: AdversarialOptions,
  recognizers: readonly StudyRecognizer[],
  attack: GradientAttack,
): number[] {
  const able = recognizers.filter(({ differentiable }) => differentiable).map(({ name }) => name);
  const there =
    able.length === 0 ? 'none of this run is one' : `of this run ${able.map(quoted).join(', ')} can be taken`;
  const expected = `expected a recognizer whose network can be differentiated, for ${attack}`;
  for (const source of sources ?? []) {
    if (able.includes(source)) continue;
    const isThere = recognizers.some(({ name }) => name === source);
    throw badConfig(
      `adversarial: sources: ${expected} (${there}), but ${isThere ? `${quoted(source)} is none` : `there is no ${quoted(source)}`}; name another`,
    );
  }
  if (able.length === 0) {
    throw badConfig(
      `adversarial: ${expected}, but ${there}; add one of type transformers, or set attacks: [kenansville]`,
    );
  }
  return [...recognizers.keys()].filter((place) => (sources ?? able).includes(recognizers[place]!.name));
}

function quoted(name: string): string {
  return printable(JSON.stringify(name), 60);
}

/** Utterance by utterance, condition by condition, recognizers innermost; behind the answers to an attack what was done. */
export function attackBatch(
  { recognizers, attacks }: AttackDesign,
  { utterances, utteranceCount }: StudyContext,
): Batch {
  const changed = attacks.filter(({ kind }) => kind !== 'clean');
  return {
    about: `${counted(utteranceCount, 'clip')}, clean and under ${counted(changed.length, 'other condition')}`,
    size:
      utteranceCount * attacks.reduce((sum, { heardBy, snrDb }) => sum + heardBy.length + (snrDb === null ? 0 : 1), 0),
    async *questions(): AsyncGenerator<Question> {
      for await (const utterance of utterances()) {
        for (const { condition, heardBy, snrDb } of attacks) {
          for (const place of heardBy) {
            const recognizer = recognizers[place]!.name;
            yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer, repeat: 0 } };
          }
          if (snrDb !== null) yield { ask: 'measurement', utterance, condition, draw: 0 };
        }
      }
    },
  };
}
