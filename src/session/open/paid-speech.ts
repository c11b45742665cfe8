import type { Clip } from '../../audio/clip.ts';
import type { Clock } from '../../base/clock.ts';
import { badConfig, type EarwitnessError } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import type { Budget } from '../../engine/limits.ts';
import type { Price } from '../../model/observation.ts';
import { type Journal, speechPlace } from '../../store/contract.ts';
import type { Synthesizer } from '../../synthesizers/contract.ts';

/** From what speech is paid: each call is reserved and journaled before it is made. */
export interface SpeechPurse {
  /** @throws EarwitnessError `budget` when it would go over the limit: then the call must not be made */
  begin(key: string, price: Price): SpeechCall;
}

interface SpeechCall {
  /** @param paid what it cost, where that is another price than was reserved */
  answered(paid: Price | null): void;
  /** Counts all the same: nobody says whether it is charged for. */
  failed(): void;
}

/** The purse of a run, whose budget is that of its recognizers too. */
export function createSpeechPurse(
  store: Pick<Journal, 'record'>,
  runId: string,
  budget: Pick<Budget, 'reserveSpeech' | 'settle'>,
  clock: Pick<Clock, 'wallMs'>,
): SpeechPurse {
  return {
    begin(key, price) {
      budget.reserveSpeech(price);
      const sent = { place: speechPlace, key, sentAtMs: clock.wallMs(), reservedSeconds: 0, reservedPrice: price };
      const [attempt] = store.record(runId, { begin: [sent] });
      const end = (state: 'answered' | 'failed', paid: Price | null) =>
        store.record(runId, { end: [{ attempt: attempt!, state, price: paid }] });
      return {
        answered(paid) {
          if (paid !== null) budget.settle(price, paid);
          end('answered', paid);
        },
        failed: () => end('failed', null),
      };
    },
  };
}

/** What a synthesizer costs. */
export interface SpeechPrices {
  /** As the config says it; absent: as is known. */
  readonly pricePerMillionCharacters?: Price | undefined;
}

/**
 * Has a synthesizer speak for money; where it costs nothing, simply so. Whoever charges is asked once for each call, others once for a
 * text.
 *
 * @param purse asked when something is spoken for money, not before
 */
export function paidSpeech(
  engine: Synthesizer,
  { pricePerMillionCharacters: told }: SpeechPrices,
  purse: () => SpeechPurse,
): (text: string, voice: string) => Promise<Clip> {
  const { charges } = engine;
  return async (text, voice) => {
    const price = told ?? charges?.pricePerMillionCharacters(voice) ?? null;
    if (price === null || price.amount === 0) return engine.speak(text, voice);
    const costOf = (characters: number): Price => ({ ...price, amount: (price.amount * characters) / 1e6 });
    const reserved = costOf(charges?.characters(text) ?? [...text].length);
    const key = hashJson({ synthesizer: engine.identity, voice, text });
    const open = new Set<SpeechCall>();
    const beginCall = () => {
      for (const call of open) call.failed();
      open.clear();
      const call = purse().begin(key, reserved);
      open.add(call);
      return (characters?: number) => {
        open.delete(call);
        call.answered(characters === undefined ? null : costOf(characters));
      };
    };
    try {
      if (charges !== undefined) return await engine.speak(text, voice, undefined, beginCall);
      const answered = beginCall();
      const clip = await engine.speak(text, voice);
      answered();
      return clip;
    } finally {
      for (const call of open) call.failed();
    }
  };
}

/**
 * A budget in money holds only where each call that somebody may charge for has a price.
 *
 * @param option the key of an entry that names the price
 * @example throw unpriced('recognizer', 'mine', 'pricePerMinute', 'EUR')
 */
export function unpriced(
  what: 'recognizer' | 'synthesizer',
  name: string,
  option: string,
  currency: string,
): EarwitnessError {
  return badConfig(
    `budget.money: expected each hosted ${what} to have a price, but none is known of ${JSON.stringify(name)}, so that no budget in money could hold; write ${option}: { amount: …, currency: ${currency} } into its entry (0 where it costs nothing), or take the budget out`,
  );
}

/**
 * A budget holds in its own currency alone. What costs nothing has none.
 *
 * @param option the key of an entry that names the price
 * @throws EarwitnessError `bad-config` for a price in another
 */
export function refuseForeignPrice(
  what: 'recognizer' | 'synthesizer',
  name: string,
  option: string,
  price: Price,
  money: Price,
): void {
  if (price.amount === 0 || price.currency === money.currency) return;
  throw badConfig(
    `budget.money: expected all prices in ${money.currency}, but the ${what} ${JSON.stringify(name)} has one in ${price.currency}; write ${option}: { amount: …, currency: ${money.currency} } into its entry, or the budget in ${price.currency}`,
  );
}

/** @throws EarwitnessError `bad-config` where a synthesizer charges for a voice whose price nobody knows, or in another currency */
export async function refuseUnpricedSpeech(
  name: string,
  engine: Synthesizer,
  { pricePerMillionCharacters: told }: SpeechPrices,
  money: Price | undefined,
): Promise<void> {
  const { charges } = engine;
  if (money === undefined) return;
  const option = 'pricePerMillionCharacters';
  if (told !== undefined) return refuseForeignPrice('synthesizer', name, option, told, money);
  if (charges === undefined) return;
  for (const voice of await engine.voices()) {
    const price = charges.pricePerMillionCharacters(voice.name);
    if (price === null) throw unpriced('synthesizer', name, option, money.currency);
    refuseForeignPrice('synthesizer', name, option, price, money);
  }
}
