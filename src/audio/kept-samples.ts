/**
 * A function that remembers what it made for the arguments used last.
 *
 * @param count results kept
 * @param keyOf a text for each argument that stands for another result
 */
export function keepRecent<Argument, Result>(
  count: number,
  keyOf: (argument: Argument) => string,
  make: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const kept = new Map<string, Result>();
  return (argument) => {
    const key = keyOf(argument);
    const result = kept.has(key) ? (kept.get(key) as Result) : make(argument);
    kept.delete(key);
    kept.set(key, result);
    for (const oldest of kept.keys()) {
      if (kept.size <= count) break;
      kept.delete(oldest);
    }
    return result;
  };
}

/**
 * Gives back the memory of samples that nobody will look at again, at once. The garbage collector would do it too, but only
 * after 64 MB of them: memory that was used a moment ago is still in the processor's caches, other memory is not, which costs
 * more than most effects do (`design/perturbations.md`). The array is empty from then on. Samples that are a part of some
 * larger memory, or lie in WebAssembly's, are left alone.
 *
 * @example releaseSamples(stretched)
 */
export function releaseSamples({ buffer, byteLength }: Float32Array | Float64Array | Int16Array): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.detached || buffer.byteLength !== byteLength) return;
  try {
    buffer.transfer(0);
  } catch {
    // WebAssembly's memory, which says so in no other way.
  }
}
