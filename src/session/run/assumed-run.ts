import { createRandom } from '../../base/random.ts';
import { attributesOf, conditionOf, isSampledLimit } from '../../compare/gate/limits.ts';
import { speakerOf } from '../../compare/gate/looks.ts';
import { type GateTally, type GateTrial, tallyTrials } from '../../compare/gate/tally-trials.ts';
import type { GateOptions } from '../../model/gate.ts';
import { clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { LoadedConfig } from '../config/config.ts';
import { openCorpus } from '../open/open-corpus.ts';
import { someDurations } from '../open/price-rest.ts';
import { createServices } from '../open/services.ts';
import { checkNames } from '../stored/gate-names.ts';

/** By how much the logarithms of the rates of speakers, and of the clips of one speaker, vary. */
export const assumedSpread = 0.5;

/** What stands for a word that is misheard, in any language. */
const misheard = 'x';

/**
 * The corpus of a config as a run that was never made would have it, so that limits can be planned before anything is paid: each speaker and each clip has a rate of its own about
 * the assumed one (lognormal, `assumedSpread`), and words are misheard by chance. Recognizers are those of the config, conditions those that the limits name.
 *
 * @param wer assumed word error rate on clean audio and in every condition
 * @throws EarwitnessError as `openCorpus`; `bad-config` for limits of groups or recognizers that there are not
 * @example const { tally, utterances } = await assumedRun(await loadConfig('earwitness.config.yaml'), gate, normalizer, 0.1)
 */
export async function assumedRun(
  { config, baseFolder }: LoadedConfig,
  gate: GateOptions,
  normalizer: Normalizer,
  wer: number,
): Promise<{ readonly tally: GateTally; readonly utterances: ReadonlyMap<string, Utterance> }> {
  const services = createServices({ baseFolder, synthesizers: config.synthesizers });
  const utterances = new Map<string, Utterance>();
  try {
    const corpus = await openCorpus(config, null, services.corpus);
    try {
      for await (const utterance of corpus.utterances()) utterances.set(utterance.id, utterance);
    } finally {
      await corpus.close();
    }
    const seconds = await someDurations([...utterances.values()], services.sounds);
    const named = gate.limits.filter(isSampledLimit).map((limit) => conditionOf(limit) ?? clean.name);
    const asked = { recognizers: Object.keys(config.recognizers), conditions: [...new Set([clean.name, ...named])] };
    const trials = assumedTrials(utterances.values(), asked, normalizer, { wer, seed: config.seed, seconds });
    const words = (text: string, language: string) => normalizer.words(text, language);
    const tally = await tallyTrials(trials, words, attributesOf(gate.limits), null);
    checkNames(gate.limits, tally, 'this config');
    return { tally, utterances };
  } finally {
    await services.close();
  }
}

function* assumedTrials(
  utterances: Iterable<Utterance>,
  { recognizers, conditions }: { readonly recognizers: readonly string[]; readonly conditions: readonly string[] },
  normalizer: Normalizer,
  { wer, seed, seconds }: { readonly wer: number; readonly seed: number; readonly seconds: number | null },
): Generator<GateTrial> {
  const random = createRandom({ seed, use: 'assumed run' });
  const factor = () => Math.exp(assumedSpread * random.normal() - assumedSpread ** 2 / 2);
  const speakers = new Map<string, number>();
  for (const utterance of utterances) {
    if (utterance.reference === undefined) continue;
    const own = speakers.get(speakerOf(utterance)) ?? factor();
    speakers.set(speakerOf(utterance), own);
    const said = normalizer.words(utterance.reference, utterance.language);
    const question = { utterance, steps: '', draw: 0, repeat: 0 };
    for (const conditionName of conditions) {
      for (const recognizer of recognizers) {
        const rate = wer * own * factor();
        const text = said.map((word) => (random.next() < rate ? misheard : word)).join(' ');
        const observation = { transcript: { text }, soundSeconds: seconds, timing: { seconds: 0, calls: 0 } };
        yield { ...question, conditionName, recognizer, observation };
      }
    }
  }
}
