import { BitReader, crc8, crc16, DamagedFlac, type StreamInfo } from './bit-reader.ts';

/** One decoded frame. */
export interface Frame {
  readonly channels: readonly Samples[];
  /** Samples of each channel. */
  readonly blockSize: number;
  /** Where the next frame begins, in bytes. */
  readonly end: number;
}

/**
 * Decodes the frame that begins at a byte of a stream (RFC 9639, section 9), and proves both of its checksums.
 *
 * @throws DamagedFlac where there is none, it is damaged, or differs from the stream's rate, channels or depth
 */
export function readFrame(bytes: Uint8Array, start: number, stream: StreamInfo): Frame {
  const reader = new BitReader(bytes, start);
  const { blockSize, sampleRate, channels, bitsPerSample, stereo } = readFrameHeader(reader, stream);
  refuseChange('sample rate', stream.sampleRate, sampleRate);
  refuseChange('number of channels', stream.channels, channels);
  refuseChange('depth in bits', stream.bitsPerSample, bitsPerSample);
  const side = stereo === null ? -1 : stereo === 'right-side' ? 0 : 1;
  const decoded = Array.from({ length: channels }, (_, channel) => {
    const samples = roomFor(blockSize, bitsPerSample);
    readSubframe(reader, bitsPerSample + (channel === side ? 1 : 0), samples);
    return samples;
  });
  const checksumAt = reader.alignedByte();
  if (reader.unsigned(16) !== crc16(bytes, start, checksumAt)) {
    throw new DamagedFlac('the checksum of a frame does not agree');
  }
  if (stereo !== null) restoreStereo(decoded[0]!, decoded[1]!, stereo);
  return { channels: decoded, blockSize, end: checksumAt + 2 };
}

/** Turns two channels into left and right, in place (RFC 9639, section 4.2). */
function restoreStereo(first: Samples, second: Samples, stereo: Stereo): void {
  for (let n = 0; n < first.length; n++) {
    const one = first[n]!;
    const other = second[n]!;
    if (stereo === 'left-side') second[n] = one - other;
    else if (stereo === 'right-side') first[n] = one + other;
    else {
      // The middle lost its last bit, which is the difference's as well.
      const sum = 2 * one + (other & 1);
      first[n] = (sum + other) / 2;
      second[n] = (sum - other) / 2;
    }
  }
}

function refuseChange(what: string, before: number, now: number): void {
  if (before !== now) throw new DamagedFlac(`its ${what} changes from ${before} to ${now}`);
}

/**
 * Reads one channel of a frame into `into` (RFC 9639, section 9.2).
 *
 * @param frameBits bits of a sample, one more for the difference of two channels
 * @throws DamagedFlac where it makes no sense
 */
function readSubframe(reader: BitReader, frameBits: number, into: Samples): void {
  const kind = reader.unsigned(7);
  const wasted = reader.unsigned(1) ? reader.unary() + 1 : 0;
  const bits = frameBits - wasted;
  if (bits < 1) throw new DamagedFlac('a frame wastes all of its bits');
  if (kind === 0) into.fill(reader.signed(bits));
  else if (kind === 1) readPlain(reader, bits, into, into.length);
  else if (kind >= 8 && kind <= 12) readFixed(reader, bits, kind - 8, into);
  else if (kind >= 32 && kind <= 63) readLinear(reader, bits, kind - 31, into);
  else throw new DamagedFlac('a subframe is of a reserved kind');
  if (wasted > 0) {
    const scale = 2 ** wasted;
    for (let n = 0; n < into.length; n++) into[n] = into[n]! * scale;
  }
}

function readPlain(reader: BitReader, bits: number, into: Samples, count: number): void {
  if (count > into.length) throw new DamagedFlac('a frame is shorter than its predictor');
  for (let n = 0; n < count; n++) into[n] = reader.signed(bits);
}

function readFixed(reader: BitReader, bits: number, order: number, into: Samples): void {
  readPlain(reader, bits, into, order);
  readResidual(reader, order, into);
  restoreFixed(into, order);
}

