import type { Statement } from '../../model/finding.ts';
import { counted, listed, named } from '../shared/wording.ts';
import type { DisparityFinding } from './finding.ts';
import type { GroupResult } from './results.ts';
import { groupWords, points, pointsWithin } from './wording.ts';

/** Recognizers with a card of their own for the group that they serve worst. */
const mostWorst = 4;

/**
 * Is anyone served worse, whom and by how much, is it more than chance, which recognizer is least unequal. Every claim rests
 * on a comparison that is printed with it; where the data do not tell, the sentence says so.
 */
export function answerOf(known: DisparityFinding): Statement[] {
  const { design } = known;
  if (design.recognizers.length === 0) return [{ text: 'There is no recognizer to ask.' }];
  if (design.counted.length === 0) {
    return [
      {
        text: 'Nothing can be said of groups: none has enough speakers. The counts of all groups stand below.',
        verdict: 'cannot tell',
      },
    ];
  }
  return [
    headline(known),
    ...worstServed(known),
    beyondChance(known),
    ...leastUnequal(known),
    ...failureStatements(known),
    ...shiftStatements(known),
  ];
}

function headline({ design, results }: DisparityFinding): Statement {
  const names = design.recognizers.map(({ name }) => name);
  const unfair = names.filter((_, recognizer) => provenWorse(results.groups, recognizer).length > 0);
  const groups = counted(design.counted.length, 'group');
  if (unfair.length === 0) {
    return {
      text: `Of ${groups}, these data show none for which ${names.length === 1 ? named(names[0]!) : 'a recognizer'} makes more errors than for everybody. That is not proof of equal service: gaps up to the ends of the intervals below remain possible.`,
      verdict: 'cannot tell',
    };
  }
  const who =
    names.length === 1
      ? `${named(names[0]!)} makes`
      : unfair.length === names.length
        ? `all ${names.length} recognizers make`
        : `${unfair.length} of ${names.length} recognizers (${listed(unfair, 12)}) ${unfair.length === 1 ? 'makes' : 'make'}`;
  return {
    text: `For at least one of ${groups}, ${who} more errors than for everybody, beyond what chance explains.`,
    verdict: 'worse',
  };
}

function worstServed({ design, results }: DisparityFinding): Statement[] {
  return design.recognizers
    .flatMap(({ name }, recognizer) => {
      const [worst] = provenWorse(results.groups, recognizer);
      return worst === undefined ? [] : [{ name, worst }];
    })
    .sort((a, b) => b.worst.gap.difference.value! - a.worst.gap.difference.value!)
    .slice(0, mostWorst)
    .map(({ name, worst }) => ({
      text: `${named(name)} makes more errors for ${groupWords(worst.group)} than for everybody: the largest of its gaps that are beyond chance.`,
      verdict: 'worse' as const,
      estimate: worst.wordErrorRate,
      comparison: worst.gap,
    }));
}

/** Groups of a recognizer that are proven to be worse off, the largest gap first. */
export function provenWorse(groups: readonly GroupResult[], recognizer: number): GroupResult[] {
  return groups
    .filter((row) => row.recognizer === recognizer && row.gap.verdict === 'worse')
    .sort((a, b) => b.gap.difference.value! - a.gap.difference.value!);
}

function beyondChance({ design, results, options }: DisparityFinding): Statement {
  const { recognizers } = results;
  const proven = recognizers.filter(
    ({ adjustedPValue }) => adjustedPValue !== null && adjustedPValue <= 1 - options.level + 1e-12,
  );
  const ofMany = recognizers.length === 1 ? '' : `${proven.length} of ${recognizers.length} recognizers: `;
  const names = proven.map(({ recognizer }) => design.recognizers[recognizer]!.name);
  const [least] = [...recognizers].sort((a, b) => (a.meanDisparity.value ?? 0) - (b.meanDisparity.value ?? 0));
  const example =
    least === undefined || least.meanDisparity.value === null || least.byChance === null
      ? ''
      : ` Groups of these sizes would lie ${points(least.byChance)} from the average of ${named(design.recognizers[least.recognizer]!.name)} by chance alone; they lie ${pointsWithin(least.meanDisparity)}.`;
  return {
    text:
      proven.length === 0
        ? `On average, groups are not shown to lie farther from the whole than chance would put them, nor to lie no farther.${example}`
        : `On average over all groups, disparity is more than chance makes${ofMany === '' ? '' : ` for ${ofMany}${listed(names, 12)}`}.${example}`,
    verdict: proven.length === 0 ? 'cannot tell' : 'worse',
  };
}

