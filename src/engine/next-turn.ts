/**
 * Lets the event loop turn once. A loop over what is in memory waits for nothing, so without this nobody could stop it,
 * and timers, messages and finalizers would wait until its end.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
