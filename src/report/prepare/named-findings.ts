import { type Estimate, type Finding, findingNames, type Table } from '../../model/finding.ts';

/** A finding as a report has it, whose name is its alone. */
export type NamedFinding = Finding & { readonly name: string };

/**
 * Findings as a report shows them: every rate names its normalizer, and each finding has a name of its own, the one that was given or
 * else the study's, numbered where several have the same. A name stands in the headings where it was given, or where headings are alike
 * without it.
 *
 * @param given by finding; undefined where there is none
 * @param conditionNames what people call the conditions of the run
 * @example namedFindings([robustness, robustness], []).map(({ name }) => name) // ['robustness', 'robustness-2']
 */
export function namedFindings(
  findings: readonly Finding[],
  given: readonly (string | undefined)[],
  conditionNames?: Finding['conditionNames'],
): NamedFinding[] {
  const names = findingNames(
    findings.map(({ study }) => study.name),
    given,
  );
  return findings.map((finding, place) => {
    const { title } = finding;
    const name = names[place]!;
    const told =
      given[place] !== undefined || findings.some((other, index) => index !== place && other.title === title);
    const shown = withNormalizer(finding);
    const sections = shown.sections.map((section) =>
      findings.some((other, index) => index !== place && other.sections.some((one) => one.title === section.title))
        ? { ...section, title: `${section.title} (${name})` }
        : section,
    );
    return {
      ...(conditionNames && { conditionNames }),
      ...shown,
      name,
      title: told ? `${title} (${name})` : title,
      sections,
    };
  });
}

/**
 * A finding in which every number that rests on words says what made them: sizes (`n.normalizer`), notes of tables, and axes of charts.
 * As it came where the study names no normalizer.
 */
function withNormalizer(finding: Finding): Finding {
  const { normalizer } = finding.settings;
  if (typeof normalizer !== 'object' || normalizer === null || !('name' in normalizer)) return finding;
  const { name, used } = normalizer as { readonly name: string; readonly used?: readonly string[] };
  return labelled(finding, used === undefined ? name : `${name}: ${used.join(', ')}`) as Finding;
}

function labelled(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => labelled(item, name));
  if (typeof value !== 'object' || value === null) return value;
  if (restsOnWords(value)) return { ...value, n: { ...value.n, normalizer: name } };
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, labelled(member, name)]));
  if ('rows' in members && 'columns' in members && (value as Table).rows.some(holdsWords)) {
    const note = `Words: normalizer ${name}.`;
    return { ...members, note: typeof members.note === 'string' ? `${members.note} ${note}` : note };
  }
  if ('yLabel' in members && 'series' in members && holdsWords(value)) {
    return { ...members, yLabel: `${members.yLabel} (normalizer ${name})` };
  }
  return members;
}

function restsOnWords(value: object): value is Estimate {
  const { n, method } = value as Partial<Estimate>;
  return method !== undefined && n?.words !== undefined;
}

function holdsWords(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return restsOnWords(value) || Object.values(value).some(holdsWords);
}
