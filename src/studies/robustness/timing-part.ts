import type { Column, Estimate, Finding, Statement, Table } from '../../model/finding.ts';
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
  const factors: { readonly name: string; readonly estimate: Estimate }[] = [];
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
    if (realTimeFactor.value !== null) factors.push({ name, estimate: realTimeFactor });
    if (price !== null) {
      const text = `${named(name)}: price of an hour of sound in ${named(price.currency)}.`;
      answer.push({ text, estimate: price.estimate, kind: 'money' });
    }
  });
  const fastest = speedStatement(factors);
  if (fastest !== null) answer.unshift(fastest);
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

/** More recognizers than this have their speed in the table alone, but for the fastest. */
const mostSpeeds = 4;

/** Who is fastest; null where no time is known. */
function speedStatement(factors: readonly { readonly name: string; readonly estimate: Estimate }[]): Statement | null {
  const [first, ...others] = factors.toSorted((a, b) => a.estimate.value! - b.estimate.value!);
  if (first === undefined) return null;
  const seconds = ({ value }: Estimate) => `${Number(value!.toPrecision(2))} s`;
  const rest = others.slice(0, mostSpeeds - 1).map(({ name, estimate }) => `${named(name)} ${seconds(estimate)}`);
  const most = others.length === 0 ? '' : 'Fastest: ';
  const beside = rest.length === 0 ? '' : `; ${rest.join(', ')}`;
  return {
    text: `${most}${named(first.name)}, ${seconds(first.estimate)} of computing for a second of audio${beside}.`,
    headline: true,
  };
}
