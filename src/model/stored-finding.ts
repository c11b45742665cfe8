/**
 * A finding as a study of somebody's own gives it, in the form that findings have: without what stands beside its tables (`data`, `plain`), in which
 * nothing hides or forgets names; reasons that are sentences as reasons of code `text`.
 *
 * @example JSON.parse(json).map(storedFinding)
 */
export function storedFinding<
  Kept extends { readonly study?: unknown; readonly data?: unknown; readonly plain?: unknown },
>({ data: _, plain: __, ...kept }: Kept): Omit<Kept, 'data' | 'plain'> {
  return presentValue(kept) as typeof kept;
}

function presentValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(presentValue);
  if (typeof value !== 'object' || value === null) return value;
  const present: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, presentValue(member)]),
  );
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
