import { hashJson } from '../../base/hash.ts';
import type { Config } from '../config/config.ts';
import type { CorpusPart } from '../open/open-corpus.ts';

/** What of a config decides answers and counts: limits, budget, workers, prices and reports do not. */
export function decidingParts(config: Config) {
  const { seed, corpora, synthesizers, recognizers, studies, embedders, predictors, quality } = config;
  const { normalizers, ladders, perturbationRateHz } = config;
  const speaking = Object.entries(synthesizers).map(([name, { type, options, moduleHash }]) => [
    name,
    { type, options, moduleHash },
  ]);
  const asked = Object.entries(recognizers).map(([name, { type, options, moduleHash, epoch }]) => ({
    name,
    type,
    options,
    moduleHash,
    epoch,
  }));
  return {
    ...{ seed, corpora, synthesizers: Object.fromEntries(speaking), recognizers: asked },
    ...{ studies, embedders, predictors, quality, normalizers, ladders },
    ...(perturbationRateHz !== undefined && { perturbationRateHz }),
  };
}

/** Hash of everything in a config that decides what is asked. */
export function purposeOf(config: Config, baseFolder: string, limit: CorpusPart): string {
  // Limits decide what is asked only where asking ends with their verdict.
  const gate = config.gate?.askUntil === undefined ? undefined : config.gate;
  return hashJson(JSON.parse(JSON.stringify({ ...decidingParts(config), gate, baseFolder, limit })));
}
