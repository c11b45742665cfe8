import type { Binding, Pointer } from './binding.ts';

/** A stretch of the library's memory with what stood in it when the decoder was new. */
export interface RememberedMemory {
  readonly live: Uint8Array;
  readonly fresh: Uint8Array;
}

/** Remembers a stretch of the library's memory as it is now. It must not be used once the library has freed it. */
export function rememberMemory({ koffi }: Binding, address: Pointer, bytes: number): RememberedMemory {
  const live = new Uint8Array(koffi.view(address, bytes));
  return { live, fresh: Uint8Array.from(live) };
}
