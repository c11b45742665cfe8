import type { Utterance } from '../model/utterance.ts';
import { csvLine } from '../report/csv/render-csv.ts';
import { trialRows } from '../session/run/trial-table.ts';
import type { RunReader, RunRecord } from '../store/contract.ts';
import { attributeOfFacet } from './index-columns.ts';
import { normalizerOf } from './stored-run.ts';
import type { TrialIndex } from './trial-index.ts';

/** So many characters are sent at a time. */
const pieceLength = 1 << 16;

/**
 * Trials as lines of a file, the head first, then some hundred at a time, in the given order: the columns of the table of trials that a report has,
 * counted by the normalizer of the index. Whoever was forgotten meanwhile is left out.
 */
export function* exportLines(
  index: TrialIndex,
  rows: Iterable<number>,
  store: Pick<RunReader, 'utterances' | 'observation'>,
  run: Pick<RunRecord, 'id' | 'recognizers'>,
  form: 'csv' | 'jsonl',
): Generator<string> {
  const { columns, header } = index;
  const facets = header.attributes.map(({ name }) => name).filter((name) => name !== 'speaker' && name !== 'language');
  const table = trialRows(run, facets.map(attributeOfFacet).sort(), [normalizerOf(index)]);
  const names = table.columns.map(({ name }) => name);
  if (form === 'csv') yield csvLine(names);
  let known = { position: -1, utterance: undefined as Utterance | undefined };
  let text = '';
  for (const row of rows) {
    const position = columns.utterance[row]!;
    if (known.position !== position)
      known = { position, utterance: store.utterances(run.id, { from: position, limit: 1 })[0] };
    const { utterance } = known;
    const observation = store.observation(columns.answer[row]!);
    if (utterance === undefined || observation === null) continue;
    const values = table.valuesOf({
      ...{ utterance, observation, recognizer: columns.recognizer[row]! },
      ...{ conditionName: header.conditions[columns.condition[row]!]! },
      ...{ draw: columns.draw[row]!, repeat: columns.repeat[row]! },
    });
    text +=
      form === 'csv'
        ? csvLine(values, (place) => table.columns[place]!.shown === true)
        : `${JSON.stringify(Object.fromEntries(names.map((name, place) => [name, values[place]])))}\n`;
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  yield text;
}
