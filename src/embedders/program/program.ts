import { z } from 'zod';
import { askedProgramOptions, openAskedProgram } from '../../system/asked-processes.ts';
import { programReadiness } from '../../system/named-program.ts';
import type { EmbedderKind } from '../contract.ts';
import { embedderOf, embedding, embeddingOptions } from '../shared/embedding-process.ts';

const options = z.strictObject({ ...askedProgramOptions, ...embeddingOptions });

type Options = z.output<typeof options>;

/** A process in any language that loads its model once and turns texts into vectors. */
export const program: EmbedderKind<Options> = {
  name: 'program',
  about: 'Any program that stays running: loads its model once, gives vectors of texts',
  options,

  async open(given, services) {
    return embedderOf(await openAskedProgram(embedding, given, services), given);
  },

  readiness: programReadiness,
};
