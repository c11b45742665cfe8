/** What the script of a run under way is told, once a second. */
export interface ToldProgress {
  readonly planned: number;
  readonly done: number;
  /** By the name of the attribute that marks where it stands: `done`, `left`, … */
  readonly texts: Readonly<Record<string, string>>;
  /** Of the tables in its box, one row behind the other. */
  readonly cells?: readonly string[];
}

/** From times of the changed audio to those of the clean clip, both rising; null: they are the same. */
export type TimeMap = readonly (readonly [changed: number, clean: number])[] | null;

/** What the player is told of one clip. */
export interface ToldClip {
  readonly label: string;
  /** How long it is, in words. */
  readonly seconds: string;
  /** Root mean square, 1 at full scale. */
  readonly rms: number;
  readonly maxHz: number;
}

/** What the player is told of a clip before and after, besides the samples. */
export interface ToldClips<Clip = ToldClip> {
  readonly clips: readonly Clip[];
  readonly timeMap: TimeMap;
  /** What each step measured. */
  readonly facts: readonly {
    readonly step: string;
    readonly facts: readonly (readonly [name: string, value: string])[];
  }[];
  readonly note: string;
}

/** Where the samples and the picture of a clip are asked for. */
export type AddressedClip = ToldClip & { readonly wav: string; readonly picture: string };

/** Where the player has its clips from, by the addresses that the page gives. */
export interface ClipSource {
  told(address: string): Promise<ToldClips<AddressedClip> | { readonly problem: string }>;
  bytes(address: string): Promise<ArrayBuffer>;
}

declare global {
  /** In a folder: what its scripts put there, for the player. */
  var earwitness: (ClipSource & { put(name: string, value: unknown): void }) | undefined;
}
