import type { JsonObject } from '../../base/json.ts';
import { type WhisperSizes, whisperParameters } from '../shared/whisper-parameters.ts';
import { whisperLanguages } from './languages.ts';
import type { ModelFiles } from './model-files.ts';

const architectures: Readonly<Record<ModelFiles['family'], string>> = {
  whisper: 'encoder-decoder Transformer',
  sequence: 'encoder-decoder Transformer',
  ctc: 'encoder with connectionist temporal classification',
};

/** What the files say of a model, for analyses by size and kind; what else is known of it stands in the config's `facts`. */
export function modelFacts(files: ModelFiles, wordTimes: boolean): JsonObject {
  const { family, modelType, config, generation, weights, graphs } = files;
  const all = Object.values(graphs);
  const stored = all.reduce((sum, { graph }) => sum + graph.parameters, 0);
  return {
    architecture: architectures[family],
    modelType,
    parameters: (family === 'whisper' ? whisperParameters(sizesOf(config)) : null) ?? stored,
    modelBytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    weights: Object.fromEntries(Object.entries(weights).map(([graph, { kind }]) => [graph, kind])),
    ...(family === 'whisper' ? { languages: whisperLanguages(generation) ?? ['en'] } : {}),
    wordTimes,
    confidences: family === 'ctc' && wordTimes,
  };
}

/** By the names of config.json; NaN where it lacks one. */
function sizesOf(config: JsonObject): WhisperSizes {
  const size = (name: string) => (typeof config[name] === 'number' ? config[name] : Number.NaN);
  return {
    width: size('d_model'),
    melBands: size('num_mel_bins'),
    audioPositions: size('max_source_positions'),
    encoderLayers: size('encoder_layers'),
    encoderInner: size('encoder_ffn_dim'),
    vocabulary: size('vocab_size'),
    textPositions: size('max_target_positions'),
    decoderLayers: size('decoder_layers'),
    decoderInner: size('decoder_ffn_dim'),
  };
}
