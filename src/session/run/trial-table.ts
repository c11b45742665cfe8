import type { Finding } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { errors, referenceLength } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { RunReader, RunRecord, StoredTrial } from '../../store/contract.ts';

const pageSize = 500;

/** One column of the table of trials. */
export interface TrialColumn {
  readonly name: string;
  readonly type: 'string' | 'int64' | 'float64';
  /** Holds words that were said, or meant to be said. */
  readonly transcript?: true;
  /** Holds what is read and nothing is joined by: a spreadsheet must not run it. */
  readonly shown?: true;
}

/** Null where there is nothing: no speaker, no transcript, no reference to count by. */
export type TrialValue = string | number | null;

/** Every trial of a run as one row, in the order of `RunReader.trials`. */
export interface TrialTable {
  readonly columns: readonly TrialColumn[];
  /** The values of a row in the order of the columns. Can be gone through again. */
  rows(): Iterable<readonly TrialValue[]>;
}

/**
 * The trials of a run: whose they are, what was asked, what came, and how many words were wrong. Errors are counted with each normalizer
 * that the findings name (columns get its name where there are several), by fewest edits, so that rates can be computed again
 * from the table alone.
 *
 * @param normalizerOf null where it is not at hand: its counts are left out
 */
export async function trialTable(
  store: RunReader,
  run: RunRecord,
  findings: readonly Finding[],
  normalizerOf: (name: string, module: string | null) => Promise<Normalizer | null>,
): Promise<TrialTable> {
  const normalizers = await normalizersOf(findings, normalizerOf);
  const { columns, valuesOf } = trialRows(run, attributesOf(store, run), normalizers);
  return {
    columns,
    *rows() {
      for (const trial of store.trials(run.id)) yield valuesOf(trial);
    },
  };
}

/** A table of trials, of which the trials come one by one. */
export interface TrialRows {
  readonly columns: readonly TrialColumn[];
  /** The values of a trial in the order of the columns. Quickest where trials of an utterance come together. */
  valuesOf(trial: Omit<StoredTrial, 'position' | 'answer'>): readonly TrialValue[];
}

/**
 * @param attributes of utterances, that are columns
 * @param normalizers by which errors are counted
 */
export function trialRows(
  { recognizers }: Pick<RunRecord, 'recognizers'>,
  attributes: readonly string[],
  normalizers: readonly Normalizer[],
): TrialRows {
  const counts = normalizers.flatMap((normalizer) => {
    const suffix = normalizers.length > 1 ? `_${normalizer.name}` : '';
    return countColumns.map((column) => ({ ...column, name: `${column.name}${suffix}` }));
  });
  const first = [...aboutColumns, ...answerColumns, ...counts];
  const taken = new Set(first.map(({ name }) => name));
  const named = attributes.map((name): TrialColumn => {
    return { name: taken.has(name) ? `attribute_${name}` : name, type: 'string' };
  });
  let scored = { id: null as string | null, counters: [] as readonly Counter[] };
  return {
    columns: [...aboutColumns, ...named, ...answerColumns, ...counts],
    valuesOf(trial) {
      const { utterance } = trial;
      if (scored.id !== utterance.id) {
        scored = { id: utterance.id, counters: normalizers.map((normalizer) => counter(normalizer, utterance)) };
      }
      return [
        ...about(trial, recognizers[trial.recognizer]!.name),
        ...attributes.map((name) => (Object.hasOwn(utterance.attributes, name) ? utterance.attributes[name]! : null)),
        ...answer(trial),
        ...scored.counters.flatMap((count) => count(trial.observation)),
      ];
    },
  };
}

const text = (name: string): TrialColumn => ({ name, type: 'string' });
const whole = (name: string): TrialColumn => ({ name, type: 'int64' });
const words = (name: string): TrialColumn => ({ name, type: 'string', transcript: true, shown: true });

const aboutColumns = [
  ...[text('utterance'), text('speaker'), text('language'), text('condition'), text('recognizer')],
  ...[whole('draw'), whole('repeat')],
];

type Trial = Parameters<TrialRows['valuesOf']>[0];

