import { basename } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { notReady } from '../../packages/installed-package.ts';
import type { EmbeddedText, Embedder, EmbedderKind } from '../contract.ts';
import { type Graph, openGraph } from './graph.ts';
import { type Libraries, loadLibraries } from './libraries.ts';
import { findModelFiles, type ModelFiles, unusable } from './model-files.ts';
import { maxTokensOf, poolingOf } from './model-settings.ts';
import { type SentenceTransformerOptions, sentenceTransformerOptions } from './options.ts';
import { createReader, type ReadTokens, unknownIdOf } from './read-tokens.ts';

/** Raised when this member reads texts otherwise, so that vectors change. */
const method = 1;

/**
 * A sentence-embedding model in ONNX from a local folder (N. Reimers and I. Gurevych, "Sentence-BERT", EMNLP 2019), computed by
 * onnxruntime-node. Nothing is downloaded.
 *
 * On one machine vectors are the same bit for bit, whatever stands beside a text and however many threads compute it (the
 * second as seen, not as promised by the engine); all-MiniLM-L6-v2 in int8 gives what onnxruntime in Python gives to 1e-8.
 * Between kinds of processors they differ by rounding, and int8 models by more, because processors without VNNI saturate
 * 16-bit sums (onnxruntime's documentation, "Quantize ONNX models"): no similarity of an int8 model should be read to more
 * than two digits.
 */
export const sentenceTransformer: EmbedderKind<SentenceTransformerOptions> = {
  name: 'sentence-transformer',
  about: 'Sentence embeddings from a local ONNX model in the layout of transformers.js, such as all-MiniLM-L6-v2',
  options: sentenceTransformerOptions,

  async open(options, services) {
    const libraries = await loadLibraries();
    const files = await findModelFiles(options, services);
    const maxTokens = maxTokensOf(files, options.maxTokens);
    const tokenizer = openTokenizer(libraries, files);
    const graph = await openGraph(libraries.runtime, files.graph, {
      asked: poolingOf(files, options),
      threads: options.threads,
      shown: printable(basename(files.graph), 60),
    });
    const { prefix } = options;
    const read = createReader(tokenizer, { maxTokens, prefix, unknownId: unknownIdOf(tokenizer, files.tokenizer) });
    const identity = {
      engine: 'sentence-transformer',
      method,
      libraries: libraries.versions,
      processor: process.arch,
      model: files.hashes,
      pooling: graph.pooling,
      prefix,
      maxTokens,
    };
    try {
      const probe = await graph.vectorOf(tokenizer.encode('a').ids);
      return embedding(graph, read, {
        model: { name: options.name ?? files.folderName, ...identity },
        identity,
        languages: options.languages,
        maxTokens,
        dimensions: probe.length,
      });
    } catch (error) {
      await graph.close();
      throw error;
    }
  },

  async readiness() {
    try {
      const { versions } = await loadLibraries();
      return {
        ready: true,
        found: Object.entries(versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(', '),
      };
    } catch (error) {
      return notReady(error);
    }
  },
};

function openTokenizer({ Tokenizer }: Libraries, { tokenizer, tokenizerConfig, shownFolder }: ModelFiles) {
  try {
    return new Tokenizer(tokenizer, tokenizerConfig);
  } catch (cause) {
    throw unusable(
      `expected a tokenizer in ${shownFolder}/tokenizer.json, but it does not load (${printable(messageOf(cause))}); take it from the model's own folder`,
      cause,
    );
  }
}

function embedding(
  graph: Graph,
  read: (text: string) => ReadTokens,
  facts: Pick<Embedder, 'model' | 'identity' | 'languages' | 'maxTokens' | 'dimensions'>,
): Embedder {
  const embedTexts = async (texts: readonly string[], signal?: AbortSignal): Promise<EmbeddedText[]> => {
    const embedded: EmbeddedText[] = [];
    for (const text of texts) {
      signal?.throwIfAborted();
      const { ids, reason, tokens, counted } = read(text);
      if (reason !== undefined) {
        embedded.push({ vector: null, reason, tokens, tokensRead: 0 });
        continue;
      }
      const all = `${counted ? '' : 'more than '}${tokens.toLocaleString('en-US')}`;
      embedded.push({
        vector: await graph.vectorOf(ids),
        tokens,
        tokensRead: ids.length,
        ...(ids.length < tokens || !counted
          ? { note: `the model read only the first ${ids.length.toLocaleString('en-US')} of ${all} tokens` }
          : {}),
      });
    }
    return embedded;
  };
  return {
    ...facts,
    embedTexts,
    async embed(texts) {
      return (await embedTexts(texts)).map(({ vector }) => vector ?? new Float32Array(facts.dimensions));
    },
    close: () => graph.close(),
  };
}
