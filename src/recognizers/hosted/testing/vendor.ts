/** A question as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly form: FormData | null;
}

/** A word of the answer, in seconds. */
interface SpokenWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What the vendor heard, to be written as it writes it. */
export interface Spoken {
  readonly text: string;
  readonly words: readonly SpokenWord[];
  readonly seconds: number;
}

/** A text that is spoken evenly over so many seconds. */
export function spokenOf(text: string, seconds: number): Spoken {
  const parts = text.split(' ').filter((part) => part !== '');
  const step = seconds / Math.max(1, parts.length);
  // Milliseconds are what the coarsest of the vendors writes.
  const at = (index: number) => Math.floor(index * step * 1000) / 1000;
  return { text, seconds, words: parts.map((part, index) => ({ text: part, start: at(index), end: at(index + 1) })) };
}

/** What a question asks: the sound, and what the vendor was told. */
export interface Told {
  readonly sound: Buffer;
  readonly language: string | null;
  readonly model: string | null;
}

/** A vendor's side of a call, by the letter of its description. */
export interface Vendor {
  /** The header that carries the key, as the vendor's page shows it. */
  readonly authorization: (key: string) => readonly [string, string];
  /** The question of a one-call service. */
  told?(request: WireRequest): Promise<Told | null>;
  answer?(spoken: Spoken): string;
  /** Routes of a service of jobs. */
  readonly jobs?: JobVendor;
  /** In place of both, for one whose calls are of another kind. */
  serve?(request: WireRequest, state: VendorState): Promise<VendorAnswer>;
  /** How it says that the key is wrong. */
  readonly error: (status: number, message: string) => string;
}

export interface VendorAnswer {
  readonly status: number;
  readonly body: string;
  /** JSON if absent. */
  readonly type?: string;
}

interface VendorJob {
  readonly id: string;
  readonly spoken: Spoken;
}

/** What a server knows, for a vendor that answers by itself. */
export interface VendorState {
  readonly key: string;
  readonly jobs: readonly VendorJob[];
  submit(id: string, sound: Buffer, language: string | null, model: string | null): Promise<void>;
  /** Counts one more question about it. */
  progress(job: VendorJob): 'waiting' | 'done' | 'failed';
}

interface JobVendor {
  readonly uploadPath?: string;
  uploaded?(url: string): string;
  readonly submitPath: string;
  submitted(
    request: WireRequest,
  ): Promise<{ sound: Buffer | string; mark: string; language: string | null; model: string | null }>;
  created(id: string): string;
  listed(jobs: readonly { readonly id: string; readonly mark: string }[]): string;
  status(id: string, state: 'waiting' | 'done' | 'failed', spoken: Spoken | null): string;
  readonly resultPath?: (id: string) => string;
  result?(spoken: Spoken, id: string): string;
}
