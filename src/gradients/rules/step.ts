import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { type Builder, fromFront } from '../builder.ts';
import { integersOf, type Node, numbersOf, type Tensor } from '../onnx-model.ts';
import { shownNode } from '../rewrite.ts';

/** The gradient with respect to one input; null where the rule has none. It may have the shape before broadcasting. */
export type InputGradient = (() => string) | null;

/**
 * How one operator passes a gradient back: one entry for each input. Standard operators alone; sizes are known.
 *
 * @throws EarwitnessError `bad-input` for a form of the operator that it does not cover
 */
export type Rule = (step: Step) => readonly InputGradient[];

/** One node of the forward graph on the way back. */
export class Step {
  readonly node: Node;
  readonly b: Builder;
  readonly #weights: ReadonlyMap<string, Tensor>;
  readonly #gradients: ReadonlyMap<string, string>;
  /** Further outputs that the rule asks of the forward node, such as the mean of a normalization. */
  readonly moreOutputs: string[] = [];

  constructor(
    node: Node,
    b: Builder,
    weights: ReadonlyMap<string, Tensor>,
    /** Gradients of the loss with respect to tensors, where there is one. */
    gradients: ReadonlyMap<string, string>,
  ) {
    this.node = node;
    this.b = b;
    this.#weights = weights;
    this.#gradients = gradients;
  }

  /** Name of an input. */
  x(index = 0): string {
    return this.node.inputs[index] ?? '';
  }

  /** Name of the first output. */
  get y(): string {
    return this.node.outputs[0]!;
  }

  /** The gradient with respect to the first output. */
  get d(): string {
    return this.#gradients.get(this.y)!;
  }

  /** The gradient with respect to any output: zeros where nothing depends on it. */
  gradient(output: number): string {
    const name = this.node.outputs[output]!;
    return this.#gradients.get(name) ?? this.b.expand(this.b.number(0), this.b.shape(name));
  }

  shape(index = 0): readonly number[] {
    return this.b.shape(this.x(index));
  }

  isWeight(index: number): boolean {
    return this.#weights.has(this.x(index));
  }

  /** Whole numbers of an input; null where it is left out. */
  integers(index: number): number[] | null {
    const tensor = this.#constant(index);
    return tensor === null ? null : integersOf(tensor);
  }

  numbers(index: number): number[] | null {
    const tensor = this.#constant(index);
    return tensor === null ? null : numbersOf(tensor);
  }

  #constant(index: number): Tensor | null {
    if (this.x(index) === '') return null;
    const tensor = this.#weights.get(this.x(index));
    if (tensor === undefined) throw this.refused(`input ${index} to be fixed, but it is computed`);
    return tensor;
  }

  int(name: string, standard: number): number {
    const found = this.node.attributes.get(name);
    return found?.kind === 'int' ? found.value : standard;
  }

  float(name: string, standard: number): number {
    const found = this.node.attributes.get(name);
    return found?.kind === 'float' ? found.value : standard;
  }

  ints(name: string): readonly number[] | null {
    const found = this.node.attributes.get(name);
    return found?.kind === 'ints' ? found.value : null;
  }

  text(name: string, standard: string): string {
    const found = this.node.attributes.get(name);
    return found?.kind === 'string' ? found.value : standard;
  }

  /** The attribute `axis`, counted from the front. */
  axis(standard: number): number {
    return fromFront([this.int('axis', standard)], this.shape().length)[0]!;
  }

  /** @param expected what the rule needs, and what it got */
  refused(expected: string): EarwitnessError {
    return badInput(`no gradient of ${shownNode(this.node)}: expected ${expected}; take another export of the model`);
  }
}
