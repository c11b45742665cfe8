import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { chosenConditions } from '../shared/options.ts';
import type { AdversarialOptions } from './options.ts';

/** One way of changing every clip, at one ratio. */
export interface Attack {
  /** `beside`: a condition that the options name, made to disturb and not to be misheard. */
  readonly kind: 'clean' | 'white-noise' | 'beside' | 'pgd' | 'universal' | 'kenansville';
  readonly condition: Condition;
  /** Null for the clean clip, and for conditions beside. */
  readonly snrDb: number | null;
  /** The recognizer that it is made against, by its place; null: none. */
  readonly source: number | null;
  /** Who is asked about it, by their places. */
  readonly heardBy: readonly number[];
}

export interface Design {
  readonly recognizers: readonly StudyRecognizer[];
  readonly conditions: readonly Condition[];
  /** In the order of the conditions; the clean clip first. */
  readonly attacks: readonly Attack[];
  /** Recognizers that pgd is made against, by their places. */
  readonly sources: readonly number[];
}

/** Whether sounds were made to be misheard. */
export function isAttack({ kind }: Pick<Attack, 'kind'>): boolean {
  return kind !== 'clean' && kind !== 'white-noise' && kind !== 'beside';
}

/** Whether an attack knows the recognizer, or asks none. */
export function isOwn(
  { recognizer, attack }: { readonly recognizer: number; readonly attack: number },
  { attacks }: Pick<Design, 'attacks'>,
): boolean {
  return [null, recognizer].includes(attacks[attack]!.source);
}

/**
 * What is asked: clean clips, white noise at each ratio, and each attack at each ratio.
 *
 * @throws EarwitnessError `bad-config` for sources that are no recognizers of the run, or cannot be differentiated, where none can, and for
 * conditions beside that do not exist
 */
export function planAttacks(options: AdversarialOptions, { recognizers, ladders }: StudyContext): Design {
  const all = [...recognizers.keys()];
  const ratios = [...new Set(options.snrDb)].sort((a, b) => b - a);
  const sources = options.attacks.includes('pgd') ? chosenSources(options, recognizers) : [];
  const step = (perturbation: string, parameters: Condition['steps'][number]['parameters']) => [
    { perturbation, parameters },
  ];
  const attacks: Attack[] = [
    { kind: 'clean', condition: clean, snrDb: null, source: null, heardBy: all },
    ...ratios.map(
      (snrDb): Attack => ({
        ...{ kind: 'white-noise', snrDb, source: null, heardBy: all },
        condition: { name: `white noise, ${snrDb} dB`, steps: step('white-noise', { snrDb }) },
      }),
    ),
    ...besideOf(options, ladders).map(
      (condition): Attack => ({ kind: 'beside', condition, snrDb: null, source: null, heardBy: all }),
    ),
    ...(options.attacks.includes('kenansville') ? ratios.filter((snrDb) => snrDb >= 0) : []).map(
      (snrDb): Attack => ({
        ...{ kind: 'kenansville', snrDb, source: null, heardBy: all },
        condition: { name: `kenansville, ${snrDb} dB`, steps: step('kenansville', { snrDb }) },
      }),
    ),
    ...sources.flatMap((source) =>
      ratios.map((snrDb): Attack => {
        const { name } = recognizers[source]!;
        const { steps, relativeStep } = options;
        return {
          ...{ kind: 'pgd', snrDb, source, heardBy: options.transfer ? all : [source] },
          condition: {
            name: `pgd against ${name}, ${snrDb} dB`,
            steps: step('pgd', { source: name, snrDb, steps, relativeStep }),
          },
        };
      }),
    ),
  ];
  return { recognizers, attacks, sources, conditions: attacks.map(({ condition }) => condition) };
}

/** Conditions beside, each once and none of them clean. */
function besideOf({ beside }: AdversarialOptions, ladders: StudyContext['ladders']): Condition[] {
  return chosenConditions(beside, ladders).slice(1);
}

function chosenSources({ sources }: AdversarialOptions, recognizers: readonly StudyRecognizer[]): number[] {
  const able = recognizers.filter(({ differentiable }) => differentiable === true).map(({ name }) => name);
  const there = able.length === 0 ? 'none of this run can be' : `of this run ${able.map(quoted).join(', ')} can be`;
  for (const source of sources ?? []) {
    if (able.includes(source)) continue;
    const known = recognizers.some(({ name }) => name === source);
    throw new EarwitnessError(
      'bad-config',
      `adversarial: sources: expected recognizers whose network can be differentiated (${there}), but ${known ? `${quoted(source)} cannot` : `there is no ${quoted(source)}`}; name another`,
    );
  }
  if (able.length === 0) {
    throw new EarwitnessError(
      'bad-config',
      `adversarial: expected a recognizer whose network can be differentiated, for pgd, but ${there}; add one of type transformers, or set attacks: [kenansville]`,
    );
  }
  const wanted = sources ?? able;
  return [...recognizers.keys()].filter((place) => wanted.includes(recognizers[place]!.name));
}

function quoted(name: string): string {
  return printable(JSON.stringify(name), 60);
}

/** Utterance by utterance, condition by condition, recognizers innermost; behind the answers to an attack what was done. */
export function attackBatch({ recognizers, attacks }: Design, { utterances, utteranceCount }: StudyContext): Batch {
  const changed = attacks.filter(({ kind }) => kind !== 'clean');
  return {
    about: `clean clips and ${changed.length} attacked ones`,
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
