import type { Estimate, Finding, Table } from '../../model/finding.ts';

/**
 * A finding in which every number that rests on words says what made them: sizes (`n.normalizer`), notes of tables, and axes of charts.
 * As it came where the study names no normalizer.
 */
export function withNormalizer(finding: Finding): Finding {
  const { normalizer } = finding.settings;
  if (typeof normalizer !== 'object' || normalizer === null || !('name' in normalizer)) return finding;
  return labelled(finding, String(normalizer.name)) as Finding;
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
