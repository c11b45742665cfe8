import type { Column, Finding, Statement, Table } from '../../model/finding.ts';
import { recognizerColumn } from '../shared/columns.ts';
import { named } from '../shared/wording.ts';
import type { Design } from './design.ts';
import { streamColumns } from './stream-speed.ts';
import type { Tally } from './tally.ts';

const columns: readonly Column[] = [
  recognizerColumn,
  {
    key: 'realTimeFactor',
    label: 'Seconds per second of sound',
    kind: 'ratio',
    help: 'Real-time factor over all answers together; below 1 is faster than speech.',
  },
  { key: 'median', label: 'Median', kind: 'ratio', help: 'The same of the answer in the middle.' },
  { key: 'pricePerHour', label: 'Price per hour of sound', kind: 'money' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'answers', label: 'Answers timed', kind: 'count' },
];

/** Speed and price of each recognizer: what differs from run to run, apart from everything else. */
export function timingPart(tally: Tally, design: Design): NonNullable<Finding['timing']> {
  const whole = tally.slices.whole();
  const speakers = whole.rows.filter((row) => whole.isSpeaker(row)).length;
  const rows: Table['rows'][number][] = [];
  const streams: Table['rows'][number][] = [];
  const answer: Statement[] = [];
  design.recognizers.forEach(({ name, pricePerMinute }, index) => {
    const speed = tally.speeds[index]!;
    const realTimeFactor = speed.realTimeFactor(speakers);
    const price = speed.pricePerHour(pricePerMinute, speakers);
    rows.push({
      recognizer: name,
      realTimeFactor,
      median: speed.medianFactor(speakers),
      pricePerHour: price?.estimate ?? null,
      currency: price?.currency ?? null,
      answers: speed.timed,
    });
    const stream = speed.stream.row(name, realTimeFactor.n.utterances, speakers);
    if (stream !== null) streams.push(stream);
    if (realTimeFactor.value !== null) {
      answer.push({
        text: `${named(name)}: seconds it needs for a second of sound.`,
        estimate: realTimeFactor,
        kind: 'ratio',
      });
    }
    if (price !== null) {
      const text = `${named(name)}: price of an hour of sound in ${named(price.currency)}.`;
      answer.push({ text, estimate: price.estimate, kind: 'money' });
    }
  });
  const table: Table = { id: 'robustness-speed', title: 'Speed and price', columns, rows };
  const streaming: Table = {
    id: 'robustness-streaming',
    title: 'Heard while it is spoken',
    columns: streamColumns,
    rows: streams,
  };
  const tables = streams.length === 0 ? [table] : [table, streaming];
  return { answer, sections: [{ id: 'robustness-speed', title: 'Speed and price', tables }] };
}
