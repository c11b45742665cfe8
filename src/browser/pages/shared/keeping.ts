/** What the server answers to something that it is to keep. */
export interface Reply {
  readonly ok: boolean;
  readonly status: number;
  /** Where to go on. */
  readonly next?: string;
  readonly problem?: string;
}

/**
 * Sends something to be kept.
 *
 * @throws where the server cannot be reached
 */
export async function putTo<More>(address: string, type: string, body: BodyInit): Promise<Reply & Partial<More>> {
  const answer = await fetch(address, { method: 'PUT', headers: { 'content-type': type }, body });
  return { ok: answer.ok, status: answer.status, ...(await answer.json().catch(() => ({}))) };
}

/** The same of a value as JSON. */
export function putJson<More = unknown>(address: string, value: unknown): Promise<Reply & Partial<More>> {
  return putTo(address, 'application/json', JSON.stringify(value));
}

/** What this browser keeps by a name; null: nothing, or it may keep nothing. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps it where it may; null: not any more. */
export function keep(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Storage may be switched off, or full.
  }
}
