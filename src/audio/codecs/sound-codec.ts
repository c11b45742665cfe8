import type { JsonObject } from '../../base/json.ts';
import type { Clip } from '../clip.ts';

/** What Opus is told to do. */
export interface OpusSettings {
  readonly kilobitsPerSecond: number;
  /** Tuned for speech on calls, or for anything. */
  readonly application: 'voip' | 'audio';
  /** Length of a packet: 0.01, 0.02, 0.04 or 0.06 s. */
  readonly frameSeconds: number;
  /** For so many packets, not 0 where one never arrives and the decoder has to conceal it; null where all arrive. */
  readonly lose: ((packets: number) => Uint8Array) | null;
}

/** What an MP3 encoder is told to do. */
export interface Mp3Settings {
  /** A constant rate. */
  readonly kilobitsPerSecond: number;
}

/** A sound that went through a codec. */
export interface CodedSound {
  /** As many samples as were given, at the same rate: the delay is taken away. */
  readonly samples: Float32Array;
  /** What was sent or written. */
  readonly encodedBytes: number;
  /** What was taken away at the beginning, in samples. */
  readonly delaySamples: number;
}

/** An encoder and a decoder that are not pure code, there and back. */
export interface SoundCodec<Settings> {
  /** Packages and versions: part of every key. */
  readonly identity: JsonObject;
  /** The clip has a rate that the codec knows, at least one sample, and none beyond full scale. */
  code(clip: Clip, settings: Settings): CodedSound | Promise<CodedSound>;
}

/** Codecs by name. */
export interface SoundCodecs {
  /** Rates: 8000, 12000, 16000, 24000 and 48000 Hz. */
  readonly opus: SoundCodec<OpusSettings>;
  /** Rates: 8000, 11025, 12000, 16000, 22050 and 24000 Hz. */
  readonly mp3: SoundCodec<Mp3Settings>;
  /** The same by the program of that name. */
  readonly lame: SoundCodec<Mp3Settings>;
}
