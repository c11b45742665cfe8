import { badConfig } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { conditionOf } from '../../compare/gate/limits.ts';
import type { GateTally } from '../../compare/gate/tally-trials.ts';
import type { GateLimit } from '../../model/gate.ts';
import { listed, named } from '../../studies/shared/wording.ts';

/**
 * Sees to it that a run has what limits name.
 *
 * @param shown what has it: `run 20261124T175131`
 * @throws EarwitnessError `bad-config` for limits of recognizers, conditions or groups that it does not have
 */
export function checkNames(limits: readonly GateLimit[], tally: GateTally, shown: string): void {
  const groups = tally.slices.groups().map(({ group }) => group!);
  const attributes = [...new Set(groups.map(({ attribute }) => attribute))];
  // Groups are made of the attributes that limits name alone: whoever mistypes one is told of all.
  const others = [...tally.attributes].filter((one) => !attributes.includes(one)).sort();
  const expect = (
    place: string,
    wanted: string | undefined,
    known: readonly string[],
    what: string,
    offered: readonly string[] = known,
  ) => {
    if (wanted === undefined || known.includes(wanted)) return;
    const near = nearestName(wanted, offered);
    const hint =
      near === null || near === wanted
        ? offered.length === 0
          ? 'it has none'
          : `it has ${listed(offered.map(named), 12)}`
        : `did you mean ${near}?`;
    throw badConfig(`gate.limits${place}: expected ${what} of ${shown}, but got ${JSON.stringify(wanted)}; ${hint}`);
  };
  for (const [index, limit] of limits.entries()) {
    const { recognizer, by, group } = limit;
    const place = `[${index}]`;
    expect(`${place}.recognizer`, recognizer, tally.recognizers, 'a recognizer');
    // What is written in silence is counted by its study, and not among these trials.
    if (limit.hallucinatedWordsPerMinute === undefined)
      expect(`${place}.condition`, conditionOf(limit) ?? undefined, tally.conditions, 'a condition');
    expect(`${place}.by`, by, attributes, 'an attribute that makes groups', [...attributes, ...others]);
    const [one] = Object.entries(group ?? {});
    if (one === undefined) continue;
    expect(`${place}.group`, one[0], attributes, 'an attribute that makes groups', [...attributes, ...others]);
    const values = groups.filter(({ attribute }) => attribute === one[0]).map(({ value }) => value);
    expect(`${place}.group.${one[0]}`, one[1], values, `a group of ${named(one[0])}`);
  }
}
