import type { Statement } from '../../model/finding.ts';
import { failureStatements } from '../shared/failures.ts';
import { counted, listed, named } from '../shared/wording.ts';
import { type GapFinding, pairWords, pointsWithin, remainderName } from './finding.ts';
import type { PairResult } from './results.ts';

/** Gaps with a statement of their own, the largest first. */
const maxGaps = 4;

/** Which gaps there are beyond chance, what they are shown to go with, what remains, and what equal sound does to them. */
export function answerOf(known: GapFinding): Statement[] {
  const { design, results } = known;
  if (design.recognizers.length === 0) return [{ text: 'There is no recognizer to ask.' }];
  if (results.length === 0) {
    return [
      { text: 'Nothing can be compared: no attribute divides the speakers into groups.', verdict: 'cannot tell' },
    ];
  }
  const proven = results
    .filter(({ gap }) => gap.verdict !== 'cannot tell')
    .sort((a, b) => Math.abs(b.gap.difference.value!) - Math.abs(a.gap.difference.value!));
  const tested = results.filter(({ gap }) => gap.pValue !== null).length;
  const untested =
    tested === results.length ? '' : ` (${results.length - tested} more cannot be tested, and may be of any size)`;
  const first: Statement =
    proven.length === 0
      ? {
          text: `${results.length === 1 ? 'The gap is not' : `None of ${counted(tested, 'gap')}${untested} is`} shown to be beyond chance in these data, which is no proof of equal service. What goes with what stands below all the same, because causes may cancel each other out.`,
          verdict: 'cannot tell',
        }
      : {
          text: `${proven.length} of ${counted(tested, 'gap')}${untested} ${proven.length === 1 ? 'is' : 'are'} beyond chance. A part of a gap says what goes with a cause among these recordings, all other causes held equal; it is no proof that the cause makes the errors.`,
        };
  return [
    first,
    ...proven.slice(0, maxGaps).map((result) => gapStatement(known, result)),
    ...changeStatements(known),
    ...failureStatements(known.failures).slice(0, maxGaps),
  ];
}

function gapStatement(
  { design }: GapFinding,
  { recognizer, pair, gap, parts, remainder, inRemainder }: PairResult,
): Statement {
  const sign = gap.difference.value! > 0 ? 1 : -1;
  const shown = parts
    .filter(({ part }) => part.verdict !== 'cannot tell')
    .sort((a, b) => sign * (b.part.difference.value! - a.part.difference.value!));
  const say = (part: PairResult['remainder']) => `${named(part.name)} (${pointsWithin(part.part.difference)})`;
  const goesWith =
    shown.length === 0
      ? 'No cause is shown to have a part in it'
      : `Shown to have a part: ${listed(shown.map(say), 8)}`;
  const rest =
    remainder.part.difference.value === null
      ? `what remains cannot be told: ${remainder.part.reason ?? 'there is no fit'}`
      : `${remainderName(inRemainder)} is ${pointsWithin(remainder.part.difference)}${remainder.part.verdict === 'cannot tell' ? ', which may be chance' : ', beyond chance'}`;
  return {
    text: `${named(design.recognizers[recognizer]!.name)}, ${pairWords(pair)}. ${goesWith}; ${rest}. The whole gap.`,
    verdict: gap.verdict,
    comparison: gap,
    kind: 'difference',
  };
}

function changeStatements({ design, counterfactuals }: GapFinding): Statement[] {
  return counterfactuals
    .filter(({ change }) => change.verdict !== 'cannot tell')
    .sort((a, b) => Math.abs(b.change.difference.value!) - Math.abs(a.change.difference.value!))
    .slice(0, maxGaps)
    .map(({ recognizer, pair, world, before, after, change }) => {
      const nearer = Math.abs(after.gap.value!) < Math.abs(before.gap.value!);
      return {
        text: `In sound made alike (${named(design.worlds[world]!.name)}), ${named(design.recognizers[recognizer]!.name)} has ${nearer ? 'a smaller' : 'a larger'} gap for ${pairWords(pair)}: ${pointsWithin(after.gap)} in place of ${pointsWithin(before.gap)}. The change.`,
        comparison: change,
        kind: 'difference' as const,
      };
    });
}
