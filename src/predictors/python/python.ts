import { z } from 'zod';
import { askedPythonOptions, openAskedPython } from '../../system/asked-processes.ts';
import { pythonReadiness } from '../../system/python.ts';
import type { PredictorKind } from '../contract.ts';
import { predicting, predictingOptions, predictorOf } from '../shared/predicting-process.ts';

const options = z.strictObject({
  ...askedPythonOptions({
    ...{ calls: 'earwitness.predict', changes: 'a prediction', example: 'scikit-learn', again: 'predicted' },
  }),
  ...predictingOptions,
});

type Options = z.output<typeof options>;

/** A Python classifier that learns which texts fail, by a script of five lines. */
export const python: PredictorKind<Options> = {
  name: 'python',
  about: 'A Python classifier by a script of five lines: scikit-learn, a transformer fine-tuned as in CrossASR, …',
  options,

  async open(given, services) {
    return predictorOf(await openAskedPython(predicting, given, services));
  },

  readiness: pythonReadiness,
};
