import type { Section, Table } from '../../../model/finding.ts';
import {
  conditionColumn,
  recognizerColumn,
  speakersColumn,
  utterancesColumn,
  wordsSaidColumn,
} from '../../shared/columns.ts';
import type { Design } from '../design.ts';
import type { Results } from '../results.ts';
import type { Tally } from '../tally.ts';
import { rateColumn } from './rate-column.ts';

/** Every recognizer in every condition. */
export function conditionsSection(results: Results, tally: Tally, design: Design): Section {
  const rows = results.conditions.map((row): Table['rows'][number] => {
    const place = tally.series.words(row.recognizer, row.condition);
    const { substitutions, deletions, insertions } = tally.edits(place);
    const { asked, failed } = tally.trials.at(place);
    const { n } = row.wordErrorRate;
    return {
      condition: design.conditions[row.condition]!.name,
      severity: design.conditions[row.condition]!.rung?.label ?? '',
      recognizer: design.recognizers[row.recognizer]!.name,
      wordErrorRate: row.wordErrorRate,
      degradation: row.degradation,
      characterErrorRate: row.characterErrorRate,
      substitutions,
      deletions,
      insertions,
      words: n.words ?? null,
      utterances: n.utterances,
      speakers: n.speakers,
      failed: asked === 0 ? null : failed / asked,
    };
  });
  return {
    id: 'robustness-conditions',
    title: 'All conditions',
    tables: [
      {
        id: 'robustness-conditions',
        title: 'Errors by condition and recognizer',
        columns: [
          conditionColumn,
          { key: 'severity', label: 'Severity', kind: 'text', help: 'Of rooms: the mean of what was measured.' },
          recognizerColumn,
          rateColumn,
          {
            key: 'degradation',
            label: 'Change from clean',
            kind: 'difference',
            help: 'Word error rate degradation (WERD): the word error rate less that of clean sound, on the trials answered in both. Below zero: better than clean.',
          },
          {
            key: 'characterErrorRate',
            label: 'Character error rate',
            kind: 'rate',
            help: 'The same by characters, blanks included.',
          },
          { key: 'substitutions', label: 'Replaced', kind: 'count', help: 'Substitutions' },
          { key: 'deletions', label: 'Left out', kind: 'count', help: 'Deletions' },
          { key: 'insertions', label: 'Added', kind: 'count', help: 'Insertions' },
          wordsSaidColumn,
          utterancesColumn,
          speakersColumn,
          { key: 'failed', label: 'Failed', kind: 'rate', help: 'Share of trials without a transcript.' },
        ],
        rows,
        note: 'Rates are pooled: all errors over all words. Speakers are resampled whole, because the words of one speaker are not independent.',
      },
    ],
  };
}