function leastUnequal({ design, results, options }: DisparityFinding): Statement[] {
  const names = design.recognizers.map(({ name }) => name);
  const order = results.recognizers
    .filter(({ meanDisparity }) => meanDisparity.value !== null)
    .sort((a, b) => a.meanDisparity.value! - b.meanDisparity.value!);
  const [first] = order;
  if (first === undefined || names.length < 2) return [];
  const isApart = (other: number) => {
    const pair = results.pairs.find(
      (one) =>
        (one.first === first.recognizer && one.second === other) ||
        (one.second === first.recognizer && one.first === other),
    )!;
    if (options.profile === 'sound') return pair.disparity.verdict !== 'cannot tell';
    return pair.wTest?.wilcoxon.pValue != null && pair.wTest.wilcoxon.pValue <= 1 - options.level + 1e-12;
  };
  const others = order.slice(1).map(({ recognizer }) => recognizer);
  const [apart, open] = [others.filter(isApart), others.filter((other) => !isApart(other))];
  const rule = options.profile === 'sound' ? '' : ' by the W-test of FairLENS, uncorrected';
  const nameOf = (recognizer: number) => names[recognizer]!;
  const text =
    open.length === 0
      ? `${named(nameOf(first.recognizer))} has the lowest mean disparity, lower than ${listed(apart.map(nameOf), 12)}${rule}. Its mean disparity.`
      : `${named(nameOf(first.recognizer))} has the lowest measured mean disparity, but these data cannot tell it${rule} from ${listed(open.map(nameOf), 12)}${apart.length > 0 ? `; it is lower than that of ${listed(apart.map(nameOf), 12)}` : ''}. Mean disparity of ${named(nameOf(first.recognizer))}.`;
  return [
    { text, verdict: open.length === 0 ? 'better' : 'cannot tell', estimate: first.meanDisparity, kind: 'difference' },
  ];
}

function failureStatements({ design, results }: DisparityFinding): Statement[] {
  const proven = results.failures
    .filter(({ gap }) => gap.verdict === 'worse')
    .sort((a, b) => b.gap.difference.value! - a.gap.difference.value!);
  return proven.slice(0, 1).map(({ group, recognizer, gap, failed, asked }) => ({
    text: `${named(design.recognizers[recognizer]!.name)} gives no transcript at all more often for ${groupWords(group)} than for everybody (${failed} of ${counted(asked, 'trial')} failed). Its error rates leave these trials out and look too good.`,
    verdict: 'worse' as const,
    comparison: gap,
  }));
}

function shiftStatements({ design, shifts }: DisparityFinding): Statement[] {
  const proven = shifts
    .filter(({ excess }) => excess?.verdict === 'worse')
    .sort((a, b) => b.excess!.difference.value! - a.excess!.difference.value!);
  const [worst] = proven;
  if (design.domains.length === 0) return [];
  const [from] = design.domains;
  if (worst === undefined) {
    return [
      {
        text: `From ${named(from!)} to ${listed(design.domains.slice(1))}, these data show no group that loses more than all do.`,
        verdict: 'cannot tell',
      },
    ];
  }
  return [
    {
      text: `From ${named(from!)} to ${named(design.domains[worst.domain]!)}, ${named(design.recognizers[worst.recognizer]!.name)} loses more for ${groupWords(worst.group!)} than for everybody.`,
      verdict: 'worse',
      comparison: worst.excess!,
    },
  ];
}
