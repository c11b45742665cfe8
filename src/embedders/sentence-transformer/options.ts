import { z } from 'zod';
import { languageTag } from '../shared/embedding-process.ts';

export const sentenceTransformerOptions = z.strictObject({
  model: z
    .string()
    .min(1)
    .describe('Folder of the model as transformers.js has it: config.json, tokenizer.json, onnx/model….onnx'),
  languages: z
    .array(languageTag)
    .min(1)
    .describe('Languages the model was made for, as its authors say (BCP 47); in others similarity is null'),
  file: z
    .string()
    .min(1)
    .optional()
    .describe('ONNX file in the folder or its onnx/. Default: model.onnx, else the only one'),
  name: z.string().min(1).max(200).optional().describe("The model's name in findings. Default: the folder's name"),
  pooling: z
    .enum(['mean', 'cls', 'max', 'model'])
    .optional()
    .describe(
      'How token vectors become one: their mean, the first, the greatest of each, or by the model itself. Default: as 1_Pooling/config.json says, else the mean',
    ),
  prefix: z
    .string()
    .max(1000)
    .default('')
    .describe('Put before each text, where the model was trained so ("query: " for E5)'),
  maxTokens: z
    .int()
    .min(8)
    .max(1_000_000)
    .optional()
    .describe("Tokens of a text that are read; the rest is cut off, and said. Default: the model's own limit"),
});

export type SentenceTransformerOptions = z.output<typeof sentenceTransformerOptions>;
export type Pooling = NonNullable<SentenceTransformerOptions['pooling']>;
