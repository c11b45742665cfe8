import { EarwitnessError } from '../../base/errors.ts';
import { attributeCombinations } from '../../statistics/intersectional-coverage.ts';
import type { DisparityOptions } from './options.ts';
import type { Survey } from './survey.ts';

/** Everybody who has certain values of one to three attributes. */
export interface Subgroup {
  readonly attributes: readonly string[];
  readonly values: readonly string[];
  /** `female`, or `female × 19 to 55`. */
  readonly name: string;
  /** Places of its profiles in the survey. */
  readonly profiles: readonly number[];
  readonly utterances: number;
  /** Speakers, and utterances whose speaker nobody knows. */
  readonly speakers: number;
  /** Whether it enters disparities and tests; otherwise `why` says why not. */
  readonly counted: boolean;
  readonly why: string | null;
}

/** More groups than this nobody can read. */
const maxGroups = 2000;

/** The orders that the options (or their profile) mean, as far as there are attributes for them. */
export function ordersOf({ orders, profile }: DisparityOptions, attributes: number): number[] {
  const wanted = orders ?? (profile === 'fairlens' ? [2] : [1, 2]);
  const possible = [...new Set(wanted)].filter((order) => order <= attributes).sort((a, b) => a - b);
  return possible.length === 0 && attributes > 0 ? [1] : possible;
}

/**
 * All groups that occur, attributes in the order of the options, values in that of their code units.
 *
 * @throws EarwitnessError `bad-config` for more than 2,000
 */
export function subgroupsOf(survey: Survey, options: DisparityOptions): Subgroup[] {
  const places = new Map(survey.attributes.map(({ name }, place) => [name, place]));
  const divided = survey.attributes.filter(({ values }) => values.length > 1).map(({ name }) => name);
  const speakers = survey.profiles.map(() => new Set<number>());
  const utterances = new Float64Array(survey.profiles.length);
  survey.rows.profiles.forEach((profile, row) => {
    speakers[profile]!.add(survey.rows.clusters[row]!);
    utterances[profile]! += survey.utterancesOf[row]!;
  });
  const groups = ordersOf(options, divided.length).flatMap((order) =>
    attributeCombinations(divided, order).flatMap((attributes) => {
      const members = new Map<string, { values: readonly string[]; profiles: number[] }>();
      survey.profiles.forEach((profile, number) => {
        const values = attributes.flatMap((name) => profile[places.get(name)!] ?? []);
        if (values.length < attributes.length) return;
        const key = JSON.stringify(values);
        const known = members.get(key);
        if (known) known.profiles.push(number);
        else members.set(key, { values, profiles: [number] });
      });
      return [...members.values()]
        .sort((a, b) => byValues(a.values, b.values))
        .map(({ values, profiles }): Subgroup => {
          const people = new Set(profiles.flatMap((profile) => [...speakers[profile]!])).size;
          const why = values.some((value) => options.other.includes(value))
            ? 'shown, but not counted'
            : people < options.minimumSpeakers
              ? `fewer than ${options.minimumSpeakers} speakers`
              : null;
          return {
            attributes,
            values,
            name: values.join(' × '),
            profiles,
            utterances: profiles.reduce((sum, profile) => sum + utterances[profile]!, 0),
            speakers: people,
            counted: why === null,
            why,
          };
        });
    }),
  );
  if (groups.length > maxGroups) {
    throw new EarwitnessError(
      'bad-config',
      `attributes: expected at most ${maxGroups} groups, but these attributes make ${groups.length}; name fewer attributes, divide numbers with bins, or set orders: [1]`,
    );
  }
  return groups;
}

function byValues(a: readonly string[], b: readonly string[]): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place < 0 ? 0 : a[place]! < b[place]! ? -1 : 1;
}
