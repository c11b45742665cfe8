import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { asJson } from '../../base/json.ts';
import { formatFixed, grouped, moneyText, signedFixed, timeLeft } from '../../base/number-format.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { ladders } from '../../catalog.ts';
import {
  type PlannedAsking,
  type PlannedGate,
  type PlannedLimit,
  planAsking,
  planLimits,
} from '../../compare/gate/plan-limits.ts';
import type { GateTally } from '../../compare/gate/tally-trials.ts';
import type { GateOptions } from '../../model/gate.ts';
import { conditionsInWords } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { listScenarios } from '../../perturbations/scenarios.ts';
import { checkName, ruleAt } from '../../report/gate/render-gate.ts';
import { wrapped } from '../../report/gate/text-gate.ts';
import { columnGap, linesOf, linesOfRows, notedCells, widthOf } from '../../report/text/columns.ts';
import { createPaint } from '../../report/text/display-width.ts';
import type { Config } from '../../session/config/config.ts';
import { findConfig, loadConfig } from '../../session/config/load-config.ts';
import { loadNormalizer } from '../../session/members/load-normalizer.ts';
import { assumedRun, assumedSpread } from '../../session/run/assumed-run.ts';
import { countGate } from '../../session/stored/gate-run.ts';
import { requireWhole } from '../../session/stored/sequential-asking.ts';
import { hasRunOf, runInWords } from '../../session/stored/which-run.ts';
import { openStore } from '../../store/open-store.ts';
import { computingOf } from '../../studies/shared/computing-time.ts';
import { defaultNormalizer } from '../../studies/shared/options.ts';

import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import {
  gateOf,
  namedStore,
  normalizerFlag,
  openGate,
  runStoreFlags,
  runsToJudge,
  share,
  wholeNumber,
} from '../options.ts';
import { printJson, printLine, say, terminalWidth, wantsColor } from '../output.ts';
import { createCountingLine } from '../progress/lines.ts';
import { wrap } from '../terminal/text-table.ts';

