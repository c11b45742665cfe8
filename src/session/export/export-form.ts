import type { JsonObject } from '../../base/json.ts';
import type { Condition } from '../../model/condition.ts';
import type { ClipMeasurement } from '../../model/measurement.ts';
import type { Utterance } from '../../model/utterance.ts';
import { isLicenceKey, licenceIn } from './licences.ts';
import { factsOf } from './perturbation-job.ts';

/** An utterance and the name that its sounds have. */
export interface NamedUtterance {
  readonly utterance: Utterance;
  /** Path below the output's folder, without ending. */
  readonly name: string;
}

/** A sound that was made, as an export writes it. */
export interface ExportedSound {
  readonly utterance: Utterance;
  readonly name: string;
  /** Which condition, by its place in the list. */
  readonly condition: number;
  readonly measurement: ClipMeasurement;
  /** The WAV file, where the form asks for it. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

/** How a perturbed corpus is written. */
export interface ExportForm {
  /** Whether it wants the bytes of each WAV file; else these are written where `output` says. */
  readonly wantsBytes: boolean;
  /** The file of a sound; null where sounds are no files. */
  output(name: string, condition: number): string | null;
  /** Files besides the sounds that it will write, so that none is overwritten unasked. */
  readonly files: readonly string[];
  /** Given in the order of utterances, and of conditions within each. */
  add(sound: ExportedSound): Promise<void>;
  /** What was begun becomes whole. */
  finish(): Promise<void>;
  /** What was begun is taken away. */
  abandon(): Promise<void>;
}

/** What is known of a corpus before its sounds are made. */
export interface CorpusSurvey {
  readonly utterances: number;
  /** Attributes that any utterance has, in alphabetical order. */
  readonly attributes: readonly string[];
  readonly hasReferences: boolean;
}

/** A column of the metadata beside the sound itself. */
export interface ExportColumn {
  readonly name: string;
  /** As Hugging Face `datasets` calls it. */
  readonly type: 'string' | 'int64' | 'float64';
  value(sound: ExportedSound): string | number | null;
}

/** Names that `datasets` gives a meaning, and that sound has in the two forms. */
const taken = ['file_name', 'audio', 'label', 'metadata'];

/**
 * The columns of an export. Attributes of utterances have columns of their own; one whose name another column has is called
 * `attribute_…`. What perturbations say of what they did is JSON in the column `facts`, because it differs from condition to
 * condition and the columns of all splits must be the same.
 */
export function exportColumns(
  conditions: readonly Condition[],
  survey: CorpusSurvey,
  chance: { readonly seed: number; readonly draw: number },
): ExportColumn[] {
  const text = (name: string, value: ExportColumn['value']): ExportColumn => ({ name, type: 'string', value });
  const whole = (name: string, value: ExportColumn['value']): ExportColumn => ({ name, type: 'int64', value });
  const conditionOf = ({ condition }: ExportedSound) => conditions[condition]!;
  const columns: ExportColumn[] = [
    text('id', ({ utterance }) => utterance.id),
    ...(survey.hasReferences ? [text('text', ({ utterance }) => utterance.reference ?? null)] : []),
    text('speaker_id', ({ utterance }) => utterance.speaker ?? null),
    text('language', ({ utterance }) => utterance.language),
    text('condition', (sound) => conditionOf(sound).name),
    whole('severity', (sound) => severityOf(conditionOf(sound))),
    text('severity_label', (sound) => conditionOf(sound).rung?.label ?? null),
    whole('seed', () => chance.seed),
    whole('draw', () => chance.draw),
    { name: 'duration_seconds', type: 'float64', value: ({ measurement }) => measurement.durationSeconds },
    whole('sampling_rate', ({ measurement }) => measurement.sampleRate),
    text('licence', ({ utterance }) => licenceIn(utterance.attributes)),
    text('adversarial', ({ measurement }) =>
      measurement.facts.some(({ adversarial }) => adversarial === true) ? 'yes' : null,
    ),
    text('tags', ({ utterance }) => utterance.tags.join(';')),
    text('facts', ({ measurement }) => JSON.stringify(factsOf(measurement))),
  ];
  const names = new Set([...taken, ...columns.map(({ name }) => name)]);
  for (const key of survey.attributes) {
    if (isLicenceKey(key)) continue;
    let name = names.has(key) ? `attribute_${key}` : key;
    while (names.has(name)) name = `${name}_`;
    names.add(name);
    columns.push(
      text(name, ({ utterance: { attributes } }) => (Object.hasOwn(attributes, key) ? attributes[key]! : null)),
    );
  }
  return columns;
}

/** Rank of a rung, 0 for the clean sound; null for steps that stand on no ladder. */
function severityOf({ rung, steps }: Condition): number | null {
  return rung?.rank ?? (steps.length === 0 ? 0 : null);
}

/** The features of Hugging Face `datasets` for these columns. */
export function huggingFaceFeatures(columns: readonly ExportColumn[]): JsonObject {
  return Object.fromEntries(columns.map(({ name, type }) => [name, { dtype: type, _type: 'Value' }]));
}
