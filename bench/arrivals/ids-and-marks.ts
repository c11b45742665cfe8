// How rows of two files meet, and what in their texts is no word.
import { type Arrival, clock, csv, jsonl, lines, refs, said, srt, start, table, whole, words } from './kit.ts';

const turn = (place: number) => clock(start(place), '.').slice(3, 8);
const marked = (form: (text: string, place: number) => string, name: string): Arrival => ({
  name: `lines with marks: ${name}`,
  files: { ...refs, 'a.txt': lines(({ a }, place) => form(a, place)) },
  ask: ['score', 'refs.txt', 'a.txt'],
  expect: 'rows',
});
/** Every other utterance is said on the second channel. */
const onChannel = (channel: number) =>
  said.map((one, place) => ({ ...one, place })).filter(({ place }) => place % 2 === channel);
const channels = [0, 1].flatMap((channel) => onChannel(channel));
const numbers = (side: 'ref' | 'a' | 'b') => lines((one, place) => `${place}\n${one[side]}`);

export const idsAndMarks: readonly Arrival[] = [
  {
    name: 'prompts that several speakers read, in one table',
    files: {
      't.csv': table(['id', 'speaker', 'reference', 'hypothesis'], ({ speaker, ref, a }, place) => [
        `p${place % 5}`,
        `${speaker}${place}`,
        ref,
        a,
      ]),
    },
    ask: ['score', 't.csv'],
    expect: 'rows',
  },
  {
    name: 'prompts that several speakers read, in two tables',
    files: {
      'r.csv': table(['id', 'speaker', 'text'], ({ ref }, place) => [`p${place % 5}`, `s${place}`, ref]),
      'h.csv': table(['id', 'speaker', 'pred'], ({ a }, place) => [`p${place % 5}`, `s${place}`, a]),
    },
    ask: ['score', 'r.csv', 'h.csv'],
    expect: 'rows',
  },
  {
    name: 'prompts that come again, with nothing beside them',
    files: {
      'r.csv': table(['id', 'text'], ({ ref }, place) => [`p${place % 5}`, ref]),
      'h.csv': table(['id', 'pred'], ({ a }, place) => [`p${place % 5}`, a]),
    },
    ask: ['score', 'r.csv', 'h.csv'],
    expect: /expected different ids, but "p0" stands in line 2 too/,
  },
  {
    name: 'ids with a mark that the references have too',
    files: {
      'r.csv': table(['id', 'text'], ({ ref }, place) => [`rec${place >> 1}_${(place % 2) + 1}`, ref]),
      'h.csv': table(['id', 'pred'], ({ a }, place) => [`rec${place >> 1}_${(place % 2) + 1}_1`, a]),
    },
    ask: ['score', 'r.csv', 'h.csv'],
    expect: 'rows',
  },
  {
    name: "ids from 1, and pandas' index from 0",
    files: {
      'r.csv': table(['id', 'text'], ({ ref }, place) => [`${place + 1}`, ref]),
      'a.csv': table(['', 'pred'], ({ a }, place) => [`${place}`, a]),
      'b.csv': table(['', 'pred'], ({ b }, place) => [`${place}`, b]),
    },
    ask: ['compare', 'r.csv', 'a.csv', 'b.csv'],
    expect: /as if one counted from 0 and the other from 1|have the words of another/,
  },
  {
    name: 'a manifest of another recording with the same times',
    files: {
      'm.json': jsonl(({ ref }, place) => ({
        audio_filepath: 'talk1.wav',
        offset: start(place),
        duration: 4,
        text: ref,
      })),
      'p.json': jsonl(({ a }, place) => ({
        audio_filepath: 'talk2.wav',
        offset: start(place),
        duration: 4,
        pred_text: a,
      })),
    },
    ask: ['score', 'm.json', 'p.json'],
    expect: /none of them is there/,
  },
  {
    name: 'a row for each model and clip, in two orders',
    files: {
      't.csv': csv([
        ['id', 'model', 'text', 'pred'],
        ...said.map(({ id, ref, a }) => [id, 'a', ref, a]),
        ...said.toReversed().map(({ id, ref, b }) => [id, 'b', ref, b]),
      ]),
    },
    ask: ['compare', 't.csv'],
    expect: 'rows',
  },
  marked((text, place) => `[${turn(place)}] Speaker ${place % 2}: ${text}`, 'time and speaker'),
  marked((text, place) => `(${turn(place)}) ${text}`, 'time in parentheses'),
  marked((text, place) => `${clock(start(place), '.').slice(0, 8)} - ${text}`, 'time and a dash'),
  marked(
    (text, place) => `[SPEAKER_0${place % 2}] ${start(place)}.0s - ${start(place) + 3}.5s: ${text}`,
    'speaker and seconds',
  ),
  marked(
    (text) =>
      words(text)
        .map((word) => `▁${word.slice(0, 2)} ${word.slice(2)}`.trim())
        .join(' '),
    'pieces',
  ),
  {
    name: "the logs of Hugging Face's eval.py",
    files: { 'log_targets.txt': numbers('ref'), 'log_predictions.txt': numbers('a'), 'log_greedy.txt': numbers('b') },
    ask: ['compare', 'log_targets.txt', 'log_predictions.txt', 'log_greedy.txt'],
    expect: 'rows',
  },
  {
    name: 'subtitles without blank lines',
    files: { 'refs.txt': whole('ref'), 'x.srt': srt('a').replace(/\n\n/g, '\n') },
    ask: ['score', 'refs.txt', 'x.srt'],
    expect: 'whole',
  },
  {
    name: 'two channels of Azure, one after the other',
    files: {
      'refs.txt': whole('ref'),
      'x.json': JSON.stringify({
        combinedPhrases: [0, 1].map((channel) => ({
          channel,
          text: onChannel(channel)
            .map(({ a }) => a)
            .join(' '),
        })),
        phrases: channels.map(({ a, place }) => ({
          channel: place % 2,
          offsetMilliseconds: start(place) * 1000,
          text: a,
        })),
      }),
    },
    ask: ['score', 'refs.txt', 'x.json'],
    expect: 'whole',
  },
  {
    name: 'one channel alone of two that are called otherwise',
    files: {
      'r.stm': lines(({ ref }, place) => `call ${'AB'[place % 2]} s ${start(place)} ${start(place) + 3.5} ${ref}`),
      'a.ctm': onChannel(0)
        .flatMap(({ a, place }) => words(a).map((word, at) => `call 1 ${start(place) + at / 10} 0.08 ${word}\n`))
        .join(''),
    },
    ask: ['score', 'r.stm', 'a.ctm'],
    expect: /nothing says which of them that is/,
  },
  {
    name: 'transcripts of CHAT',
    files: { 'a.cha': `@UTF8\n@Begin\n${lines(({ ref }) => `*PAR:\t${ref} .`)}@End\n`, ...refs },
    ask: ['score', 'a.cha', 'refs.txt'],
    expect: /but it is CHAT/,
  },
];
