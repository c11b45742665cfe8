import type { Estimate, Finding, Table } from '../../model/finding.ts';

/**
 * A finding in which every number that rests on words says what made them: sizes (`n.normalizer`), notes of tables, and axes of charts.
 * As it came where the study names no normalizer.
 */
export function withNormalizer(finding: Finding): Finding {
  const { normalizer } = finding.settings;
  if (typeof normalizer !== 'object' || normalizer === null || !('name' in normalizer)) return finding;
  const label = [normalizer.name, normalizer.version].filter((part) => part !== undefined).join(' ');
  return labelled(finding, label) as Finding;
}

function labelled(value: unknown, label: string): unknown {
  if (Array.isArray(value)) return value.map((item) => labelled(item, label));
  if (typeof value !== 'object' || value === null) return value;
  if (restsOnWords(value)) return { ...value, n: { ...value.n, normalizer: label } };
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, labelled(member, label)]));
  if ('rows' in members && 'columns' in members && (value as Table).rows.some(holdsWords)) {
    const note = `Words: normalizer ${label}.`;
    return { ...members, note: typeof members.note === 'string' ? `${members.note} ${note}` : note };
  }
  if ('yLabel' in members && 'series' in members && holdsWords(value)) {
    return { ...members, yLabel: `${members.yLabel} (${label})` };
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
