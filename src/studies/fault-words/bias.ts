import { pValuePhrase } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Finding, Section, Statement } from '../../model/finding.ts';
import { numberAt, rowsOf, textAt } from '../../model/finding-rows.ts';
import { reasonText } from '../../model/reason.ts';
import { type RankCorrelation, rankCorrelation } from '../../statistics/significance/rank-correlation.ts';
import { attributeColumn, column, groupColumn, rawColumn, tableOf } from '../shared/tables.ts';
import { named } from '../shared/wording.ts';
import type { Group } from './heard-words.ts';
import type { WordDrops } from './results.ts';

/** Whether the words that vanish point at the same groups as the violations of an attribute's groups. */
export interface Bias {
  /** Name of the study that counted the violations. */
  readonly study: string;
  readonly attribute: string;
  /** By what violations were counted. */
  readonly kind: string;
  readonly groups: readonly {
    readonly group: string;
    /** Mean over recognizers and transformations of the share of words heard before that vanish. */
    readonly lost: number;
    /** Mean drop, in the same way. */
    readonly meanDrop: number;
    readonly violations: number;
  }[];
  readonly correlation: RankCorrelation;
}

/** By what `degradation` counts violations; each has a table of its own for every attribute. */
const kinds = ['distance', 'word error rate'];

/**
 * AequeVox asks whether its localiser tells of the same bias as its violations (RQ4, Table 9 beside Table 4). Groups are compared by the
 * share of words that vanish, because a drop is the greater the more a group said.
 *
 * @param findings of the studies before: those of `degradation` have the violations; without one there is nothing to compare
 */
export function biasesOf(
  drops: readonly WordDrops[],
  groups: readonly Group[],
  findings: readonly Pick<Finding, 'study' | 'name' | 'sections'>[],
): Bias[] {
  const seen = new Set<string>();
  const attributes = [...new Set(groups.flatMap(({ group }) => group?.attribute ?? []))];
  return findings
    .filter(({ study }) => study.name === 'degradation')
    .flatMap((finding) =>
      attributes.flatMap((attribute) =>
        kinds.map((kind) => ({
          ...{ study: finding.name ?? finding.study.name, attribute, kind },
          rows: rowsOf(finding, `degradation-excess-${attribute}-${kind}`),
        })),
      ),
    )
    .flatMap(({ study, attribute, kind, rows }): Bias[] => {
      const key = JSON.stringify([attribute, kind]);
      if (rows.length === 0 || seen.has(key)) return [];
      seen.add(key);
      const both = rows.flatMap((row) => {
        const name = textAt(row, 'group');
        const group = groups.find((one) => one.group?.attribute === attribute && one.group.value === name);
        const own = drops.filter((one) => one.group === group && one.heard > 0);
        if (own.length === 0) return [];
        const mean = (of: (one: WordDrops) => number) => own.reduce((sum, one) => sum + of(one), 0) / own.length;
        return [
          {
            group: name,
            lost: mean((one) => one.drops / one.heard),
            meanDrop: mean((one) => one.meanDrop ?? 0),
            violations: numberAt(row, 'violations'),
          },
        ];
      });
      if (both.length < 2) return [];
      const correlation = rankCorrelation(
        both.map(({ lost }) => lost),
        both.map(({ violations }) => violations),
      );
      return [{ study, attribute, kind, groups: both, correlation }];
    });
}

/** A p value above this tells nothing. */
const highestP = 0.05;

/** Who has most of it, by name; nobody where none has any. */
function most({ groups }: Bias, of: 'lost' | 'violations'): string {
  const highest = Math.max(...groups.map((one) => one[of]));
  const names = groups.filter((one) => one[of] === highest).map(({ group }) => named(group));
  return highest === 0 ? 'nobody' : names.join(' and ');
}

/** The answer to the question, in a sentence. */
export function biasAgreementStatement(bias: Bias): Statement {
  const { study, attribute, kind, groups, correlation } = bias;
  const { value, pValue, reason } = correlation;
  const about = `${named(attribute)}, violations by ${kind} (study ${named(study)})`;
  const who = `most words are lost for ${most(bias, 'lost')}, most violations are against ${most(bias, 'violations')}`;
  if (value === null || pValue === null)
    return {
      text: `${about}: no conclusion whether lost words show the same bias (${reason ? reasonText(reason) : 'not known'}; ${who}).`,
    };
  const told = `rank correlation ${signed(value)} over ${counted(groups.length, 'group')}, ${pValuePhrase(pValue)}`;
  const verdict =
    pValue > highestP
      ? 'no conclusion whether lost words show the same bias'
      : value > 0
        ? 'lost words show the same bias'
        : 'lost words show the opposite';
  return { text: `${about}: ${verdict} (${told}; ${who}).` };
}

/** Groups by the words that vanish and by violations, side by side; null where no study before counted violations. */
export function biasSection(biases: readonly Bias[]): Section | null {
  if (biases.length === 0) return null;
  return {
    id: 'fault-words-bias',
    title: 'Words against violations',
    text: [
      'Violations are those of the study that the table names: of several, the first that counts them so (AequeVox, RQ4: its Table 9 beside its Table 4). Both are counted in transcripts of the same clips, so some agreement is to be expected; p refers to the order of these groups, not to other speakers.',
    ],
    tables: [
      tableOf('fault-words-bias', 'Whether both show the same bias', biases, [
        attributeColumn,
        { key: 'kind', label: 'Violations by', kind: 'text' },
        { key: 'study', label: 'Of the study', kind: 'text' },
        column('groups', 'Groups', 'count', ({ groups }) => groups.length),
        {
          ...column('correlation', 'Rank correlation', 'number', ({ correlation }) => correlation.value),
          help: 'Spearman’s, of the groups by words lost and by violations.',
        },
        { ...rawColumn, of: ({ correlation }) => correlation.pValue },
        column('mostLost', 'Most words lost for', 'text', (bias) => most(bias, 'lost')),
        column('mostViolations', 'Most violations against', 'text', (bias) => most(bias, 'violations')),
        column('how', 'Test', 'text', ({ correlation }) =>
          correlation.reason ? reasonText(correlation.reason) : correlation.test,
        ),
      ]),
      ...biases.map(({ study, attribute, kind, groups }) =>
        tableOf(
          `fault-words-bias-${attribute}-${kind}`,
          `Words that vanish, and violations (study ${study}): ${attribute}, by ${kind}`,
          groups.toSorted((a, b) => b.lost - a.lost),
          [
            groupColumn,
            {
              key: 'lost',
              label: 'Words lost',
              kind: 'rate',
              help: 'Share of the words recognized before, under the worst parameter of each transformation: mean over recognizers and transformations.',
            },
            {
              key: 'meanDrop',
              label: 'Mean drop',
              kind: 'number',
              help: 'As in Table 9; greater where a group said more.',
            },
            { key: 'violations', label: 'Violations', kind: 'count' },
          ],
        ),
      ),
    ],
  };
}

function signed(correlation: number): string {
  return correlation.toFixed(2).replace('-', '−');
}
