import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { OnnxRuntime } from '../../packages/onnx-runtime.ts';
import { unusable } from './model-files.ts';
import type { Pooling } from './options.ts';

/** A text encoder, loaded. */
export interface Graph {
  readonly pooling: Pooling;
  /** A vector of length 1 for the tokens of one text. */
  vectorOf(ids: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** What a tensor that is fed to the graph holds for each token; no other inputs are known. */
const inputValues: { readonly [input: string]: (id: number) => number } = {
  input_ids: (id) => id,
  attention_mask: () => 1,
  token_type_ids: () => 0,
};

/** What exporters call a vector for each token, and one for the whole text. */
const tokenOutputs = ['last_hidden_state', 'token_embeddings'];
const textOutput = 'sentence_embedding';

/**
 * Loads an ONNX text encoder. It gets one text at a time and nothing is padded: graphs that are quantized as they run
 * (`DynamicQuantizeLinear`, all that transformers.js calls q8) take their scale from the whole batch, so that a text's
 * vector would depend on its neighbours and its padding (onnxruntime, issue 10111). With all-MiniLM-L6-v2 in int8 a batch of
 * four moved vectors to a cosine of .96 with themselves; batches of 8 and 32 sentences saved no processor time (9.4 ms a sentence
 * alone, 9.2 and 10.9).
 *
 * @param asked how token vectors become one; null for the graph's own vector where it has no others, else the mean
 * @throws EarwitnessError `bad-config`: not an ONNX file, or not a text encoder
 */
export async function openGraph(
  runtime: OnnxRuntime,
  file: string,
  { asked, shown }: { asked: Pooling | null; shown: string },
): Promise<Graph> {
  const session = await runtime.InferenceSession.create(file, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Texts differ in length: remembered layouts of memory would pile up, one for each length.
    enableMemPattern: false,
    logSeverityLevel: 4,
  }).catch((cause: unknown) => {
    throw unusable(`expected an ONNX graph, but ${shown} does not load (${printable(messageOf(cause))})`, cause);
  });
  try {
    return checkedGraph(runtime, session, asked, shown);
  } catch (error) {
    await session.release();
    throw error;
  }
}

function checkedGraph(runtime: OnnxRuntime, session: InferenceSession, asked: Pooling | null, shown: string): Graph {
  const inputs = session.inputMetadata.map((input) => {
    const value = Object.hasOwn(inputValues, input.name) ? inputValues[input.name] : undefined;
    if (value !== undefined && input.isTensor && (input.type === 'int64' || input.type === 'int32')) {
      return { name: input.name, type: input.type, value };
    }
    throw unusable(
      `expected a text encoder that asks for ${Object.keys(inputValues).join(', ')}, but ${shown} asks for ${printable(input.name, 60)}; take another model`,
    );
  });
  const { output, pooling } = chooseOutput(session, asked, shown);
  return {
    pooling,
    async vectorOf(ids) {
      const feeds: Record<string, Tensor> = {};
      for (const { name, type, value } of inputs) {
        const data =
          type === 'int64' ? BigInt64Array.from(ids, (id) => BigInt(value(id))) : Int32Array.from(ids, value);
        feeds[name] = new runtime.Tensor(type, data, [1, ids.length]);
      }
      const { data, dims } = (await session.run(feeds, [output]))[output]!;
      const dimensions = dims.at(-1) ?? 0;
      if (data.length !== (pooling === 'model' ? dimensions : dimensions * ids.length) || data.length === 0) {
        throw unusable(
          `expected a vector for ${pooling === 'model' ? 'the text' : 'each token'} from ${shown}, but ${output} has the shape ${dims.join(' x ')}; take another model`,
        );
      }
      return pooling === 'model' ? unitLength(data as Float32Array) : pool(data as Float32Array, dimensions, pooling);
    },
    close: () => session.release(),
  };
}

function chooseOutput(
  session: InferenceSession,
  asked: Pooling | null,
  shown: string,
): { output: string; pooling: Pooling } {
  const vectors = session.outputMetadata.filter((output) => output.isTensor && output.type === 'float32');
  const ofRank = (rank: number) =>
    vectors.filter((output) => output.isTensor && output.shape.length === rank).map(({ name }) => name);
  const [perToken, perText] = [ofRank(3), ofRank(2)];
  const pooling = asked ?? (perToken.length === 0 ? 'model' : 'mean');
  const candidates = pooling === 'model' ? perText : perToken;
  const named = pooling === 'model' ? [textOutput] : tokenOutputs;
  const output =
    candidates.find((name) => named.includes(name)) ?? (candidates.length === 1 ? candidates[0] : undefined);
  if (output !== undefined) return { output, pooling };
  const there = session.outputNames.slice(0, 10).map((name) => printable(name, 60));
  throw unusable(
    `expected ${named.join(' or ')} (32-bit floats) among what ${shown} gives, for pooling "${pooling}", but it gives ${there.join(', ')}; take another file or another pooling`,
  );
}

/**
 * One vector of length 1 from those of the tokens: their mean, the first of them, or the greatest of each number
 * (N. Reimers and I. Gurevych, "Sentence-BERT", EMNLP 2019, section 3). Nothing is padded, so that every token counts. A
 * vector of zeros stays one, and numbers that are not finite stay so.
 *
 * @param states the numbers of the tokens one after the other
 */
function pool(states: Float32Array, dimensions: number, pooling: Exclude<Pooling, 'model'>): Float32Array {
  const tokens = states.length / dimensions;
  const sum = Float64Array.from(states.subarray(0, dimensions));
  if (pooling !== 'cls') {
    for (let start = dimensions; start < states.length; start += dimensions) {
      for (let index = 0; index < dimensions; index++) {
        const value = states[start + index]!;
        sum[index] = pooling === 'max' ? Math.max(sum[index]!, value) : sum[index]! + value;
      }
    }
  }
  return unitLength(pooling === 'mean' ? sum.map((value) => value / tokens) : sum);
}

/** The vector in its direction whose length is 1; zeros stay zeros. */
function unitLength(vector: Float32Array | Float64Array): Float32Array {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += vector[index]! ** 2;
  const length = Math.sqrt(squares) || 1;
  return Float32Array.from(vector, (value) => value / length);
}
