import type { Section } from '../../../model/finding.ts';
import { attributeColumn, comparedWithColumn, recognizerColumn } from '../../shared/columns.ts';
import { counted, listed } from '../../shared/wording.ts';
import type { DisparityFinding } from '../finding.ts';
import { chanceColumn } from './columns.ts';

/** Gaps as ratios, each between speakers who are alike in the other attributes. */
export function modelSection({ design, model }: DisparityFinding): Section | null {
  if (model === null) return null;
  const names = design.recognizers.map(({ name }) => name);
  const notes = [...Map.groupBy(model.notes, ({ note }) => note)].map(
    ([note, own]) => `${listed(own.map(({ recognizer }) => names[recognizer]!))}: ${note}.`,
  );
  return {
    id: 'disparity-model',
    title: 'Gaps with the other attributes held equal',
    text: [
      `A regression of word errors in which every speaker has a difficulty of their own (mixed-effects Poisson), with ${listed(model.attributes)} together, fitted to ${counted(model.speakers, 'speaker')} who have all of these. A ratio of 1.2 means 20 % more errors than for the value it is compared with, between speakers who are alike in the other attributes.`,
      ...notes,
    ],
    tables: [
      {
        id: 'disparity-model',
        title: 'Ratios of error rates',
        columns: [
          recognizerColumn,
          attributeColumn,
          { key: 'value', label: 'Value', kind: 'text' },
          comparedWithColumn,
          { key: 'ratio', label: 'Ratio of error rates', kind: 'ratio', help: 'Above 1: more errors.' },
        ],
        rows: model.gaps.map(({ recognizer, ...row }) => ({ recognizer: names[recognizer]!, ...row })),
        note: 'Each interval stands for itself; the tests beneath are corrected. Each attribute is compared with its value of most speakers.',
      },
      {
        id: 'disparity-model-tests',
        title: 'Whether an attribute matters, given the others',
        columns: [
          recognizerColumn,
          attributeColumn,
          { key: 'pValue', label: 'p', kind: 'pvalue' },
          chanceColumn,
          { key: 'test', label: 'Test', kind: 'text' },
        ],
        rows: model.tests.map(({ recognizer, attribute, pValue, adjustedPValue, test, reason }) => ({
          recognizer: names[recognizer]!,
          attribute,
          pValue,
          adjustedPValue,
          test: reason ?? test,
        })),
      },
    ],
  };
}
