import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { asJson } from '../../base/json.ts';
import { formatFixed, moneyText, timeLeft } from '../../base/number-format.ts';
import { printable } from '../../base/printable.ts';
import { type PlannedAsking, type PlannedLimit, planAsking, planLimits } from '../../compare/gate/plan-limits.ts';
import type { GateTally } from '../../compare/gate/tally-trials.ts';
import type { GateOptions } from '../../model/gate.ts';
import type { Utterance } from '../../model/utterance.ts';
import { checkName, limitInWords } from '../../report/gate/render-gate.ts';
import type { Config } from '../../session/config/config.ts';
import { findConfig, loadConfig } from '../../session/config/load-config.ts';
import { loadNormalizer } from '../../session/members/load-normalizer.ts';
import { assumedRun, assumedSpread } from '../../session/run/assumed-run.ts';
import { countGate } from '../../session/stored/gate-run.ts';
import { requireWhole } from '../../session/stored/sequential-asking.ts';
import { hasRunOf, runInWords } from '../../session/stored/which-run.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import { computingOf } from '../../studies/shared/computing-time.ts';
import { defaultNormalizer } from '../../studies/shared/options.ts';
import { counted } from '../../studies/shared/wording.ts';
import type { CliCommand } from '../command.ts';
import {
  addRunStoreOptions,
  asTheStudy,
  type GateFlags,
  gateOf,
  namedStore,
  openGate,
  runsToJudge,
  wholeNumber,
} from '../options.ts';
import { printJson, printLine, say, terminalWidth } from '../output.ts';
import { createCountingLine } from '../progress/lines.ts';
import { wrap } from '../terminal/text-table.ts';

interface Options extends GateFlags {
  readonly wer?: number;
  readonly loss: number;
  readonly anew: number;
  readonly releases: number;
}

/** `plan [RUN]` */
export const plan: CliCommand = {
  examples: ['plan', 'plan --wer 0.08', 'plan last --loss 0.02', 'plan --anew 0.3 --json'],
  notes:
    "What the limits of the config's gate can see with this corpus, before a release is paid for, and what a run costs. Takes rates and their spread from a finished run (a preview does), or assumes them where there is none (--wer), and judges simulated releases as the gate does: how many without a change pass and fail, which rise of a rate is detected in 80 of 100, how many speakers like these a given rise (--loss) needs, and how much is asked on average where a run stops as soon as the verdict is certain (gate.askUntil). Assumed: a rise is spread over all speakers; --anew says how much of it a release answers with other errors (all, of a new model).",
  configure(command: Command) {
    addRunStoreOptions(command)
      .argument('[run]', 'run id, its beginning, or "last"', 'last')
      .option('-n, --normalizer <name>', `text normalizer: a name, or a module (./mine.ts); ${asTheStudy}`)
      .option('--wer <share>', 'assume this WER, and look at no run (without a run: 0.1)', share)
      .option('--loss <share>', 'rise of the rate to be detected: 0.02 is two points', share, 0.02)
      .option('--anew <share>', 'share of trials whose transcript a release changes', share, 1)
      .option('--releases <n>', 'simulated releases for each rise', wholeNumber, 200)
      .action(run);
  },
};

/** For commander. */
function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('expected a number from 0 to 1');
  return value;
}

