import { existsSync, readFileSync } from 'node:fs';

/** How 197 people rated the severities of an effect, and what is said of each severity beside. */
interface RatedEffect {
  readonly severities: readonly string[];
  /** Ratings from 1 to 10 of each person, by severity. */
  readonly people: readonly (readonly number[])[];
  readonly averages: readonly number[];
  readonly spreads: readonly number[];
}

/** Table 10 of S. S. Rajan, S. Udeshi and S. Chattopadhyay, "AequeVox" (FASE 2022); of amplitude 2 it prints nothing, and 8 stands here. */
const printed = { Amp: [8, 7.63, 7.49, 7.56, 7.5, 7.18], Noise: [7.22, 7.05, 7.03, 6.99, 6.84] };

const survey = new URL('../../../../shared/golden/aequevox/user-study/', import.meta.url);

/**
 * AequeVox' survey, with the authors' own rows of averages and deviations, where it stands beside the repository; else ratings of as many
 * people who are invented, with the means that the paper prints.
 */
export function ratingSurvey(): Readonly<Record<keyof typeof printed, RatedEffect>> {
  const of = (effect: keyof typeof printed) => (existsSync(survey) ? stored(effect) : invented(printed[effect]));
  return { Amp: of('Amp'), Noise: of('Noise') };
}

function stored(effect: string): RatedEffect {
  const [header, ...rows] = readFileSync(new URL(`${effect}.csv`, survey), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const row = (name: string) =>
    rows
      .find(([label]) => label === name)!
      .slice(1)
      .map(Number);
  const people = rows.filter(([label]) => label === '').map((cells) => cells.slice(1).map(Number));
  return { severities: header!.slice(1), people, averages: row('Average'), spreads: row('STD') };
}

function invented(means: readonly number[]): RatedEffect {
  const count = 197;
  const bySeverity = means.map((mean, severity) => {
    let state = 17 + severity;
    const ratings = Array.from({ length: count }, () => {
      state = (Math.imul(1664525, state) + 1013904223) >>> 0;
      return Math.max(1, Math.min(10, Math.round(mean + 6.4 * (state / 2 ** 32 - 0.5))));
    });
    const sum = Math.round(count * mean);
    for (let at = 0, missing = sum - total(ratings); missing !== 0; at = (at + 1) % count) {
      const step = Math.sign(missing);
      if (ratings[at]! + step < 1 || ratings[at]! + step > 10) continue;
      ratings[at]! += step;
      missing -= step;
    }
    return { ratings, sum };
  });
  return {
    severities: means.map((_, severity) => String(severity + 1)),
    people: Array.from({ length: count }, (_, person) => bySeverity.map(({ ratings }) => ratings[person]!)),
    averages: bySeverity.map(({ sum }) => sum / count),
    spreads: bySeverity.map(({ ratings, sum }) =>
      Math.sqrt(total(ratings.map((rating) => (rating - sum / count) ** 2)) / (count - 1)),
    ),
  };
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
