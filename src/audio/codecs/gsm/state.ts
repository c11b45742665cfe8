/** Samples of a frame, 20 ms at 8 kHz. */
export const frameLength = 160;
/** Samples of a part with its own long-term predictor and pulses. */
export const subframeLength = 40;
/** How far back the long-term predictor looks, in samples. */
export const longestLag = 120;

/** What encoder and decoder remember between frames. The decoder's own copy of the excitation equals the encoder's. */
export interface GsmState {
  /** Offset compensation. */
  lastInput: number;
  offset: number;
  /** Pre-emphasis and de-emphasis. */
  lastCompensated: number;
  lastDeemphasized: number;
  /** Decoded log-area ratios of the frame before. */
  readonly lastLogAreaRatios: Int32Array;
  /** Lattices of the short-term filters, 8 for analysis and 9 for synthesis. */
  readonly analysis: Int32Array;
  readonly synthesis: Int32Array;
  /** 120 reconstructed values of the past, then those of this frame. */
  readonly excitation: Int32Array;
}

export function createGsmState(): GsmState {
  return {
    lastInput: 0,
    offset: 0,
    lastCompensated: 0,
    lastDeemphasized: 0,
    lastLogAreaRatios: new Int32Array(8),
    analysis: new Int32Array(8),
    synthesis: new Int32Array(9),
    excitation: new Int32Array(longestLag + frameLength),
  };
}