async function run(wanted: string, options: Options): Promise<void> {
  const { gate, tally, utterances, seed, config, run: id, assumedWer } = await openPlan(wanted, options);
  const settings = {
    ...{ level: gate.level, minimumSpeakers: gate.minimumSpeakers, seed },
    ...{ anew: options.anew, loss: options.loss, releases: options.releases },
  };
  const told = <T>(what: string, plan: (onProgress: (done: number, of: number) => void) => T): T => {
    const line = createCountingLine(process.stderr, what);
    const planned = plan(line.done);
    line.clear();
    return planned;
  };
  const askUntil = gate.askUntil ?? 'verdict';
  const limits = told('step 1 of 2, simulated releases', (onProgress) =>
    planLimits(tally.trials, utterances, gate.limits, { ...settings, onProgress }),
  );
  const asking = told('step 2 of 2, simulated releases asked speaker by speaker', (onProgress) =>
    planAsking(tally.trials, utterances, gate.limits, { ...settings, askUntil, onProgress }),
  );
  const { recognizers: prices = {} } = config;
  const cost = tally.recognizers.map((recognizer) => {
    const { trials, time, audioSeconds } = tally.facts(recognizer, null);
    const price = prices[recognizer]?.pricePerMinute ?? null;
    const money = price === null ? null : { [price.currency]: (price.amount * audioSeconds) / 60 };
    return {
      recognizer,
      trials,
      audioMinutes: audioSeconds / 60,
      ...{ elapsedSeconds: time.elapsedSeconds, processorSeconds: time.processorSeconds },
      money,
    };
  });
  if (options.json)
    return printJson(
      asJson({ run: id, assumedWer, loss: options.loss, anew: options.anew, limits, cost, askUntil, asking }),
    );
  if (assumedWer !== null) await printLine(wrap(assumedInWords(assumedWer), terminalWidth()).join('\n'));
  for (const { recognizer, trials, audioMinutes, money, ...time } of cost) {
    const paid = money === null ? '' : `, ${moneyText(money)}`;
    const audio = audioMinutes === 0 ? '' : ` of ${formatFixed(audioMinutes, 1)} minutes of audio`;
    const computing = timeInWords(computingOf(time)).map((text) => `, ${text}`);
    await printLine(
      `${printable(recognizer)}: a run asks ${counted(trials, 'recognition')}${audio}${computing.join('')}${paid}.`,
    );
  }
  for (const line of asking.length === 0 ? [] : wrap(askingInWords(asking, askUntil, cost), terminalWidth()))
    await printLine(line);
  for (const one of limits) {
    const [first, ...rest] = wrap(
      `${checkName(one.check)}, ${limitInWords(one.check)}. ${planInWords(one, options.loss, gate.minimumSpeakers)}`,
      terminalWidth() - 2,
    );
    await printLine([`• ${first}`, ...rest.map((line) => `  ${line}`)].join('\n'));
  }
  if (limits.length === 0) await printLine('The gate has only limits on what is counted: they decide with any corpus.');
}

/** Rates and their spread of a run, or of none that there is. */
interface OpenPlan {
  readonly gate: GateOptions;
  readonly tally: GateTally;
  readonly utterances: ReadonlyMap<string, Utterance>;
  readonly seed: number;
  readonly config: Partial<Pick<Config, 'recognizers'>>;
  readonly run: string | null;
  /** Null: of a run. */
  readonly assumedWer: number | null;
}

const usualWer = 0.1;

async function openPlan(wanted: string, options: Options): Promise<OpenPlan> {
  if (options.wer === undefined && !(wanted === 'last' && (await hasNoRun(options)))) {
    const { gate, store, run: record, notes, counted } = await openGate(wanted, options, true);
    using _store = store;
    requireWhole(store.findings(record.id) ?? [], 'a plan is about the whole corpus');
    const counts = await countGate(store, record, gate, counted.words);
    for (const line of [`Run ${runInWords(record)}`, ...notes]) say(line);
    const config = (record.config.config ?? {}) as Partial<Pick<Config, 'recognizers'>>;
    return { gate, ...counts, seed: record.seed, config, run: record.id, assumedWer: null };
  }
  const file = options.config ?? findConfig(process.cwd());
  const loaded = await loadConfig(file, undefined, ['studies', 'embedders', 'predictors', 'quality', 'ladders']);
  const gate = gateOf(loaded.config, file);
  const assumedWer = options.wer ?? usualWer;
  const normalizer = await loadNormalizer(options.normalizer ?? defaultNormalizer, process.cwd());
  const counts = await assumedRun(loaded, gate, normalizer, assumedWer);
  return { gate, ...counts, seed: loaded.config.seed, config: loaded.config, run: null, assumedWer };
}

/** Whether nothing of this config has been asked yet; whoever names a store means what is in it. */
async function hasNoRun({ store, config = findConfig(process.cwd()) }: Options): Promise<boolean> {
  if (store !== undefined) return false;
  const { file } = await namedStore({ config });
  if (!existsSync(file)) return true;
  using opened = openStore(file, { readonly: true });
  const of = await runsToJudge(config, file, 'last', opened);
  return of !== null && !hasRunOf(opened, of);
}

