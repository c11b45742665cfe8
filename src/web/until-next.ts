const everyMs = 1000;

/** A second, or until nobody listens any more. */
export function untilNext(ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, everyMs);
    ended.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}
