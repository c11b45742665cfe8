import { z } from 'zod';
import { list, nonEmpty, oneOf, whole } from '../../base/option-kinds.ts';
import { languageTag } from '../shared/embedding-process.ts';

export const sentenceTransformerOptions = z.strictObject({
  model: nonEmpty().describe(
    'Folder of the model as transformers.js has it: config.json, tokenizer.json, onnx/model….onnx',
  ),
  languages: list(languageTag, 1).describe(
    'Languages the model was made for, as its authors say (BCP 47); in others similarity is null',
  ),
  file: nonEmpty().optional().describe('ONNX file in the folder or its onnx/. Default: model.onnx, else the only one'),
  name: nonEmpty(200).optional().describe("The model's name in findings. Default: the folder's name"),
  pooling: oneOf(['mean', 'cls', 'max', 'model'])
    .optional()
    .describe(
      'How token vectors become one: their mean, the first, the greatest of each, or by the model itself. Default: as 1_Pooling/config.json says, else the mean',
    ),
  prefix: z
    .string()
    .max(1000)
    .default('')
    .describe('Put before each text, where the model was trained so ("query: " for E5)'),
  maxTokens: whole(8, 1_000_000)
    .optional()
    .describe("Tokens of a text that are read; the rest is cut off, and said. Default: the model's own limit"),
});

export type SentenceTransformerOptions = z.output<typeof sentenceTransformerOptions>;
export type Pooling = NonNullable<SentenceTransformerOptions['pooling']>;
