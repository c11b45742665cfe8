import { isHalfPrecision } from './half-precision.ts';
import {
  elementTypes,
  floatsOf,
  floatTensor,
  type Graph,
  integersOf,
  type Model,
  type Node,
  numbersOf,
  quantizedFloats,
  sizeOf,
  type Tensor,
} from './onnx-model.ts';
import { isQuantized, makeNode } from './rewrite.ts';

/**
 * A model of 32-bit floats that computes what a quantized one approximates: whole numbers are carried as floats, and rounding
 * and saturation are left out (`MatMulInteger`, `ConvInteger`, `DynamicQuantizeLinear`, `QuantizeLinear`, `DequantizeLinear`,
 * `QLinearMatMul`, `QLinearConv`). Its weights are the quantized ones times their scales; it differs from the original by what
 * rounding the activations does.
 *
 * Quantized ones have a gradient of zero almost everywhere: attacks are made on the surrogate, and judged on the original.
 *
 * @param model with constants among the weights (`normalize`)
 * @returns null where nothing in it is quantized
 */
export function floatSurrogate(model: Model): Model | null {
  const weights = new Map(model.graph.weights);
  const carried = new Set<string>();
  const kept = new Set(model.graph.outputs.map(({ name }) => name));
  let replaced = 0;
  const float = (name: string): string => {
    if (carried.has(name)) return name;
    const weight = weights.get(name);
    const asFloat = `${name}/float`;
    if (weight !== undefined && !weights.has(asFloat)) {
      weights.set(
        asFloat,
        isQuantized(weight.type) ? quantizedFloats(weight) : floatTensor(numbersOf(weight), weight.shape),
      );
    }
    return weights.has(asFloat) ? asFloat : name;
  };
  const context: Context = { weights, carried, float };
  const nodes = model.graph.nodes.flatMap((node) => {
    const rule = node.domain === '' ? rules[node.operator] : undefined;
    const made = rule?.(node, context) ?? null;
    if (made !== null) {
      replaced++;
      return made;
    }
    // Whole numbers carried as floats stay so where they are only moved.
    if (movers.has(node.operator) && node.inputs.some((input) => carried.has(input))) {
      for (const output of node.outputs) carried.add(output);
    }
    return [node];
  });
  if (replaced === 0) return null;
  const used = new Set([...nodes.flatMap((node) => [...node.inputs, ...capturedNames(node)]), ...kept]);
  return {
    ...model,
    graph: { ...model.graph, nodes, weights: new Map([...weights].filter(([name]) => used.has(name))) },
  };
}

/** Whether a model is replaced by a surrogate in 32-bit floats: anything in it is quantized or in 16-bit floats, in branches too. */
export function needsSurrogate(graph: Graph): boolean {
  return isHalfPrecision(graph) || isQuantized8(graph);
}

function isQuantized8({ nodes }: Graph): boolean {
  return nodes.some(
    (node) =>
      (node.operator !== 'Cast' && rules[node.operator] !== undefined) ||
      [...node.attributes.values()].some(({ kind, value }) => kind === 'graph' && isQuantized8(value as Graph)),
  );
}

function capturedNames(node: Node): string[] {
  return [...node.attributes.values()].flatMap((attribute) =>
    attribute.kind === 'graph'
      ? attribute.value.nodes.flatMap((inner) => [...inner.inputs, ...capturedNames(inner)])
      : [],
  );
}

const movers: ReadonlySet<string> = new Set([
  'Identity',
  'Reshape',
  'Transpose',
  'Squeeze',
  'Unsqueeze',
  'Slice',
  'Gather',
  'Concat',
  'Split',
  'Flatten',
  'Expand',
  'Pad',
  'MaxPool',
]);

interface Context {
  readonly weights: Map<string, Tensor>;
  /** Names of whole numbers that are floats now. */
  readonly carried: Set<string>;
  /** The name of a tensor as floats; quantized weights are made such. */
  float(name: string): string;
}

type Rule = (node: Node, context: Context) => Node[] | null;

/** Values less their zero point. */
function centred(node: Node, value: number, zero: number, context: Context, made: Node[]): string {
  const name = context.float(node.inputs[value]!);
  const zeroName = node.inputs[zero] ?? '';
  const point = context.weights.get(zeroName);
  if (zeroName === '' || (point !== undefined && numbersOf(point).every((each) => each === 0))) return name;
  if (context.carried.has(zeroName)) return difference(node, value, name, zeroName, made);
  const weight = context.weights.get(name);
  if (point !== undefined && weight !== undefined && point.bytes.length === 1) {
    // Weights are shifted here, so that no session holds them twice.
    const shifted = `${name}/centred`;
    const [by] = integersOf(point);
    context.weights.set(shifted, quantizedFloats(context.weights.get(node.inputs[value]!)!, by));
    return shifted;
  }
  return difference(node, value, name, context.float(zeroName), made);
}

function difference(node: Node, value: number, name: string, zero: string, made: Node[]): string {
  const output = `${node.outputs[0]}/centred${value}`;
  made.push(makeNode('Sub', [name, zero], [output]));
  return output;
}

