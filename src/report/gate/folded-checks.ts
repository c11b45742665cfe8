import { grouped } from '../../base/number-format.ts';
import type { GateCheck, GateVerdict } from '../../model/gate.ts';
import { type CheckCells, cellsOf, verdictAt } from './render-gate.ts';

const verdicts: readonly GateVerdict[] = ['fail', 'inconclusive', 'pass'];

/** So many limits are read line by line. */
const maxLines = 12;
const minFolded = 3;

/** The limits as they stand on a screen: what failed first, a line each; of many others those of one kind and verdict in one. */
export interface FoldedChecks {
  /** Of one check, or of those that share a line. */
  readonly lines: readonly (readonly GateCheck[])[];
  /** How many checks have no line of their own. */
  readonly folded: number;
}

/**
 * What failed always has a line of its own.
 *
 * @param full nothing is folded
 */
export function foldChecks(checks: readonly GateCheck[], full = false): FoldedChecks {
  const sorted = verdicts.flatMap((verdict) => checks.filter((check) => check.verdict === verdict));
  const kinds = Map.groupBy(sorted, (check) =>
    JSON.stringify([check.recognizer, check.measure, check.limit, check.group?.attribute, verdictAt(check)]),
  );
  const folds = full || checks.length <= maxLines ? [] : [...kinds.values()].filter(isFolded);
  const firstOf = new Map(folds.map((fold) => [fold[0]!, fold]));
  const rest = new Set(folds.flatMap((fold) => fold.slice(1)));
  const lines = sorted.filter((check) => !rest.has(check)).map((check) => firstOf.get(check) ?? [check]);
  return { lines, folded: folds.flat().length };
}

const isFolded = (kind: readonly GateCheck[]) => kind.length >= minFolded && kind[0]!.verdict !== 'fail';

/** Of one check itself; of several what they are called together: `clean, accent (17 checks)`, `20 conditions`. */
export function nameOfLine(line: readonly GateCheck[]): GateCheck {
  const [first] = line;
  if (line.length === 1) return first!;
  const places = new Set(line.map(({ condition }) => condition));
  const condition = places.size === 1 ? first!.condition : `${places.size} conditions`;
  const group = first!.group && { attribute: first!.group.attribute, value: `(${line.length} checks)` };
  return { ...first!, condition, group };
}

/** The numbers of one check; of several the limit that they share, with the highest of them and what would decide them as its note. */
export function cellsOfLine(line: readonly GateCheck[], called: Readonly<Record<string, string>>): CheckCells {
  const [first] = line;
  const own = cellsOf(first!);
  if (line.length === 1) return own;
  const empty = { before: '', now: '', change: '', interval: '' };
  const told = [highestIn(line, called), moreInWords(line)].filter((part) => part !== null);
  return { ...empty, limit: own.limit, unit: own.unit, note: told.length === 0 ? null : told.join('; ') };
}

/** `highest region04: +73.6` */
function highestIn(line: readonly GateCheck[], called: Readonly<Record<string, string>>): string | null {
  const [highest] = line
    .filter(({ value }) => value.value !== null)
    .toSorted((one, other) => other.value.value! - one.value.value!);
  if (highest === undefined) return null;
  const { group, condition } = highest;
  const { change, now, unit } = cellsOf(highest);
  const where =
    condition !== null && line.some((one) => one.condition !== condition) ? (called[condition] ?? condition) : null;
  const place = [where, group?.value ?? null].filter((part) => part !== null).join(', ');
  return `highest ${place}: ${change === '' ? `${now}${unit}` : change}`;
}

/** An interval is no verdict: of who has none the speakers are told that give one. */
function moreInWords(line: readonly GateCheck[]): string | null {
  const more = line.map(({ moreSpeakers }) => moreSpeakers ?? null);
  if (line[0]!.verdict === 'pass' || more.includes(null)) return null;
  const most = grouped(Math.max(...more.map(Number)));
  return line.every(({ upperBound }) => upperBound === null)
    ? `up to ${most} more speakers in each would do for an interval`
    : `about ${most} more speakers would decide the last of them`;
}