const flags = [
  ...runStoreFlags,
  normalizerFlag,
  ['--wer <share>', 'assume this WER, and look at no run (without a run: 0.1)', share],
  ['--loss <share>', 'rise of the rate to be detected: 0.02 is two points', { read: share, default: 0.02 }],
  ['--anew <share>', 'share of trials whose transcript a release changes', { read: share, default: 1 }],
  ['--releases <n>', 'simulated releases for each rise', { read: wholeNumber, default: 200 }],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `plan [RUN]` */
export const plan: CliCommand = {
  examples: ['plan', 'plan --wer 0.08', 'plan last --loss 0.02', 'plan --anew 0.3 --json'],
  notes:
    "What the limits of the config's gate can see with this corpus, before a release is paid for, and what a run costs. Takes rates and their spread from a finished run (a preview does), or assumes them where there is none (--wer), and judges simulated releases as the gate does: how many without a change pass and fail, which rise of a rate is detected in 80 of 100, how many speakers like these a given rise (--loss) needs, and how much is asked on average where a run stops as soon as the verdict is certain (gate.askUntil). Assumed: a rise is spread over all speakers; --anew says how much of it a release answers with other errors (all, of a new model).",
  flags,
  configure(command: Command) {
    command.argument('[run]', 'run id, its beginning, or "last"', 'last').action(run);
  },
};

async function run(wanted: string, options: Options): Promise<void> {
  const { gate, tally, utterances, seed, config, run: id, assumedWer, called } = await openPlan(wanted, options);
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
  const { limits, releases } = told('step 1 of 2, simulated releases', (onProgress) =>
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
      asJson({ run: id, assumedWer, loss: options.loss, anew: options.anew, limits, releases, cost, askUntil, asking }),
    );
  const paint = createPaint(wantsColor());
  const width = terminalWidth() - 1;
  const quiet = (text: string) => wrap(text, width).map((line) => paint('quiet', line));
  const { loss } = options;
  const table =
    limits.length === 0
      ? null
      : limitTable({ limits, releases }, { loss, minimumSpeakers: gate.minimumSpeakers, width, called });
  const lines = [
    ...(assumedWer === null ? [] : quiet(`No run is looked at: assumed is a WER of ${percent(assumedWer)} (--wer).`)),
    ...(table === null
      ? ['The gate has only limits on what is counted: they decide with any corpus.']
      : [...releasesInWords(releases), '', ...table.lines, ...table.notes.flatMap(quiet), '']),
    ...(asking.length === 0 ? [] : [...askingLines(asking, askUntil, cost), '']),
    ...cost.flatMap((one) => quiet(costInWords(one))),
    ...(assumedWer === null ? [] : quiet(assumedInWords())),
  ];
  await printLine(lines.join('\n'));
}

/** Rates and their spread of a run, or of none that there is. */
interface OpenPlan {
  readonly gate: GateOptions;
  readonly tally: GateTally;
  readonly utterances: ReadonlyMap<string, Utterance>;
  readonly seed: number;
  readonly config: Partial<Pick<Config, 'recognizers'>>;
  readonly run: string | null;
  /** What people call conditions, by their names. */
  readonly called: Readonly<Record<string, string>>;
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
    const called = conditionsInWords(store.conditions(record.id));
    return { gate, ...counts, seed: record.seed, config, run: record.id, called, assumedWer: null };
  }
  const file = options.config ?? findConfig(process.cwd());
  const loaded = await loadConfig(file, undefined, ['studies', 'embedders', 'predictors', 'quality', 'ladders']);
  const gate = gateOf(loaded.config, file);
  const assumedWer = options.wer ?? usualWer;
  const normalizer = await loadNormalizer(options.normalizer ?? defaultNormalizer, process.cwd());
  const counts = await assumedRun(loaded, gate, normalizer, assumedWer);
  const limited = new Set(gate.limits.map(({ condition }) => condition));
  const listed = await Promise.all(Object.values(ladders).map((ladder) => ladder.load()));
  const known = listScenarios(listed).map(({ condition }) => condition);
  const called = conditionsInWords(known.filter(({ name }) => limited.has(name)));
  return { gate, ...counts, seed: loaded.config.seed, config: loaded.config, run: null, called, assumedWer };
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

function assumedInWords(): string {
  return `Rates of speakers and of their clips vary by a factor of ${formatFixed(Math.exp(assumedSpread), 1)} (lognormal), in the conditions that the limits name; other questions of the studies come on top. After earwitness run --preview a plan goes by what was measured.`;
}

const percent = (value: number) => `${shareOf(value)} %`;
const shareOf = (value: number) => formatFixed(100 * value, 0);
const points = (value: number) => signedFixed(100 * value, 1);
const column = (heads: readonly string[], cells: readonly string[], right = true) => ({ heads, cells, right });

interface Cost {
  readonly recognizer: string;
  readonly trials: number;
  readonly audioMinutes: number;
  readonly elapsedSeconds: number;
  readonly processorSeconds: number | null;
  readonly money: Readonly<Record<string, number>> | null;
}

/** `a run asks 44 recognitions, 1 s of elapsed time` */
function costInWords({ recognizer, trials, audioMinutes, money, ...time }: Cost): string {
  const { seconds, measure } = computingOf(time);
  const audio = audioMinutes === 0 ? '' : ` of ${formatFixed(audioMinutes, 1)} minutes of audio`;
  const computing = seconds === 0 ? '' : `, ${timeLeft(seconds)} of ${measure}`;
  const paid = money === null ? '' : `, ${moneyText(money)}`;
  return `${printable(recognizer)}: a run asks ${counted(trials, 'recognition')}${audio}${computing}${paid}.`;
}

/** How most releases without a change end, and how many fail that lose what is asked about. */
function releasesInWords(releases: PlannedGate['releases']): string[] {
  return releases.map(({ loss, passes, fails }) => {
    if (loss > 0) return `${percent(fails)} of releases whose rate rises by ${points(loss)} points fail.`;
    const ends = [
      { share: 1 - passes - fails, end: 'end inconclusive' },
      { share: passes, end: 'pass' },
      { share: fails, end: 'fail' },
    ].toSorted((a, b) => b.share - a.share);
    return `${percent(ends[0]!.share)} of unchanged releases ${ends[0]!.end}.`;
  });
}

const maxNameWidth = 40;

/** A row for all limits and one for each, those that most often end inconclusive first. */
function limitTable(
  { limits, releases }: PlannedGate,
  {
    loss,
    minimumSpeakers,
    width,
    called,
  }: Pick<OpenPlan, 'called'> & { readonly loss: number; readonly minimumSpeakers: number; readonly width: number },
) {
  const open = ({ unchanged }: PlannedLimit) => 1 - unchanged.passes - unchanged.fails;
  const sorted = limits.toSorted((a, b) => open(b) - open(a));
  const several = new Set(limits.map(({ check }) => check.recognizer)).size > 1;
  const { marks, notes } = notedCells(sorted.map((one) => planNote(one, loss, minimumSpeakers)));
  const [unchanged, lost = unchanged] = releases;
  const all = [unchanged!, ...sorted.map((one) => one.unchanged)];
  const lossOf = ({ losses }: PlannedLimit) => losses.find((one) => one.loss === loss)?.fails;
  const rise = (value: number | null) => (value === null ? '–' : points(value));
  const numbers = [
    column(
      ['as is', 'pass'],
      all.map(({ passes }) => shareOf(passes)),
    ),
    column(
      ['', 'open'],
      all.map(({ passes, fails }) => shareOf(1 - passes - fails)),
    ),
    column(
      ['', 'fail'],
      all.map(({ fails }) => shareOf(fails)),
    ),
    column(
      [points(loss), 'fail'],
      [lost!.fails, ...sorted.map(lossOf)].map((share) => (share === undefined ? '–' : shareOf(share))),
    ),
    column(['80 of', '100 at'], ['', ...sorted.map(({ detectable }) => rise(detectable))]),
    column(['speakers', 'for it'], ['', ...sorted.map(({ speakersForLoss }) => grouping(speakersForLoss))]),
    column(['', ''], ['', ...marks], false),
  ].filter(({ cells }) => cells.some((cell) => cell !== '' && cell !== '–'));
  const room = Math.min(maxNameWidth, Math.max(16, width - widthOf(numbers) - columnGap));
  const names = sorted.map(({ check }) => wrapped((several ? checkName : ruleAt)(check, called), room));
  const { heads, rows } = linesOfRows('', [['all limits'], ...names], numbers);
  const detected = limits.some((one) => one.detectable !== null)
    ? ' 80 of 100 at: the rise that fails in so many.'
    : '';
  const needed = limits.some((one) => one.speakersForLoss !== null)
    ? ` speakers: like these ${grouped(Math.max(...limits.map((one) => one.speakers)))}, for ${points(loss)} to fail in 80 of 100.`
    : '';
  return {
    lines: [...heads, ...rows.flat()],
    notes: [
      ...notes,
      `In %. as is: releases without a change. open: inconclusive. ${points(loss)}: those whose rate rises by so many points (--loss).${detected}${needed}`,
    ],
  };
}

const grouping = (count: number | null) => (count === null ? '–' : grouped(count));

/** What no number of the row says: a limit that cannot pass, or cannot fail. */
function planNote(
  { check, unchanged, losses, room, speakers }: PlannedLimit,
  loss: number,
  minimumSpeakers: number,
): string | null {
  const exact = check.measure === 'worseBy' ? ' but with the same errors in every trial' : '';
  if (unchanged.passes === 0 && speakers < minimumSpeakers)
    return `It cannot pass${exact}: an interval needs ${minimumSpeakers} speakers, and there ${speakers === 1 ? 'is' : 'are'} ${speakers}.`;
  if (losses.at(-1)?.fails === 0)
    return `It cannot fail, however much the rate rises: ${counted(speakers, 'speaker')} cannot tell a rise from chance.`;
  return room !== null && loss <= room ? `A rise of ${points(loss)} points is within the limit.` : null;
}

/** How much is asked where a run stops once that is certain, and how it ends. */
function askingLines(
  asking: readonly PlannedAsking[],
  askUntil: 'verdict' | 'limits',
  cost: readonly Cost[],
): string[] {
  const sum = (of: (one: Cost) => number) => cost.reduce((all, one) => all + of(one), 0);
  const trials = sum((one) => one.trials);
  const known = cost.every(({ processorSeconds }) => processorSeconds !== null);
  const { seconds } = computingOf({
    elapsedSeconds: sum((one) => one.elapsedSeconds),
    processorSeconds: known ? sum((one) => one.processorSeconds ?? 0) : null,
  });
  const of = (head: string, cell: (one: PlannedAsking) => string) => column([head], asking.map(cell));
  return linesOf([
    column(
      [`askUntil: ${askUntil}`],
      asking.map(({ loss }) => (loss === 0 ? 'unchanged' : `${points(loss)} points`)),
      false,
    ),
    of('asked %', ({ asked }) => shareOf(asked)),
    of('recognitions', ({ asked }) => grouped(Math.ceil(asked * trials))),
    ...(seconds === 0 ? [] : [of('time', ({ asked }) => timeLeft(asked * seconds))]),
    of('pass %', ({ passes }) => shareOf(passes)),
    of('open %', ({ passes, fails }) => shareOf(1 - passes - fails)),
    of('fail %', ({ fails }) => shareOf(fails)),
  ]);
}
