/** A name in a sentence; names from recordings' lists may be pages long. */
export function named(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name;
}

/**
 * Names in a sentence, the first few of them.
 *
 * @example listed(['a', 'b', 'c']) // 'a, b and c'
 */
export function listed(names: readonly string[], most = 6): string {
  const shown = names.slice(0, most).map(named);
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** A count with its noun: `1 trial`, `12 trials`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** A share as percent with one decimal: `3.2 %`. */
export function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
