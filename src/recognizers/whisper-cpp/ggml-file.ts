import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { printable } from '../../base/printable.ts';
import { unusable } from '../shared/model-unusable.ts';
import type { WhisperSizes } from '../shared/whisper-parameters.ts';

/** What the head of a model says of it. */
export interface GgmlModel {
  readonly sizes: WhisperSizes;
  /** Whether it can be told a language: English-only models have one token fewer for each. */
  readonly multilingual: boolean;
  /** `ftype`: how weights are written (0 fp32, 1 fp16, others quantized). */
  readonly weightType: number;
  readonly bytes: number;
}

const magic = 0x67_67_6d_6c;
const headNumbers = 11;
/** Words of the vocabularies of multilingual models; English-only ones have 51864. */
const leastMultilingual = 51_865;

/**
 * Reads the head of whisper.cpp's own format (whisper.cpp, `whisper_model_load`: magic, then eleven 32-bit numbers).
 *
 * @throws EarwitnessError `bad-config`: it is something else
 */
export async function readGgmlModel(path: string): Promise<GgmlModel> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4 * (1 + headNumbers)), 0, 4 * (1 + headNumbers), 0);
    if (bytesRead < buffer.length || buffer.readUInt32LE(0) !== magic) {
      throw unusable(
        `expected a ggml file of whisper.cpp, but ${printable(basename(path), 80)} is none; convert the model with whisper.cpp's own script`,
      );
    }
    const number = (place: number) => buffer.readInt32LE(4 * (1 + place));
    const width = number(2);
    return {
      sizes: {
        vocabulary: number(0),
        audioPositions: number(1),
        width,
        encoderLayers: number(4),
        encoderInner: 4 * width,
        textPositions: number(5),
        decoderLayers: number(8),
        decoderInner: 4 * number(6),
        melBands: number(9),
      },
      multilingual: number(0) >= leastMultilingual,
      weightType: number(10),
      bytes: size,
    };
  } finally {
    await file.close();
  }
}