/** The values that whole numbers stand for. */
function scaled(node: Node, value: number, context: Context, made: Node[]): string {
  const name = centred(node, value, value + 2, context, made);
  const output = `${node.outputs[0]}/scaled${value}`;
  made.push(makeNode('Mul', [name, node.inputs[value + 1]!], [output]));
  return output;
}

/** The floats that would be rounded to whole numbers, of a tensor with its scale and zero point. */
function unscaled(
  node: Node,
  name: string,
  scale: string,
  zero: string | undefined,
  context: Context,
  made: Node[],
): void {
  const [output] = node.outputs;
  context.carried.add(output!);
  const quotient = zero ? `${output}/quotient` : output!;
  made.push(makeNode('Div', [name, scale], [quotient]));
  if (zero) made.push(makeNode('Add', [quotient, context.float(zero)], [output!]));
}

function product(operator: string): Rule {
  return (node, context) => {
    const made: Node[] = [];
    const left = centred(node, 0, 2, context, made);
    const right = centred(node, 1, 3, context, made);
    context.carried.add(node.outputs[0]!);
    made.push({
      ...makeNode(operator, [left, right], [node.outputs[0]!]),
      name: node.name,
      attributes: node.attributes,
    });
    return made;
  };
}

function scaledProduct(operator: string): Rule {
  return (node, context) => {
    const made: Node[] = [];
    const inputs = [scaled(node, 0, context, made), scaled(node, 3, context, made)];
    const bias = node.inputs[8];
    if (bias) {
      // Its scale is that of the products.
      const scale = `${node.outputs[0]}/bias-scale`;
      const output = `${node.outputs[0]}/bias`;
      made.push(makeNode('Mul', [node.inputs[1]!, node.inputs[4]!], [scale]));
      made.push(makeNode('Mul', [context.float(bias), scale], [output]));
      inputs.push(output);
    }
    const exact = `${node.outputs[0]}/exact`;
    made.push({ ...makeNode(operator, inputs, [exact]), attributes: node.attributes });
    unscaled(node, exact, node.inputs[6]!, node.inputs[7], context, made);
    return made;
  };
}

const rules: Readonly<Record<string, Rule>> = {
  DynamicQuantizeLinear(node, { weights, carried }) {
    const [values, scale, zero] = node.outputs;
    for (const output of node.outputs) if (output) carried.add(output);
    if (scale) weights.set(scale, floatTensor([1], []));
    if (zero) weights.set(zero, floatTensor([0], []));
    return [makeNode('Identity', [node.inputs[0]!], [values!])];
  },
  QuantizeLinear(node, context) {
    if (node.attributes.has('axis') && !isScalar(context.weights.get(node.inputs[1]!))) return null;
    const made: Node[] = [];
    unscaled(node, node.inputs[0]!, node.inputs[1]!, node.inputs[2], context, made);
    return made;
  },
  DequantizeLinear(node, context) {
    const made: Node[] = [];
    if (!context.carried.has(node.inputs[0]!)) return dequantizedWeight(node, context) ? made : null;
    const values = centred(node, 0, 2, context, made);
    made.push(makeNode('Mul', [values, node.inputs[1]!], [node.outputs[0]!]));
    return made;
  },
  MatMulInteger: product('MatMul'),
  ConvInteger: product('Conv'),
  QLinearMatMul: scaledProduct('MatMul'),
  QLinearConv: scaledProduct('Conv'),
  Cast(node, { carried }) {
    if (!carried.has(node.inputs[0]!)) return null;
    const to = node.attributes.get('to');
    return to?.kind === 'int' && to.value === elementTypes.float
      ? [makeNode('Identity', [node.inputs[0]!], [node.outputs[0]!])]
      : null;
  },
};

/** Puts the floats that a quantized weight stands for among the weights; false where its parts are no weights. */
function dequantizedWeight({ inputs, outputs, attributes }: Node, { weights }: Context): boolean {
  const [weight, scale, zero] = inputs.map((name) => weights.get(name));
  if (weight === undefined || scale === undefined || (inputs[2] && zero === undefined)) return false;
  const named = attributes.get('axis');
  const axis = named?.kind === 'int' ? named.value : 1;
  const rank = weight.shape.length;
  const inner = sizeOf(weight.shape.slice(((axis + rank) % Math.max(1, rank)) + 1));
  const scales = numbersOf(scale);
  const zeros = zero === undefined ? [] : numbersOf(zero);
  const values = isQuantized(weight.type) ? floatsOf(quantizedFloats(weight)) : Float32Array.from(integersOf(weight));
  for (let index = 0; index < values.length; index++) {
    const channel = scales.length === 1 ? 0 : Math.floor(index / inner) % scales.length;
    values[index] = (values[index]! - (zeros[channel] ?? 0)) * scales[channel]!;
  }
  weights.set(outputs[0]!, floatTensor(values, weight.shape));
  return true;
}

function isScalar(tensor: Tensor | undefined): boolean {
  return tensor?.shape.every((size) => size === 1) === true;
}
