import type { Utterance } from '../model/utterance.ts';
import { csvLine } from '../report/csv/render-csv.ts';
import type { Store } from '../store/contract.ts';
import { facetName } from './index-columns.ts';
import type { TrialIndex } from './trial-index.ts';

const ownColumns = [
  'utterance',
  'speaker',
  'language',
  'condition',
  'draw',
  'repeat',
  'recognizer',
  'failure',
  'failure_message',
  'seconds',
  'normalizer',
  'words',
  'errors',
  'insertions',
  'reference',
  'transcript',
];

/** So many characters are sent at a time. */
const pieceLength = 1 << 16;

/** Trials as lines of a file, the head first, then some hundred at a time, in the given order, with the attributes of their utterances. */
export function* exportLines(
  index: TrialIndex,
  rows: Iterable<number>,
  store: Pick<Store, 'utterances' | 'observation'>,
  run: string,
  form: 'csv' | 'jsonl',
): Generator<string> {
  const { columns, header } = index;
  const attributes = header.attributes.flatMap(({ name }) => (name === 'speaker' || name === 'language' ? [] : [name]));
  const names = [...ownColumns, ...attributes.map((name) => (ownColumns.includes(name) ? `attribute_${name}` : name))];
  if (form === 'csv') yield csvLine(names);
  let known = { position: -1, utterance: undefined as Utterance | undefined };
  let text = '';
  for (const row of rows) {
    const position = columns.utterance[row]!;
    if (known.position !== position)
      known = { position, utterance: store.utterances(run, { from: position, limit: 1 })[0] };
    const { utterance } = known;
    const observation = store.observation(columns.answer[row]!);
    const own = new Map(Object.entries(utterance?.attributes ?? {}).map(([name, value]) => [facetName(name), value]));
    const count = (value: number) => (value < 0 ? null : value);
    const values = [
      ...[utterance?.id ?? null, utterance?.speaker ?? null, utterance?.language ?? null],
      ...[header.conditions[columns.condition[row]!]!, columns.draw[row]!, columns.repeat[row]!],
      ...[
        header.recognizers[columns.recognizer[row]!]!,
        observation?.failure?.kind ?? null,
        observation?.failure?.message ?? null,
        observation?.timing.seconds ?? null,
      ],
      ...[header.normalizer, count(columns.words[row]!), count(columns.errors[row]!), count(columns.insertions[row]!)],
      ...[utterance?.reference ?? null, observation?.transcript?.text ?? null],
      ...attributes.map((name) => own.get(name) ?? null),
    ];
    text +=
      form === 'csv'
        ? csvLine(values)
        : `${JSON.stringify(Object.fromEntries(names.map((name, place) => [name, values[place]])))}\n`;
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  yield text;
}
