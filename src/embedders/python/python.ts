import { z } from 'zod';
import { askedPythonOptions, openAskedPython } from '../../system/asked-processes.ts';
import { pythonReadiness } from '../../system/python.ts';
import type { EmbedderKind } from '../contract.ts';
import { embedderOf, embedding, embeddingOptions } from '../shared/embedding-process.ts';

const options = z.strictObject({
  ...askedPythonOptions({
    ...{ calls: 'earwitness.embed', changes: 'a vector', example: 'sentence-transformers', again: 'embedded' },
  }),
  ...embeddingOptions,
});

type Options = z.output<typeof options>;

/** A Python model that stays loaded and turns texts into vectors, by a script of five lines. */
export const python: EmbedderKind<Options> = {
  name: 'python',
  about: 'A Python model by a script of five lines: loaded once, gives vectors of texts (sentence-transformers, …)',
  options,

  async open(given, services) {
    return embedderOf(await openAskedPython(embedding, given, services), given);
  },

  readiness: pythonReadiness,
};
