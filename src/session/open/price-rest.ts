import { billedSeconds } from '../../engine/ask-trial.ts';
import type { Spending } from '../../engine/limits.ts';
import type { RunSetup } from '../../engine/setup.ts';
import type { Price } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Billing } from '../../recognizers/contract.ts';
import { TimeSum } from '../../studies/shared/computing-time.ts';
import type { Services } from './services.ts';

/** How many utterances a preview asks about. */
export const previewedUtterances = 10;

/** What is still to be asked, as far as it is known, beside what a budget has been used for. */
export interface StillToAsk {
  readonly calls: number;
  /** Null where lengths of sounds are not known. */
  readonly audioMinutes: number | null;
  /** Of recognizers whose price is known; null where lengths are not. */
  readonly money: readonly Price[] | null;
  readonly used: Spending;
}

/** What the rest of a corpus will take, reckoned from a preview of it. */
export interface PreviewPrice {
  /** Utterances of the preview, and of the whole corpus. */
  readonly utterances: number;
  readonly ofUtterances: number;
  /** Of the whole corpus, clean; null where its sounds are spoken and no file tells. */
  readonly audioMinutes: number | null;
  /** Recognitions that are left, and the minutes of sound that are sent for them. */
  readonly trials: number;
  readonly trialMinutes: number | null;
  /** Elapsed until all of it is done, on a machine as busy as it was; null where nothing was measured. */
  readonly elapsedSeconds: number | null;
  /** Of the processor, however busy the machine is; null where it is not known of every recognizer. */
  readonly processorSeconds: number | null;
  /** Of recognizers whose price is known. */
  readonly money: readonly Price[];
  /** What counts into the budget of the run that goes on. */
  readonly used: Spending;
}

type Spender = Required<Pick<RunSetup, 'spending'>>;

/** So many sounds are measured; all of them where there are no more. */
const maxMeasured = 200;

/**
 * Reckons the rest from what the preview's answers took: every utterance is taken to be asked as often as those of the
 * preview, and a minute of sound to take as long.
 *
 * @param whole all utterances; those of the preview are among them
 */
export async function priceRest(
  setup: Pick<RunSetup, 'store' | 'runId' | 'recognizers' | 'workers' | 'corpus'> & Spender,
  whole: () => AsyncIterable<Utterance>,
  sounds: Services['sounds'],
): Promise<PreviewPrice> {
  const { store, runId, recognizers, workers } = setup;
  const previewed: Utterance[] = [];
  for await (const utterance of setup.corpus.utterances()) previewed.push(utterance);
  let ofUtterances = 0;
  for await (const _ of whole()) ofUtterances++;
  const restUtterances = Math.max(0, ofUtterances - previewed.length);
  const some: Utterance[] = [];
  let number = 0;
  for await (const utterance of whole()) if (number++ % stepOf(ofUtterances) === 0) some.push(utterance);
  const [ownSeconds, meanSeconds] = [await meanDuration(previewed, sounds), await meanDuration(some, sounds)];

  const spent = recognizers.map(() => ({ time: new TimeSum(), answered: 0, asked: 0, elapsed: 0 }));
  // What several studies ask is asked once.
  for (const { recognizer, observation } of store.trials(runId)) {
    if (observation.failure?.kind === 'inapplicable') continue;
    const of = spent[recognizer]!;
    of.asked++;
    if (observation.transcript === undefined) continue;
    of.answered++;
    of.time.add(observation);
    of.elapsed += observation.timing.seconds;
  }
  // What the rest is of the preview: by sound where it is known, else by utterances.
  const byUtterances = restUtterances / Math.max(1, previewed.length);
  const growth = ownSeconds === null || meanSeconds === null ? byUtterances : (byUtterances * meanSeconds) / ownSeconds;
  const asked = spent.reduce((sum, of) => sum + of.asked, 0);
  // Of clips that differ in length, what a service rounds is told by the mean alone: near enough for a preview.
  const minutesOf = ({ asked: count }: { readonly asked: number }, billing?: Billing) =>
    meanSeconds === null
      ? null
      : (count * byUtterances * (billing ? billedSeconds(billing, meanSeconds) : meanSeconds)) / 60;
  const money = new Map<string, number>();
  for (const [index, { pricePerMinute, billing }] of recognizers.entries()) {
    const minutes = minutesOf(spent[index]!, billing);
    if (pricePerMinute === null || minutes === null) continue;
    const { amount, currency } = pricePerMinute;
    money.set(currency, (money.get(currency) ?? 0) + amount * minutes);
  }
  const rest = (seconds: number, { answered, asked: count }: (typeof spent)[number]) =>
    answered === 0 ? 0 : (seconds / answered) * count * growth;
  const took = spent.map((of) => rest(of.elapsed, of));
  // Whoever uses the processor shares the workers with others, and has no more calls at once than it may.
  const onProcessor = recognizers.reduce(
    (sum, { usesProcessor, limits }, index) => sum + (usesProcessor ? took[index]! / (limits.batch ?? 1) : 0),
    0,
  );
  const alone = recognizers.map(({ limits }, index) => took[index]! / limits.concurrency);
  const known = spent.every(({ time, answered }) => answered > 0 && time.processorSeconds !== null);
  return {
    utterances: previewed.length,
    ofUtterances,
    audioMinutes: meanSeconds === null ? null : (meanSeconds * ofUtterances) / 60,
    trials: Math.round(asked * byUtterances),
    trialMinutes: minutesOf({ asked }),
    elapsedSeconds: spent.every(({ answered }) => answered === 0) ? null : Math.max(onProcessor / workers, ...alone),
    processorSeconds: known ? spent.reduce((sum, of) => sum + rest(of.time.processorSeconds ?? 0, of), 0) : null,
    money: [...money].map(([currency, amount]) => ({ amount, currency })),
    used: setup.spending.used(),
  };
}

