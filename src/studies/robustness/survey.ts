import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { StudyContext } from '../contract.ts';
import { SlicedCounts } from '../shared/sliced-counts.ts';
import { shortages } from '../shared/speaker-warnings.ts';
import type { RobustnessOptions } from './options.ts';

/** Utterances whose rates are averaged with others' and not pooled: one corpus in one language, or a recorded scenario. */
export interface Dataset {
  /** Value of the attribute that tells corpora apart; null where they have none. */
  readonly corpus: string | null;
  /** First part of the language's tag: `en`. */
  readonly language: string;
  /** Which of the options' recorded scenarios it is; null: clean sound, to be disturbed. */
  readonly recorded: number | null;
}

/** What is known of the utterances before anything is asked. */
export interface Survey {
  readonly datasets: readonly Dataset[];
  /** Utterances with a reference. */
  readonly scored: number;
  /** Of these, those of recorded scenarios. */
  readonly scoredRecorded: number;
  /** Without a reference. */
  readonly skipped: number;
  /** Whether there were too many corpora to be kept apart. */
  readonly merged: boolean;
  /** What so few speakers cannot show, whatever they are answered. */
  readonly shortages: readonly string[];
  /** The number of an utterance's data set. */
  datasetOf(utterance: Utterance): number;
}

/** More corpora than this are none: the attribute tells something else. */
const maxDatasets = 64;

/**
 * Looks through the utterances once: which corpora and languages there are, and what belongs to recorded scenarios (an
 * utterance to the first that it fits).
 *
 * @throws EarwitnessError `bad-config` for a recorded scenario to which no utterance with a reference belongs
 */
export async function surveyUtterances(options: RobustnessOptions, context: StudyContext): Promise<Survey> {
  const { corpusBy, recorded } = options;
  const found = new Map<string, Dataset>();
  const counts = { scored: 0, scoredRecorded: 0, skipped: 0 };
  let merged = false;
  let speakers = new SlicedCounts(options.groupBy);
  const datasetFor = (utterance: Utterance): Dataset => {
    const place = recorded.findIndex(({ where }) => fits(utterance, where));
    return {
      corpus: merged ? null : (valuesOf(utterance, corpusBy)[0] ?? null),
      language: merged ? 'several' : (utterance.language.split('-')[0] ?? utterance.language).toLowerCase(),
      recorded: place < 0 ? null : place,
    };
  };
  const key = ({ corpus, language, recorded: place }: Dataset) =>
    JSON.stringify(place === null ? [corpus, language] : [place, language]);

  const look = async () => {
    found.clear();
    speakers = new SlicedCounts(options.groupBy);
    Object.assign(counts, { scored: 0, scoredRecorded: 0, skipped: 0 });
    for await (const utterance of context.utterances()) {
      if (utterance.reference === undefined) {
        counts.skipped++;
        continue;
      }
      const dataset = datasetFor(utterance);
      counts.scored++;
      speakers.enter(utterance);
      if (dataset.recorded !== null) counts.scoredRecorded++;
      if (!found.has(key(dataset))) found.set(key(dataset), dataset);
      if (found.size > maxDatasets && !merged) return false;
    }
    return true;
  };
  if (!(await look())) {
    merged = true;
    await look();
  }
  const numbers = new Map([...found.keys()].map((name, index) => [name, index]));
  const datasets = [...found.values()];
  recorded.forEach(({ name }, place) => {
    if (counts.scored === 0 || datasets.some((dataset) => dataset.recorded === place)) return;
    throw new EarwitnessError(
      'bad-config',
      `recorded: expected utterances with a reference for ${printable(JSON.stringify(name))}, but none has the attributes of its where; see what there is with the study corpus`,
    );
  });
  return {
    datasets,
    ...counts,
    merged,
    shortages: context.recognizers.length < 2 ? [] : shortages(speakers, options.minimumSpeakers, options.level),
    datasetOf: (utterance) => numbers.get(key(datasetFor(utterance)))!,
  };
}

function fits(utterance: Utterance, where: RobustnessOptions['recorded'][number]['where']): boolean {
  return Object.entries(where).every(([name, wanted]) =>
    valuesOf(utterance, name).some((value) => (typeof wanted === 'string' ? value === wanted : wanted.includes(value))),
  );
}

/** An attribute, or what the utterance itself says under this name. */
function valuesOf(utterance: Utterance, name: string): readonly string[] {
  if (Object.hasOwn(utterance.attributes, name)) return [utterance.attributes[name]!];
  if (name === 'tag') return utterance.tags;
  if (name === 'language') return [utterance.language];
  return name === 'speaker' && utterance.speaker !== undefined ? [utterance.speaker] : [];
}
