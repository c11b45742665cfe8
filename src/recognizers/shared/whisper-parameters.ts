/** The sizes that decide how many parameters a Whisper model has. */
export interface WhisperSizes {
  readonly width: number;
  readonly melBands: number;
  readonly audioPositions: number;
  readonly encoderLayers: number;
  /** Width inside of the encoder's feed-forward layers. */
  readonly encoderInner: number;
  readonly vocabulary: number;
  readonly textPositions: number;
  readonly decoderLayers: number;
  readonly decoderInner: number;
}

/**
 * Parameters of a Whisper model by its sizes (A. Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision",
 * 2022, section 2.2, and OpenAI's model.py: key projections have no bias, the token embedding is the output layer too). Files
 * hold copies of some, so that counting what is stored would say more.
 *
 * @returns null where a size is not a number
 */
export function whisperParameters(sizes: WhisperSizes): number | null {
  const { width } = sizes;
  const norm = 2 * width;
  const attention = 4 * width ** 2 + 3 * width;
  const feedForward = (inner: number) => 2 * width * inner + inner + width;
  const convolution = (channels: number) => 3 * channels * width + width;
  const encoderLayer = attention + feedForward(sizes.encoderInner) + 2 * norm;
  const decoderLayer = 2 * attention + feedForward(sizes.decoderInner) + 3 * norm;
  const encoder =
    convolution(sizes.melBands) +
    convolution(width) +
    sizes.audioPositions * width +
    sizes.encoderLayers * encoderLayer +
    norm;
  const decoder = (sizes.vocabulary + sizes.textPositions) * width + sizes.decoderLayers * decoderLayer + norm;
  const all = encoder + decoder;
  return Number.isSafeInteger(all) ? all : null;
}
