import { crc32 } from 'node:zlib';

/** A message of AWS' event stream. */
export interface AwsEvent {
  /** Those whose values are texts; the names begin with a colon where they are AWS' own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Uint8Array;
}

/** Two lengths and their checksum, before the headers; the checksum of all stands after the payload. */
const preludeBytes = 12;
const checksumBytes = 4;
const text = 7;

/**
 * A message as AWS' event stream carries it (docs.aws.amazon.com/transcribe/latest/dg/event-stream.html, "Event stream encoding"): lengths,
 * their CRC-32, headers, payload, the CRC-32 of all before it; numbers with their highest byte first.
 *
 * @param headers names of 255 bytes at most, values of 32,767
 * @example writeAwsEvent({ ':message-type': 'event', ':event-type': 'AudioEvent' }, samples)
 */
export function writeAwsEvent(headers: AwsEvent['headers'], payload: Uint8Array): Uint8Array {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const [named, said] = [Buffer.from(name), Buffer.from(value)];
      const length = Buffer.alloc(2);
      length.writeUInt16BE(said.length);
      return Buffer.concat([Buffer.of(named.length), named, Buffer.of(text), length, said]);
    }),
  );
  const message = Buffer.alloc(preludeBytes + head.length + payload.length + checksumBytes);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(head.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  message.set(head, preludeBytes);
  message.set(payload, preludeBytes + head.length);
  message.writeUInt32BE(crc32(message.subarray(0, -checksumBytes)), message.length - checksumBytes);
  return message;
}

/**
 * Reads what `writeAwsEvent` writes, and headers of all other types too.
 *
 * @returns null where it is no whole message: lengths or checksums are wrong, a header is cut or of no known type
 */
export function readAwsEvent(bytes: Uint8Array): AwsEvent | null {
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (message.length < preludeBytes + checksumBytes || message.readUInt32BE(0) !== message.length) return null;
  const payloadAt = preludeBytes + message.readUInt32BE(4);
  const end = message.length - checksumBytes;
  if (payloadAt > end || message.readUInt32BE(8) !== crc32(message.subarray(0, 8))) return null;
  if (message.readUInt32BE(end) !== crc32(message.subarray(0, end))) return null;
  const headers = headersIn(message.subarray(preludeBytes, payloadAt));
  return headers === null ? null : { headers, payload: message.subarray(payloadAt, end) };
}

/** Bytes of values by their types: true, false, 8, 16, 32 and 64 bits, bytes, text, a moment, a UUID. */
const sizes: readonly (number | 'its own')[] = [0, 0, 1, 2, 4, 8, 'its own', 'its own', 8, 16];

function headersIn(bytes: Buffer): Record<string, string> | null {
  const headers: Record<string, string> = {};
  let at = 0;
  const next = (length: number): Buffer | null => {
    if (at + length > bytes.length) return null;
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const name = next(next(1)![0]!);
    const type = next(1)?.[0];
    const known = type === undefined ? undefined : sizes[type];
    if (name === null || known === undefined) return null;
    const size = known === 'its own' ? next(2)?.readUInt16BE() : known;
    const value = size === undefined ? null : next(size);
    if (value === null) return null;
    if (type === text) headers[name.toString()] = value.toString();
  }
  return headers;
}
