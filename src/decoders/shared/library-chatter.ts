import { format } from 'node:util';

const libraries = /^(@wasm-audio-decoders\/|mpg123-decoder|ogg-opus-decoder|opus-decoder|codec-parser)/;
let listening = 0;
let original: typeof console.error | null = null;
let originalWarn: typeof console.warn | null = null;

/**
 * Runs something while what the decoder libraries print about damaged files is dropped: it comes back as an error, in one
 * sentence. Anything that others print meanwhile is passed on.
 */
export async function withoutLibraryChatter<Result>(action: () => Promise<Result>): Promise<Result> {
  if (listening++ === 0) {
    original = console.error;
    originalWarn = console.warn;
    console.error = passOn(original);
    console.warn = passOn(originalWarn);
  }
  try {
    return await action();
  } finally {
    if (--listening === 0 && original && originalWarn) {
      console.error = original;
      console.warn = originalWarn;
    }
  }
}

function passOn(print: (...values: unknown[]) => void) {
  return (...values: unknown[]) => {
    if (!libraries.test(format(...values))) print(...values);
  };
}