/** What a run that is planned is to ask in its first batches, priced by the mean length of its sounds. */
export async function priceOpen(
  {
    store,
    runId,
    recognizers,
    corpus,
    spending,
  }: Pick<RunSetup, 'store' | 'runId' | 'recognizers' | 'corpus'> & Spender,
  sounds: Services['sounds'],
): Promise<StillToAsk> {
  const utterances: Utterance[] = [];
  for await (const utterance of corpus.utterances()) utterances.push(utterance);
  const seconds = await someDurations(utterances, sounds);
  const money = new Map<string, number>();
  let calls = 0;
  for (const [place, { pricePerMinute, billing }] of recognizers.entries()) {
    const open = store.countOpenRecognitions(runId, place);
    calls += open;
    if (pricePerMinute === null || seconds === null) continue;
    const { amount, currency } = pricePerMinute;
    const minutes = (open * (billing ? billedSeconds(billing, seconds) : seconds)) / 60;
    money.set(currency, (money.get(currency) ?? 0) + amount * minutes);
  }
  return {
    calls,
    audioMinutes: seconds === null ? null : (calls * seconds) / 60,
    money: seconds === null ? null : [...money].map(([currency, amount]) => ({ amount, currency })),
    used: spending.used(),
  };
}

const stepOf = (utterances: number) => Math.max(1, Math.ceil(utterances / maxMeasured));

/**
 * Mean length in seconds of the sounds of utterances, of two hundred where there are more; null where a sound is no file, or cannot be read.
 *
 * @example await someDurations(utterances, services.sounds) // 4.2
 */
export function someDurations(utterances: readonly Utterance[], sounds: Services['sounds']): Promise<number | null> {
  return meanDuration(
    utterances.filter((_, place) => place % stepOf(utterances.length) === 0),
    sounds,
  );
}

/** Mean length in seconds; null where a sound is no file, or cannot be read. */
async function meanDuration(utterances: readonly Utterance[], sounds: Services['sounds']): Promise<number | null> {
  let seconds = 0;
  for (const { sound } of utterances) {
    if (sound === undefined || !('file' in sound)) return null;
    const end = sound.endSeconds ?? (await sounds.durationSeconds(sound.file).catch(() => null));
    if (end === null) return null;
    seconds += end - (sound.startSeconds ?? 0);
  }
  return utterances.length === 0 ? null : seconds / utterances.length;
}
