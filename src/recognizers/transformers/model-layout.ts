import { printable } from '../../base/printable.ts';
import { unusable } from '../shared/model-unusable.ts';
import { type TransformersOptions, type WeightKind, weightSuffixes } from './options.ts';

/** What the library reads besides graphs, where it is there. */
export const settingsFiles: readonly string[] = [
  'config.json',
  'generation_config.json',
  'preprocessor_config.json',
  'processor_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
];
/** The graphs of a model: each with its file (relative to the model, with `/`) and what kind of weights it has. */
export type ChosenWeights = Readonly<Record<string, { readonly file: string; readonly kind: WeightKind }>>;

const encoderAndDecoder: readonly string[] = ['encoder_model', 'decoder_model_merged'];
const onlyGraph: readonly string[] = ['model'];
const kinds = Object.keys(weightSuffixes) as WeightKind[];

/**
 * Which of a model's ONNX files are meant.
 *
 * @param names all files of the model, relative to it, with `/`
 * @param shown the model, for errors
 * @throws EarwitnessError `bad-config`: none, not the kind that is asked for, or several and none asked for
 */
export function chooseWeights(
  names: ReadonlySet<string>,
  dtype: TransformersOptions['dtype'],
  shown: string,
): ChosenWeights {
  const fileOf = (graph: string, kind: WeightKind) => `onnx/${graph}${weightSuffixes[kind]}.onnx`;
  const kindsOf = (graph: string) => kinds.filter((kind) => names.has(fileOf(graph, kind)));
  const graphs = encoderAndDecoder.some((graph) => kindsOf(graph).length > 0) ? encoderAndDecoder : onlyGraph;
  const missing = graphs.find((graph) => kindsOf(graph).length === 0);
  if (missing !== undefined) {
    throw unusable(
      `expected ${fileOf(missing, 'fp32')}, or one of its kinds like ${fileOf(missing, 'q8')}, in ${shown}, but there is none; name a model exported to ONNX for transformers.js`,
    );
  }
  const wrong = typeof dtype === 'object' ? Object.keys(dtype).find((graph) => !graphs.includes(graph)) : undefined;
  if (wrong !== undefined) {
    throw unusable(
      `expected ${graphs.join(' or ')}, but got ${printable(wrong, 60)}; correct the name`,
      undefined,
      'dtype',
    );
  }
  const common = kinds.filter((kind) => graphs.every((graph) => names.has(fileOf(graph, kind))));
  const chosen: Record<string, { file: string; kind: WeightKind }> = {};
  for (const graph of graphs) {
    const there = kindsOf(graph);
    const kind = (typeof dtype === 'object' ? dtype[graph] : dtype) ?? standard(common, there);
    if (kind === null || !there.includes(kind)) {
      throw unusable(
        `expected ${kind === null ? 'one kind of weights' : `weights of kind ${kind}`} for ${graph} in ${shown}, but there is ${there.join(', ')}; name one of them`,
        undefined,
        'dtype',
      );
    }
    chosen[graph] = { file: fileOf(graph, kind), kind };
  }
  return chosen;
}

function standard(common: readonly WeightKind[], there: readonly WeightKind[]): WeightKind | null {
  if (common.includes('fp32')) return 'fp32';
  if (common.length === 1) return common[0]!;
  return common.length === 0 && there.length === 1 ? there[0]! : null;
}
