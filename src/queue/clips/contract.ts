/** Where audio lies between a run and its workers: anything that keeps bytes by a name. */
export interface ClipPlace {
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** @returns null where there is nothing of that name */
  get(name: string): Promise<Uint8Array | null>;
  /** Nothing happens where there is nothing of that name. */
  remove(name: string): Promise<void>;
}
