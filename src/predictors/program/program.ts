import { z } from 'zod';
import { askedProgramOptions, openAskedProgram } from '../../system/asked-processes.ts';
import { programReadiness } from '../../system/named-program.ts';
import type { PredictorKind } from '../contract.ts';
import { predicting, predictingOptions, predictorOf } from '../shared/predicting-process.ts';

const options = z.strictObject({ ...askedProgramOptions, ...predictingOptions });

type Options = z.output<typeof options>;

/** A process in any language that learns which texts fail. */
export const program: PredictorKind<Options> = {
  name: 'program',
  about: 'Any program that stays: learns from the texts that were tried, tells the chances of the others',
  options,

  async open(given, services) {
    return predictorOf(await openAskedProgram(predicting, given, services));
  },

  readiness: programReadiness,
};