function about({ utterance, conditionName, draw, repeat }: Trial, recognizer: string): TrialValue[] {
  return [utterance.id, utterance.speaker ?? null, utterance.language, conditionName, recognizer, draw, repeat];
}

const answerColumns: readonly TrialColumn[] = [
  ...[text('failure'), { name: 'failure_message', type: 'string', shown: true } as const],
  { name: 'sound_seconds', type: 'float64' },
  // Elapsed.
  { name: 'seconds', type: 'float64' },
  { name: 'processor_seconds', type: 'float64' },
  ...[whole('calls'), words('reference'), words('transcript')],
];

function answer({ utterance, observation }: Trial): TrialValue[] {
  const { failure, soundSeconds, timing, transcript } = observation;
  return [
    ...[failure?.kind ?? null, failure?.message ?? null, soundSeconds, timing.seconds],
    ...[timing.processorSeconds ?? null, timing.calls],
    ...[utterance.reference ?? null, transcript?.text ?? null],
  ];
}

const countColumns = [
  ...[text('normalizer'), whole('words'), whole('substitutions'), whole('deletions'), whole('insertions')],
  ...[whole('characters'), whole('character_errors'), words('reference_words'), words('transcript_words')],
];

/** What one normalizer makes of the trials of an utterance. */
type Counter = (observation: Observation) => TrialValue[];

/** Without a reference there is nothing to count, but what is written down has words. */
function counter(normalizer: Normalizer, utterance: Utterance): Counter {
  const name = `${normalizer.name}@${normalizer.version}`;
  const said = utterance.reference === undefined ? null : normalizer.words(utterance.reference, utterance.language);
  const reference = said?.join(' ') ?? null;
  const count = (text: string | undefined): TrialValue[] => {
    const heard = text === undefined ? null : normalizer.words(text, utterance.language);
    const written = heard?.join(' ') ?? null;
    if (said === null || heard === null) {
      const none = [null, null, null, null, null];
      return [name, said?.length ?? null, ...none, reference, written];
    }
    const edits = countEdits(said, heard);
    const characters = countCharacterEdits(said, heard, 'least', normalizer.hasCharacterWords?.(utterance.language));
    return [
      ...[name, said.length, edits.substitutions, edits.deletions, edits.insertions],
      ...[referenceLength(characters), errors(characters), reference, written],
    ];
  };
  // Recognizers agree on much of what is said, in many conditions: a text is counted once.
  const known = new Map<string | undefined, TrialValue[]>();
  return ({ transcript }) => {
    const counted = known.get(transcript?.text) ?? count(transcript?.text);
    known.set(transcript?.text, counted);
    return counted;
  };
}

/** Those of the studies that score, each once; that of the corpus' description only where there is no other. */
async function normalizersOf(
  findings: readonly Finding[],
  normalizerOf: (name: string, module: string | null) => Promise<Normalizer | null>,
): Promise<Normalizer[]> {
  const scoring = findings.filter(({ study }) => study.name !== 'corpus');
  const namedBy = (some: readonly Finding[]) =>
    some.flatMap(({ settings: { normalizer } }) =>
      typeof normalizer === 'object' && normalizer !== null && 'name' in normalizer ? [normalizer] : [],
    );
  const own = namedBy(scoring);
  const found = new Map<string, Normalizer>();
  for (const { name, module } of own.length > 0 ? own : namedBy(findings)) {
    if (typeof name !== 'string' || found.has(name)) continue;
    const normalizer = await normalizerOf(name, typeof module === 'string' ? module : null);
    if (normalizer !== null) found.set(name, normalizer);
  }
  return [...found.values()];
}

/** Every attribute that any utterance has, in the order of their code units. */
function attributesOf(store: RunReader, run: RunRecord): string[] {
  const names = new Set<string>();
  for (let from = 0; ; from += pageSize) {
    const page = store.utterances(run.id, { from, limit: pageSize });
    for (const { attributes } of page) for (const name of Object.keys(attributes)) names.add(name);
    if (page.length < pageSize) return [...names].sort();
  }
}
