import { createRandom } from '../../base/random.ts';
import { elementTypes, type Model, type Node, type Tensor, type ValueInfo } from '../onnx-model.ts';
import { makeNode } from '../rewrite.ts';
import { floatTensor, integerTensor, sizeOf } from '../tensors.ts';

type Attributes = Readonly<Record<string, number | string | readonly number[]>>;

/** Writes graphs for tests: operators by name, weights drawn at random, always the same ones. */
export class GraphWriter {
  readonly #nodes: Node[] = [];
  readonly #weights = new Map<string, Tensor>();
  readonly #inputs: ValueInfo[] = [];
  readonly #random;
  #made = 0;

  constructor(seed: string) {
    this.#random = createRandom(seed);
  }

  input(name: string, shape: readonly (number | string)[], type: number = elementTypes.float): string {
    this.#inputs.push({ name, type, shape });
    return name;
  }

  tensor(tensor: Tensor): string {
    const name = `weight${this.#made++}`;
    this.#weights.set(name, tensor);
    return name;
  }

  /** Floats of a normal distribution. */
  normal(shape: readonly number[], deviation = 1, mean = 0): string {
    const values = Float32Array.from({ length: sizeOf(shape) }, () => mean + deviation * this.#random.normal());
    return this.tensor(floatTensor(values, shape));
  }

  floats(values: readonly number[], shape: readonly number[] = [values.length]): string {
    return this.tensor(floatTensor(values, shape));
  }

  number(value: number): string {
    return this.floats([value], []);
  }

  integers(values: readonly number[], shape?: readonly number[]): string {
    return this.tensor(integerTensor(values, shape));
  }

  /** The first output of an operator. */
  op(operator: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.outputs(operator, inputs, 1, attributes)[0]!;
  }

  outputs(operator: string, inputs: readonly string[], count: number, attributes: Attributes = {}): string[] {
    const outputs = Array.from({ length: count }, () => `${operator}${this.#made++}`);
    this.#nodes.push(makeNode(operator, inputs, outputs, attributes));
    return outputs;
  }

  /** A value under a name of its own. */
  named(value: string, name: string): string {
    this.#nodes.push(makeNode('Identity', [value], [name]));
    return name;
  }

  reshape(value: string, shape: readonly number[]): string {
    return this.op('Reshape', [value, this.integers(shape)]);
  }

  transpose(value: string, perm: readonly number[]): string {
    return this.op('Transpose', [value], { perm });
  }

  /** A dense layer. */
  dense(value: string, from: number, to: number): string {
    const product = this.op('MatMul', [value, this.normal([from, to], 1 / Math.sqrt(from))]);
    return this.op('Add', [product, this.normal([to], 0.1)]);
  }

  layerNorm(value: string, width: number): string {
    return this.op('LayerNormalization', [value, this.normal([width], 0.1, 1), this.normal([width], 0.1)], {
      axis: -1,
      epsilon: 1e-5,
    });
  }

  model(outputs: readonly string[], version = 20): Model {
    return {
      graph: {
        nodes: this.#nodes,
        weights: this.#weights,
        inputs: this.#inputs,
        outputs: outputs.map((name) => ({ name, type: elementTypes.float, shape: null })),
      },
      operatorSets: new Map([['', version]]),
    };
  }
}
