import { badConfig } from '../../base/errors.ts';
import { counted } from '../../base/wording.ts';
import type { Answer, Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';

import type { Replicate } from './compare-ways.ts';
import { goesOn, type HeardPool, type HeardText } from './heard.ts';
import type { DifferentialOptions } from './options.ts';
import { type Way, ways } from './pool.ts';
import { DifferentialSearch, type Ending } from './search.ts';

/** Asks batches, receives answers, and gives a result. */
type Asking<Result> = AsyncGenerator<Batch, Result, AsyncIterable<Answer>>;

/** What the searches gave, and what they cost. */
export interface Conducted {
  readonly searches: readonly DifferentialSearch[];
  /** By pool, then by replicate; null where the predictor was not to be compared. */
  readonly replicates: readonly (readonly Replicate[])[] | null;
  readonly spending: Spending;
  /** By the clock, for the searches alone: recognitions stored before take none. */
  readonly seconds: number;
  /** What predicted, as the run knows it; null where nothing was predicted. */
  readonly predictor: Extract<Answer, { readonly ask: 'prediction' }>['model'] | null;
}

/** Conducts the searches of all pools side by side, then the rest of the pools and the comparison where they are wanted. */
export async function* conduct(
  pools: readonly HeardPool[],
  options: DifferentialOptions,
  context: StudyContext,
): Asking<Conducted> {
  const { recognizers, seed } = context;
  const models: Conducted['predictor'][] = [];
  const search = (known: HeardPool, way: Way, replicate: number) =>
    new DifferentialSearch(known, options.predictor === null ? 'random' : way, options, seed, replicate);
  const iterate = (
    active: readonly DifferentialSearch[],
    most: (search: DifferentialSearch) => number,
    about: string,
  ) => iteration(active, most, about, { recognizers, rule: options.rule, models });

  const searches = pools.map((known) => search(known, 'predictor', 0));
  if (options.acrossVoices) linkSearches(searches);
  const spending = createSpending(options.stop);
  const begun = yield* elapsedSeconds();
  let seconds = 0;
  for (let round = 1; ; round++) {
    const active = searches.filter(({ ending }) => ending === null);
    if (active.length === 0) break;
    const allowed = spending.allows(recognizers.length, seconds);
    const most = Math.floor(allowed.texts / active.length);
    if (most === 0) {
      for (const one of active) one.ending = allowed.ending;
      break;
    }
    yield* iterate(active, () => most, `iteration ${round}, ${counted(active.length, 'search', 'searches')}`);
    for (const one of active) {
      for (const text of one.iterations.at(-1)!) spending.add(one.heard.at(text)!);
      one.judge(options.stop);
    }
    seconds = (yield* elapsedSeconds()) - begun;
  }

  if (options.wholePool) {
    const rest = pools.map((pool) => ({ pool, texts: [...pool.pool.texts.keys()], recognizers: null }));
    yield* ask('the rest of the texts', rest, recognizers);
  }
  let replicates: readonly (readonly Replicate[])[] | null = null;
  if (options.replicates > 0 && options.predictor !== null) {
    replicates = searches.map((first) =>
      Array.from({ length: options.replicates }, (_, replicate): Replicate => {
        const one = (way: Way) =>
          way === 'predictor' && replicate === 0 ? first : search(first.known, way, replicate);
        return Object.fromEntries(ways.map((way) => [way, one(way)])) as Replicate;
      }),
    );
    for (let replicate = 0; options.acrossVoices && replicate < options.replicates; replicate++) {
      for (const way of ways) linkSearches(replicates.map((of) => of[replicate]![way]));
    }
    const model = new Map(
      replicates.flatMap((of, pool) =>
        of.flatMap((replicate) => ways.map((way) => [replicate[way], searches[pool]!] as const)),
      ),
    );
    const rounds = Math.max(0, ...searches.map(({ iterations }) => iterations.length));
    for (let round = 1; round <= rounds; round++) {
      const active = [...model].flatMap(([one, first]) =>
        one.iterations.length < round && first.iterations.length >= round ? [one] : [],
      );
      const about = `comparison, iteration ${round} of ${rounds}, ${counted(active.length, 'search', 'searches')}`;
      yield* iterate(active, (one) => model.get(one)!.iterations[round - 1]!.length, about);
    }
  }
  return { searches, replicates, spending, seconds, predictor: models[0] ?? null };
}

/** Searches that go on side by side know what the others heard. */
function linkSearches(searches: readonly DifferentialSearch[]): void {
  for (const one of searches) one.others = searches.filter((other) => other !== one);
}

/** One iteration of some searches, part after part: predictions where they are needed, then the recognitions that they want. */
async function* iteration(
  active: readonly DifferentialSearch[],
  most: (search: DifferentialSearch) => number,
  about: string,
  {
    recognizers,
    rule,
    models,
  }: Pick<StudyContext, 'recognizers'> &
    Pick<DifferentialOptions, 'rule'> & { readonly models: Conducted['predictor'][] },
): Asking<void> {
  for (const search of active) search.begin(most(search));
  let going = active.filter((search) => search.goesOn);
  for (let part = 1; going.length > 0; part++) {
    const now = part === 1 ? about : `${about}, part ${part}`;
    const predicted = yield* predictions(going, now, models);
    const told = going.map((search) => search.otherResults());
    const chosen = going.map((search, place) => ({
      search,
      texts: search.choose(predicted.get(search) ?? null, told[place]!),
    }));
    const first = chosen.map(({ search, texts }): WantedTexts => {
      return { pool: search.known, texts, recognizers: search.listener === null ? null : [search.listener] };
    });
    yield* ask(now, first, recognizers);
    const others = chosen.flatMap(({ search: { known, listener }, texts }): WantedTexts[] => {
      if (listener === null) return [];
      const right = texts.filter((text) => goesOn(known.heardBy(text, listener)!, rule, listener));
      return [{ pool: known, texts: right, recognizers: null }];
    });
    yield* ask(`${now}: who was not asked first`, others, recognizers);
    for (const search of going) search.learn();
    going = going.filter((search) => search.goesOn);
  }
}

/** Predictions for the searches that want one. */
async function* predictions(
  searches: readonly DifferentialSearch[],
  about: string,
  models: Conducted['predictor'][],
): Asking<ReadonlyMap<DifferentialSearch, Extract<Answer, { readonly ask: 'prediction' }>>> {
  const predicted = new Map<DifferentialSearch, Extract<Answer, { readonly ask: 'prediction' }>>();
  const asking = searches.flatMap((search) => {
    const question = search.question();
    return question === null ? [] : [{ search, question }];
  });
  if (asking.length === 0) return predicted;
  const answers: AsyncIterable<Answer> = yield {
    about: `${about}: prediction`,
    size: asking.length,
    async *questions() {
      for (const { question } of asking) yield question;
    },
  };
  let place = 0;
  for await (const answer of answers) {
    if (answer.ask !== 'prediction') continue;
    models.push(answer.model);
    predicted.set(asking[place++]!.search, answer);
  }
  return predicted;
}

async function* ask(
  about: string,
  wanted: readonly WantedTexts[],
  recognizers: StudyContext['recognizers'],
): Asking<void> {
  const open = openQuestions(wanted, recognizers.length);
  if (open.length > 0) await hearAnswers(yield questionBatch(about, open, recognizers), open);
}

/** How long the run has been at work. */
async function* elapsedSeconds(): Asking<number> {
  const answers: AsyncIterable<Answer> = yield {
    about: '',
    size: 1,
    async *questions() {
      yield { ask: 'elapsed' };
    },
  };
  for await (const answer of answers) if (answer.ask === 'elapsed') return answer.seconds;
  throw new Error('a run must say how long it has been at work');
}

/** What the searches have cost so far, by what the answers say, whether they were stored before or not. */
interface Spending {
  add(text: HeardText): void;
  /**
   * How many more texts may be asked about, and why not more.
   *
   * @param recognizers each text costs a call of each
   */
  allows(recognizers: number, seconds: number): { readonly texts: number; readonly ending: Ending };
  readonly texts: number;
  readonly calls: number;
  readonly money: Readonly<Record<string, number>>;
}

/**
 * Keeps to `stop.calls`, `stop.money` and `stop.minutes`. The config's `budget` is the harder limit: it ends a run in the middle
 * of an iteration, and without a finding.
 */
function createSpending({ minutes, calls: maxCalls, money: maxMoney }: DifferentialOptions['stop']): Spending {
  let texts = 0;
  let calls = 0;
  const money = new Map<string, number>();
  return {
    add(text) {
      texts++;
      calls += text.calls;
      for (const { amount, currency } of text.prices) {
        if (maxMoney !== null && currency !== maxMoney.currency) {
          throw badConfig(
            `stop.money is in ${maxMoney.currency}, but a recognizer's price is in ${currency}; give both in one currency`,
          );
        }
        money.set(currency, (money.get(currency) ?? 0) + amount);
      }
    },
    allows(recognizers, seconds) {
      if (minutes !== null && seconds >= 60 * minutes) return { texts: 0, ending: 'minutes' };
      const byCalls = maxCalls === null ? Number.POSITIVE_INFINITY : Math.floor((maxCalls - calls) / recognizers);
      const spent = maxMoney === null ? 0 : (money.get(maxMoney.currency) ?? 0);
      const byMoney =
        maxMoney === null || spent === 0
          ? Number.POSITIVE_INFINITY
          : Math.floor((maxMoney.amount - spent) / (spent / texts));
      const ending: Ending = byCalls <= byMoney ? 'calls' : 'money';
      return { texts: Math.max(0, Math.min(byCalls, byMoney)), ending };
    },
    get texts() {
      return texts;
    },
    get calls() {
      return calls;
    },
    get money() {
      return Object.fromEntries(money);
    },
  };
}

/** Texts of a pool, and whom to ask about them. */
interface WantedTexts {
  readonly pool: HeardPool;
  readonly texts: readonly number[];
  /** Places among those of the run; null: all of them. */
  readonly recognizers: readonly number[] | null;
}

/** One recognition that is not known yet. */
interface OpenQuestion {
  readonly pool: HeardPool;
  readonly text: number;
  readonly recognizer: number;
}

/** What is not known yet, each once: text after text of one pool after the other. */
function openQuestions(wanted: readonly WantedTexts[], recognizers: number): OpenQuestion[] {
  const everybody = Array.from({ length: recognizers }, (_, recognizer) => recognizer);
  const byPool = new Map<HeardPool, Map<number, Set<number>>>();
  for (const { pool, texts, recognizers: whom } of wanted) {
    const ofPool = byPool.get(pool) ?? new Map<number, Set<number>>();
    byPool.set(pool, ofPool);
    for (const text of texts) {
      const asked = pool.at(text)?.asked;
      const open = (whom ?? everybody).filter((recognizer) => asked?.[recognizer] !== true);
      if (open.length > 0) ofPool.set(text, new Set([...(ofPool.get(text) ?? []), ...open]));
    }
  }
  return [...byPool].flatMap(([pool, texts]) =>
    [...texts].flatMap(([text, open]) =>
      everybody.filter((recognizer) => open.has(recognizer)).map((recognizer) => ({ pool, text, recognizer })),
    ),
  );
}

/** The questions, in their order. */
function questionBatch(about: string, open: readonly OpenQuestion[], recognizers: readonly StudyRecognizer[]): Batch {
  return {
    about,
    size: open.length,
    async *questions(): AsyncGenerator<Question> {
      for (const { pool, text, recognizer } of open) {
        const { condition, texts } = pool.pool;
        const { utterance } = texts[text]!;
        const { name } = recognizers[recognizer]!;
        yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer: name, repeat: 0 } };
      }
    },
  };
}

/** Takes in the answers to `questionBatch`. */
async function hearAnswers(answers: AsyncIterable<Answer>, open: readonly OpenQuestion[]): Promise<void> {
  let place = 0;
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { pool, text, recognizer } = open[place++]!;
    pool.take(text, recognizer, answer.observation);
  }
}