function readLinear(reader: BitReader, bits: number, order: number, into: Samples): void {
  readPlain(reader, bits, into, order);
  const precision = reader.unsigned(4) + 1;
  const shift = reader.signed(5);
  if (precision === 16 || shift < 0) throw new DamagedFlac('a predictor is of a reserved kind');
  const coefficients = Int32Array.from({ length: order }, () => reader.signed(precision));
  readResidual(reader, order, into);
  restoreLinear(into, coefficients, shift, bits + precision + Math.ceil(Math.log2(order)));
}

/** Coefficients of the fixed predictors of order 0 to 4, for the sample before first (RFC 9639, table 21). */
const fixedCoefficients: readonly (readonly number[])[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

/** Turns residuals behind `order` true samples into samples, in place (RFC 9639, section 9.2.5). */
function restoreFixed(samples: Samples, order: number): void {
  if (order > 0) restoreWide(samples, Int32Array.from(fixedCoefficients[order]!), 0);
}

/**
 * Turns residuals behind as many true samples as there are coefficients into samples, in place (RFC 9639, section 9.2.6).
 *
 * @param coefficients for the sample before first
 * @param largestBits bits that a sum of their products with samples may need, sign included
 */
function restoreLinear(samples: Samples, coefficients: Int32Array, shift: number, largestBits: number): void {
  if (largestBits <= 32 && samples instanceof Int32Array) restoreNarrow(samples, coefficients, shift);
  else restoreWide(samples, coefficients, shift);
}

function restoreNarrow(samples: Int32Array, coefficients: Int32Array, shift: number): void {
  const order = coefficients.length;
  for (let n = order; n < samples.length; n++) {
    let sum = 0;
    for (let k = 0; k < order; k++) sum = (sum + Math.imul(coefficients[k]!, samples[n - 1 - k]!)) | 0;
    samples[n] = samples[n]! + (sum >> shift);
  }
}

/** Sums of at most 32 products of 15 and 33 bits need 52: floats hold them, and their halves, exactly. */
function restoreWide(samples: Samples, coefficients: Int32Array, shift: number): void {
  const order = coefficients.length;
  const scale = 2 ** -shift;
  for (let n = order; n < samples.length; n++) {
    let sum = 0;
    for (let k = 0; k < order; k++) sum += coefficients[k]! * samples[n - 1 - k]!;
    samples[n] = samples[n]! + Math.floor(sum * scale);
  }
}

/**
 * Reads what a prediction left over into `into`, from the first predicted sample on (RFC 9639, section 9.2.7): Rice codes
 * in partitions with a parameter each.
 *
 * @throws DamagedFlac where it makes no sense
 */
function readResidual(reader: BitReader, order: number, into: Samples): void {
  const parameterBits = reader.unsigned(2) + 4;
  if (parameterBits > 5) throw new DamagedFlac('a residual is coded in a reserved way');
  const partitions = 1 << reader.unsigned(4);
  const partitionLength = into.length / partitions;
  if (!Number.isInteger(partitionLength) || partitionLength < order) {
    throw new DamagedFlac('a frame cannot be cut into its partitions');
  }
  const plainMark = 2 ** parameterBits - 1;
  for (let partition = 0; partition < partitions; partition++) {
    const from = partition === 0 ? order : partition * partitionLength;
    const to = (partition + 1) * partitionLength;
    const parameter = reader.unsigned(parameterBits);
    if (parameter === plainMark) {
      const width = reader.unsigned(5);
      for (let n = from; n < to; n++) into[n] = reader.signed(width);
    } else {
      readRice(reader, parameter, into, from, to);
    }
  }
}

/** Codes that lie within 25 bits are taken out of one look ahead; the others, and the last bytes, are read in steps. */
function readRice(reader: BitReader, parameter: number, into: Samples, from: number, to: number): void {
  const { bytes, start } = reader;
  const lastLook = bytes.length - 4;
  const longestRun = 24 - parameter;
  let bit = reader.bit;
  for (let n = from; n < to; n++) {
    const at = start + (bit >> 3);
    let folded: number;
    let run = 32;
    let ahead = 0;
    if (at <= lastLook) {
      ahead = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) << (bit & 7);
      run = Math.clz32(ahead);
    }
    if (run <= longestRun) {
      const rest = parameter === 0 ? 0 : (ahead << (run + 1)) >>> (32 - parameter);
      folded = (run << parameter) | rest;
      bit += run + 1 + parameter;
    } else {
      reader.bit = bit;
      folded = (reader.unary() << parameter) | reader.unsigned(parameter);
      bit = reader.bit;
    }
    into[n] = (folded >>> 1) ^ -(folded & 1);
  }
  reader.bit = bit;
}

