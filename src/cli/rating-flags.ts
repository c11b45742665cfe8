import { InvalidArgumentError } from 'commander';
import type { RatingSpreads } from '../statistics/planning/rating-precision.ts';
import type { Flag, FlagsOf } from './flags.ts';
import { numberThat, positive } from './options.ts';
import { type PlannedFlags, upToHundred } from './plan-over-run.ts';

const upToNine = numberThat('a number from 0 to 9', (value) => value >= 0 && value <= 9);
const belowZero = numberThat('a level from -60 to 0', (value) => value >= -60 && value <= 0);

/** What the plan is made from; refused where it says something else than the plan that there is. */
export const ratingFlags = [
  [
    '--profile <paper>',
    'sr-mt: sharpness and naturalness, 1 to 5; aequevox: comprehensibility beside the original, 1 to 10 (default: sr-mt)',
    { choices: ['sr-mt', 'aequevox'] },
  ],
  [
    '--order <order>',
    'increasing: each family from the mildest on (default of aequevox); random (default of sr-mt)',
    { choices: ['increasing', 'random'] },
  ],
  [
    '--half-width <rating>',
    'plan as many listeners as give means a confidence interval of this half-width',
    { read: positive, conflicts: ['listeners'] },
  ],
  [
    '--spreads <l,c,r>',
    'standard deviations of listeners, clips and the rest for --half-width, as --report printed them for a pilot',
    spreads,
  ],
  ['--repeats <n>', 'clips that each person rates again at the end (default: 2)', upToHundred],
  ['--no-anchor', 'without clips that are bad beyond doubt'],
  ['--headphones <how>', 'headphone check (default: required)', { choices: ['required', 'asked', 'off'] }],
  [
    '--anchor-margin <rating>',
    'leave out who rates the hidden reference less than this above the anchors; 0: nobody (default: 1, aequevox 2)',
    upToNine,
  ],
  [
    '--repeat-difference <rating>',
    'leave out whose repeated ratings differ by more than this; 0: nobody (default: 1.5, aequevox 3)',
    upToNine,
  ],
  ['--level <dBFS>', 'level of every original (default: -26)', belowZero],
  ['--no-level', 'clips as loud as they are'],
] as const satisfies readonly Flag[];

export type RatingFlags = PlannedFlags & FlagsOf<typeof ratingFlags>;

function spreads(text: string): RatingSpreads {
  const [listeners, clips, rest, ...more] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const all = [listeners, clips, rest];
  if (more.length > 0 || !all.every((one) => one !== undefined && one >= 0 && one <= 100) || !(rest! > 0))
    throw new InvalidArgumentError('expected three numbers: listeners,clips,rest');
  return { listeners: listeners!, clips: clips!, rest: rest! };
}