function assumedInWords(wer: number): string {
  return `No run is looked at: assumed is a WER of ${percent(wer)} (--wer), with rates of speakers and of their clips that vary by a factor of ${formatFixed(Math.exp(assumedSpread), 1)} (lognormal), in the conditions that the limits name; other questions of the studies come on top. After earwitness run --preview a plan goes by what was measured.`;
}

const percent = (value: number) => `${formatFixed(100 * value, 0)} %`;
const points = (value: number) => `${formatFixed(100 * value, 1)} points`;

interface Cost {
  readonly trials: number;
  readonly audioMinutes: number;
  readonly elapsedSeconds: number;
  readonly processorSeconds: number | null;
  readonly money: Readonly<Record<string, number>> | null;
}

/** `3 min of processor time`; nothing where there was none. */
function timeInWords({ seconds, measure }: ReturnType<typeof computingOf>): string[] {
  return seconds === 0 ? [] : [`${timeLeft(seconds)} of ${measure}`];
}

function askingInWords(
  asking: readonly PlannedAsking[],
  askUntil: 'verdict' | 'limits',
  cost: readonly Cost[],
): string {
  const sum = (of: (one: Cost) => number) => cost.reduce((all, one) => all + of(one), 0);
  const elapsedSeconds = sum((one) => one.elapsedSeconds);
  const processorSeconds = cost.every((one) => one.processorSeconds !== null)
    ? sum((one) => one.processorSeconds ?? 0)
    : null;
  const time = computingOf({ elapsedSeconds, processorSeconds });
  const costs = (share: number) => {
    const money = new Map<string, number>();
    for (const one of cost)
      for (const [currency, amount] of Object.entries(one.money ?? {}))
        money.set(currency, (money.get(currency) ?? 0) + share * amount);
    const minutes = share * sum(({ audioMinutes }) => audioMinutes);
    return [
      counted(Math.ceil(share * sum(({ trials }) => trials)), 'recognition'),
      ...(minutes === 0 ? [] : [`${formatFixed(minutes, 1)} minutes of audio`]),
      ...timeInWords({ ...time, seconds: share * time.seconds }),
      ...(money.size === 0 ? [] : [moneyText(Object.fromEntries(money))]),
    ].join(', ');
  };
  const releases = asking.map(({ loss, asked, passes, fails }) => {
    const what = loss === 0 ? 'nothing changes' : `the rate rises by ${points(loss)}`;
    return `If ${what}, it needs ${percent(asked)} of the recognitions on average (${costs(asked)}): ${percent(passes)} of such releases pass, and ${percent(fails)} fail.`;
  });
  const end = askUntil === 'verdict' ? 'the verdict is certain' : 'every limit is decided';
  return `With askUntil: ${askUntil} a run stops once ${end}. ${releases.join(' ')}`;
}

function planInWords(
  { check, unchanged, losses, room, detectable, speakers, speakersForLoss }: PlannedLimit,
  loss: number,
  minimumSpeakers: number,
): string {
  const exact = check.measure === 'worseBy' ? ' but with the same errors in every trial' : '';
  const never =
    unchanged.passes === 0 && speakers < minimumSpeakers
      ? ` It cannot pass${exact}: an interval needs ${minimumSpeakers} speakers, and there ${speakers === 1 ? 'is' : 'are'} ${speakers}.`
      : '';
  const same = `Unchanged releases: ${percent(unchanged.passes)} pass, ${percent(unchanged.fails)} fail.${never}`;
  if (check.measure === 'gap') return same;
  if (unchanged.fails >= 0.8) return `${same} It fails as it is.`;
  const most = losses.at(-1)!;
  if (most.fails === 0)
    return `${same} It cannot fail, however much the rate rises: ${counted(speakers, 'speaker')} cannot tell a rise from chance.`;
  const seen =
    detectable === null
      ? `Even a rise of ${points(most.loss)} is detected in only ${percent(most.fails)}.`
      : `A rise of ${points(detectable)} is detected in 80 of 100.`;
  const wanted = losses.find((one) => one.loss === loss)!;
  if (room !== null && loss <= room) return `${same} ${seen} A rise of ${points(loss)} is within the limit.`;
  const needed =
    speakersForLoss === null || wanted.fails >= 0.8
      ? ''
      : `; for 80 %, about ${counted(speakersForLoss, 'speaker')} like these ${speakers}`;
  return `${same} ${seen} A rise of ${points(loss)} is detected in ${percent(wanted.fails)}${needed}.`;
}
