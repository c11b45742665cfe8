import { isComparison, turned } from '../../model/comparison.ts';
import type { Comparison, Finding, Statement } from '../../model/finding.ts';
import { rowsOf } from '../../model/finding-rows.ts';
import { clean } from '../../model/trial.ts';
import { type GroupPair, pairLabel, pairWords } from './group-pairs.ts';
import { listed, named } from './wording.ts';

/** Where another study tells of gaps between groups, and what it asks of them. */
interface OtherQuestion {
  readonly study: string;
  /** Its table, with a row for each gap. */
  readonly table: string;
  readonly column: string;
  /** Of a table that has rows of other things too. */
  readonly part?: string;
  /** What it asks: `how large a gap is over all recordings`. */
  readonly asks: string;
}

/** Studies that ask different questions about the same groups and recognizers. */
const questions: readonly OtherQuestion[] = [
  {
    ...{ study: 'few-references', table: 'few-references-gaps', column: 'powered' },
    asks: 'how large a gap is over all recordings, with a reference or without',
  },
  {
    ...{ study: 'gap-decomposition', table: 'gap-decomposition-parts', column: 'difference', part: 'the whole gap' },
    asks: 'how large a gap is in recordings with a reference, and what it goes with',
  },
];

/** A gap of the study that asks. */
interface Gap {
  readonly recognizer: string;
  readonly pair: GroupPair;
  readonly comparison: Comparison;
}

/**
 * Where a study before, in the same report, comes to another verdict on the same recognizer and groups, because it asks another question: said,
 * since the report would seem to contradict itself.
 *
 * @param study the one that asks
 * @param allTranscribed whether all recordings have a reference, so that both studies are of the same ones
 * @returns one for each of the other studies whose verdicts are not all the same
 */
export function otherVerdicts(
  study: string,
  gaps: readonly Gap[],
  findings: readonly Finding[],
  allTranscribed: boolean,
): Statement[] {
  return questions.flatMap((question) =>
    findings
      .filter((finding) => question.study !== study && finding.study.name === question.study)
      .flatMap((finding): Statement[] => {
        const pairs = gaps.flatMap((gap) => {
          const theirs = verdictIn(finding, question, gap);
          return theirs === null || theirs === gap.comparison.verdict ? [] : [{ gap, theirs }];
        });
        const [first] = pairs;
        if (first === undefined) return [];
        const some = (told: string, is: (one: (typeof pairs)[number]) => boolean) => {
          const names = pairs
            .filter(is)
            .map(({ gap: { recognizer, pair } }) => `${named(recognizer)}, ${pairWords(pair)}`);
          return names.length === 0 ? '' : ` ${told}: ${listed(names, 4)}.`;
        };
        const isOpen = ({ gap }: (typeof pairs)[number]) => gap.comparison.verdict === 'cannot tell';
        const text = [
          `${named(finding.name ?? finding.study.name)}, in the same report, asks another question: ${question.asks}.`,
          some('It has a verdict where there is none here', isOpen),
          some('It has no verdict where there is one here', ({ theirs }) => theirs === 'cannot tell'),
          some('Its verdict is the opposite', (one) => !isOpen(one) && one.theirs !== 'cannot tell'),
          allTranscribed
            ? ' All recordings have a reference, so both are of the same ones by different tests: where they differ, the data do not settle it.'
            : ' The two are of different recordings: neither verdict is that of the other.',
        ].join('');
        const { recognizer, pair } = first.gap;
        return [{ text, about: { recognizer, conditions: [clean.name], group: { [pair.attribute]: pair.value } } }];
      }),
  );
}

/** The verdict of the same gap, from the same side; null where it is not there. */
function verdictIn(finding: Finding, { table, column, part }: OtherQuestion, { recognizer, pair }: Gap) {
  const turnedPair = { ...pair, value: pair.comparedWith, comparedWith: pair.value };
  for (const row of rowsOf(finding, table)) {
    const { [column]: cell = null } = row;
    if (row.recognizer !== recognizer || (part !== undefined && row.part !== part) || !isComparison(cell)) continue;
    if (row.pair === pairLabel(pair)) return cell.verdict;
    if (row.pair === pairLabel(turnedPair)) return turned(cell).verdict;
  }
  return null;
}
