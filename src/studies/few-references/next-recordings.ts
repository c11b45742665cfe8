import type { Section } from '../../model/finding.ts';
import { column, tableOf } from '../shared/tables.ts';
import type { FewReferencesOptions, SampleDesign } from './design.ts';
import type { RateResult } from './results.ts';
import { Moments, type Verdicts } from './tally.ts';

/** A cell of the recordings, and how many of it to transcribe next. */
export interface Cell {
  /** Values of the attributes that cells are made of; empty where there are none. */
  readonly values: readonly (string | null)[];
  readonly recordings: number;
  readonly transcribed: number;
  /** Standard deviation of what pseudo verdicts leave open of a recording, in errors per word; null where too few are known. */
  readonly residualDeviation: number | null;
  readonly next: number;
  readonly ids: readonly string[];
}

/** What to transcribe next. */
export interface NextRecordings {
  readonly attributes: readonly string[];
  readonly cells: readonly Cell[];
}

/** With fewer transcribed recordings the deviation of a cell is taken from all of them. */
const minKnown = 5;

/**
 * How many recordings of each cell (stratum, or value of the first attribute that makes groups) to transcribe next: so many that the
 * transcribed ones are in proportion to what pseudo verdicts leave open there (J. Neyman's allocation, J. Royal Statistical Society
 * 97, 1934, of groups that count alike: the variances of their gaps, added up, are least, not that of everybody's rate). Of several recognizers the one
 * that leaves most open decides. Which of a cell: at random, by a number that belongs to the recording and the run's seed; a choice by
 * how much recognizers disagree would make the sample one that stands for nobody.
 */
export function nextRecordings(
  tally: Verdicts,
  { survey }: SampleDesign,
  rates: readonly RateResult[],
  options: FewReferencesOptions,
): NextRecordings {
  const attributes = options.strata.length > 0 ? options.strata : survey.groupBy.slice(0, 1);
  const places = attributes.map((name) => survey.attributes.indexOf(name));
  const cells = [
    ...Map.groupBy(survey.profiles.keys(), (profile) =>
      JSON.stringify(places.map((place) => survey.profiles[profile]![place])),
    ),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  const wholes = rates.filter(({ group }) => group === null);
  const deviationOf = (profiles: readonly number[]): number | null => {
    const deviations = wholes.flatMap(({ recognizer, weight, sample, pseudo }) => {
      const own = Moments.together(profiles.map((profile) => tally.moments[recognizer]![profile]!));
      if (own.count < minKnown || sample.value === null || weight === null) return [];
      const variance = own.varianceOf([1, -sample.value, -weight, weight * (pseudo.all ?? 0)]);
      return variance === null || !(own.meanWords! > 0) ? [] : [Math.sqrt(variance) / own.meanWords!];
    });
    return deviations.length === 0 ? null : Math.max(...deviations);
  };
  const overall = deviationOf([...survey.profiles.keys()]);
  const known = cells.map(([key, profiles]) => {
    const sum = (of: readonly number[]) => profiles.reduce((total, profile) => total + of[profile]!, 0);
    return {
      values: JSON.parse(key) as (string | null)[],
      profiles,
      recordings: sum(survey.recordings),
      transcribed: sum(survey.references),
      residualDeviation: deviationOf(profiles),
    };
  });
  const counts = allocate(
    known.map(({ recordings, transcribed, residualDeviation }) => ({
      known: transcribed,
      most: recordings,
      share: residualDeviation ?? overall ?? 1,
    })),
    options.next,
  );
  return {
    attributes,
    cells: known.map(({ profiles, ...cell }, place) => {
      const ids = profiles
        .flatMap((profile) => survey.waiting[profile]!.items())
        .sort((a, b) => b.chance - a.chance)
        .slice(0, counts[place]!)
        .map(({ id }) => id);
      return { ...cell, next: counts[place]!, ids };
    }),
  };
}

/** Gives so many, one by one, to whoever has least of what its share of them would be. */
function allocate(
  cells: readonly { readonly known: number; readonly most: number; readonly share: number }[],
  wanted: number,
): number[] {
  const counts = cells.map(() => 0);
  for (let given = 0; given < wanted; given++) {
    let best = -1;
    let need = 0;
    for (const [place, { known, most, share }] of cells.entries()) {
      const has = known + counts[place]!;
      if (has >= most) continue;
      const own = Math.max(share, 1e-9) / (has + 1);
      if (own > need) [best, need] = [place, own];
    }
    if (best < 0) break;
    counts[best]!++;
  }
  return counts;
}

/** Which recordings to transcribe next. */
export function nextSection({ attributes, cells }: NextRecordings, options: FewReferencesOptions): Section | null {
  const wanted = cells.reduce((sum, cell) => sum + cell.next, 0);
  if (options.next === 0) return null;
  const nameOf = (values: readonly (string | null)[]) =>
    attributes.length === 0
      ? 'all recordings'
      : attributes.map((attribute, place) => `${attribute} ${values[place] ?? 'unknown'}`).join(' × ');
  const strata = attributes.filter((name) => !options.strata.includes(name));
  return {
    id: 'few-references-next',
    title: 'What to transcribe next',
    text:
      wanted === 0
        ? ['Every recording has a reference.']
        : [
            'Allocated to groups so that the gaps between them are estimated as precisely as this many allow: more where verdicts leave more uncertainty and less is transcribed. Within a group they were drawn at random, because only then does the sample represent the rest; transcribe all that are listed, not only the easy ones.',
            ...(strata.length > 0
              ? [
                  `With these, more of some groups is transcribed than of others: set strata: [${strata.join(', ')}] then.`,
                ]
              : []),
          ],
    tables: [
      tableOf('few-references-cells', 'How many of each group', cells, [
        column('cell', 'Recordings of', 'text', ({ values }) => nameOf(values)),
        { key: 'recordings', label: 'Recordings', kind: 'count' },
        { key: 'transcribed', label: 'With a reference', kind: 'count' },
        {
          ...column('open', 'Left open', 'number', ({ residualDeviation }) => residualDeviation),
          help: 'Standard deviation of a recording’s errors per word that verdicts do not explain.',
        },
        { key: 'next', label: 'Transcribe next', kind: 'count' },
      ]),
      tableOf(
        'few-references-next',
        'Recordings to transcribe next',
        cells.flatMap(({ values, ids }) => ids.map((utterance) => ({ utterance, cell: nameOf(values) }))),
        [
          { key: 'utterance', label: 'Recording', kind: 'text' },
          { key: 'cell', label: 'Of', kind: 'text' },
        ],
      ),
    ],
  };
}
