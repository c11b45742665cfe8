import { moneyText, timeLeft } from '../base/number-format.ts';
import { counted } from '../base/wording.ts';
import type { BudgetLimits } from '../engine/limits.ts';

import type { LoadedConfig } from '../session/config/config.ts';
import type { StillToAsk } from '../session/open/price-rest.ts';
import { type CostlySounds, type DryRun, dryRun } from '../session/run/dry-run.ts';
import type { SessionRequest } from '../session/run/run-session.ts';
import { budgetText } from './budget-text.ts';
import { print, printLine, terminalWidth } from './output.ts';
import { createProgressDisplay } from './progress/progress-line.ts';
import { minutesText } from './survey/survey-text.ts';
import { wrap } from './terminal/text-table.ts';

/** Says what a run would ask and make, how long the making takes, and what is there already. */
export async function printDryRun(loaded: LoadedConfig, request: SessionRequest, json: boolean): Promise<void> {
  const display = createProgressDisplay(process.stderr);
  const never = new AbortController().signal;
  const found = await dryRun(loaded, request, { on: display.on, signal: never, abort: never });
  display.end();
  if (json) await print(`${JSON.stringify(found, null, 2)}\n`);
  else await printLine(dryRunText(found, loaded.config.budget, terminalWidth()));
}

/**
 * @example dryRunText(found, { calls: 100 }, 80)
 */
export function dryRunText({ studies, sounds, fits, open }: DryRun, budget: BudgetLimits, width: number): string {
  const lines = ['Nothing was asked and nothing was made. A run would begin with:'];
  for (const { study, about, recognitions } of studies) {
    const asked = recognitions.reduce((sum, { questions }) => sum + questions, 0);
    if (asked === 0) continue;
    lines.push('', `${study}${about === '' ? '' : `: ${about}`}`);
    for (const { recognizer, questions, open } of recognitions) {
      if (questions === 0) continue;
      const done = questions - open;
      lines.push(
        `  ${recognizer}: ${counted(questions, 'recognition')}${done > 0 ? `, ${done.toLocaleString('en')} answered already` : ''}`,
      );
    }
  }
  for (const one of fits) lines.push('', ...fitText(one));
  for (const one of sounds) lines.push('', ...soundsText(one));
  lines.push('', ...priceText(open, budget));
  lines.push('', 'How long recognitions take is not known before some are made: earwitness run --preview.');
  return lines.flatMap((line) => indented(line, width)).join('\n');
}

/** What the recognitions cost that are to be asked, and whether the budget is enough. */
function priceText(open: StillToAsk, budget: BudgetLimits): string[] {
  const { calls, audioMinutes, money } = open;
  const sound = audioMinutes === null ? '' : ` of about ${minutesText(audioMinutes)} of audio`;
  const prices = Object.fromEntries((money ?? []).map(({ amount, currency }) => [currency, amount]));
  const price = Object.values(prices).some((amount) => amount > 0) ? `, about ${moneyText(prices)}` : '';
  const enough = budgetText(budget, open);
  return [`To be asked: ${counted(calls, 'recognition')}${sound}${price}.`, ...(enough === null ? [] : [enough])];
}

/** Wrapped, with the blanks at its beginning before each line. */
function indented(line: string, width: number): string[] {
  const blanks = /^ */.exec(line)![0];
  return line === '' ? [''] : wrap(line.trim(), width - blanks.length).map((part) => blanks + part);
}

function fitText({ perturbation, source, clips, maxPasses, state, ...timed }: DryRun['fits'][number]): string[] {
  const done = { kept: ', fitted already', begun: ', begun', none: '' }[state];
  const head = `${perturbation} against ${source}: fitted on ${counted(clips, 'clip')}${done}`;
  return state === 'kept' ? [head] : [head, `  at most ${passesText(maxPasses, source)}`, timeText(maxPasses, timed)];
}

function passesText(passes: number, through: string): string {
  return `${passes.toLocaleString('en')} ${passes === 1 ? 'pass' : 'passes'} through ${through}`;
}

function timeText(passes: number | null, { measured, reason }: Pick<CostlySounds, 'measured' | 'reason'>): string {
  if (measured === null) return `  time and memory: unknown (${reason})`;
  const whole = passes === null ? '' : `: about ${timeLeft(passes * measured.elapsedSeconds)}`;
  return `  ${measured.elapsedSeconds.toFixed(2)} s a pass (processor ${measured.processorSeconds.toFixed(2)} s), on a clip of ${measured.clipSeconds.toFixed(1)} s${whole}; memory about ${(measured.bytes / 1e9).toFixed(1)} GB`;
}

function soundsText({ perturbation, source, sounds, kept, begun, passes, ...timed }: CostlySounds): string[] {
  const left = sounds - kept;
  const against = source === null ? '' : ` against ${source}`;
  const parts = [
    ...(kept > 0 ? [`${kept.toLocaleString('en')} made already`] : []),
    ...(begun > 0 ? [`${begun.toLocaleString('en')} begun`] : []),
  ];
  const head = `${perturbation}${against}: ${counted(sounds, 'sound')}${parts.length > 0 ? `, ${parts.join(', ')}` : ''}`;
  if (left === 0) return [head];
  const asked = passes === null ? '' : `, at most ${passesText(passes, source ?? 'it')}`;
  return [`${head}`, `  ${counted(left, 'sound')} to make${asked}`, timeText(passes, timed)];
}