type Stereo = 'left-side' | 'right-side' | 'mid-side';

interface FrameHeader {
  /** Samples of each channel in the frame. */
  readonly blockSize: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** How two channels were made of left and right, null where every channel stands for itself. */
  readonly stereo: Stereo | null;
}

// RFC 9639, tables 15, 16 and 17: what stands for itself; undefined is reserved, or read from elsewhere.
const sampleRates = [undefined, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000];
const depths = [undefined, 8, 12, undefined, 16, 20, 24, 32];
const stereos: readonly Stereo[] = ['left-side', 'right-side', 'mid-side'];

/** Whether a frame could begin here: 15 bits of mark. */
export function isFrameSync(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xff && (bytes[at + 1]! & 0xfe) === 0xf8;
}

/**
 * Reads the header of a frame (RFC 9639, section 9.1) and proves its checksum.
 *
 * @throws DamagedFlac where it is none
 */
function readFrameHeader(reader: BitReader, stream: StreamInfo): FrameHeader {
  if (!isFrameSync(reader.bytes, reader.start)) throw new DamagedFlac('there is no frame where one should begin');
  reader.unsigned(16);
  const blockCode = reader.unsigned(4);
  const rateCode = reader.unsigned(4);
  const channelCode = reader.unsigned(4);
  const depthCode = reader.unsigned(3);
  const reserved = reader.unsigned(1);
  passCodedNumber(reader);
  const blockSize = blockSizeOf(blockCode, reader);
  const sampleRate = rateCode === 0 ? stream.sampleRate : sampleRateOf(rateCode, reader);
  const headerEnd = reader.alignedByte();
  if (reader.unsigned(8) !== crc8(reader.bytes, reader.start, headerEnd)) {
    throw new DamagedFlac("the checksum of a frame's header does not agree");
  }
  const bitsPerSample = depthCode === 0 ? stream.bitsPerSample : depths[depthCode];
  if (!blockSize || !sampleRate || bitsPerSample === undefined || reserved || channelCode > 10) {
    throw new DamagedFlac('a frame is of a reserved kind');
  }
  const channels = channelCode < 8 ? channelCode + 1 : 2;
  return { blockSize, sampleRate, channels, bitsPerSample, stereo: stereos[channelCode - 8] ?? null };
}

/** The number of the frame or of its first sample, in the manner of UTF-8: leading ones count its bytes. */
function passCodedNumber(reader: BitReader): void {
  const leadingOnes = Math.clz32((~reader.unsigned(8) & 0xff) << 24);
  if (leadingOnes === 1 || leadingOnes > 7) throw new DamagedFlac('a frame has no number');
  for (let byte = 1; byte < leadingOnes; byte++) reader.unsigned(8);
}

function blockSizeOf(code: number, reader: BitReader): number | null {
  if (code === 0) return null;
  if (code === 1) return 192;
  if (code < 6) return 144 * 2 ** code;
  if (code === 6) return reader.unsigned(8) + 1;
  if (code === 7) return reader.unsigned(16) + 1;
  return 2 ** code;
}

function sampleRateOf(code: number, reader: BitReader): number | undefined {
  if (code === 12) return reader.unsigned(8) * 1000;
  if (code === 13) return reader.unsigned(16);
  if (code === 14) return reader.unsigned(16) * 10;
  return sampleRates[code];
}

/** Whole numbers of one channel. Those of more than 24 bits, whose differences need 33, are kept as exact floats. */
export type Samples = Int32Array | Float64Array;

/** Room for the samples of one channel. */
function roomFor(length: number, bitsPerSample: number): Samples {
  return bitsPerSample > 24 ? new Float64Array(length) : new Int32Array(length);
}
