/** Members that every reader of findings needs, by the name that earlier versions gave them, with the name that they have now. */
const renamedMembers: Readonly<Record<string, string>> = {
  leastPValue: 'minPValue',
  leastQuestions: 'minTrials',
  mostQuestions: 'maxTrials',
};

/**
 * A finding as an earlier version kept it, or as a study of somebody's own gives it, in the form that findings have now: without what stood beside its
 * tables and was the same again (`data`, `plain`), in which nothing hides or forgets names; members by their names of now; reasons that were
 * sentences as reasons of code `text`.
 *
 * @example JSON.parse(json).map(storedFinding)
 */
export function storedFinding<
  Kept extends { readonly study?: unknown; readonly data?: unknown; readonly plain?: unknown },
>({ data: _, plain: __, ...kept }: Kept): Omit<Kept, 'data' | 'plain'> {
  return presentValue(kept) as typeof kept;
}

function presentValue(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('clusters (speakers)', 'speakers');
  if (Array.isArray(value)) return value.map(presentValue);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    Object.hasOwn(renamedMembers, name) ? renamedMembers[name]! : name,
    presentValue(member),
  ]);
  const present: Record<string, unknown> = Object.fromEntries(members);
  const { reason, open } = present;
  const saysWhy = ('level' in present && 'method' in present) || ('difference' in present && 'test' in present);
  if (saysWhy && typeof reason === 'string') present.reason = { code: 'text', text: reason };
  if (typeof open === 'object' && open !== null && !('reason' in open)) {
    const { more, unit, text } = open as Record<string, unknown>;
    if (text === undefined) delete present.open;
    else present.open = { reason: { code: 'text', text }, more, unit };
  }
  return present;
}
