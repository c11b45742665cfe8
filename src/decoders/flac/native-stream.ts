import { DamagedFlac } from '../../audio/flac/damaged-flac.ts';

/** Before the native stream, the first packet of FLAC in Ogg has a mark, a version and a count: 9 bytes. */
const mappingHeaderBytes = 9;

/**
 * The native FLAC stream inside of an Ogg file: all packets of its first logical stream, one behind the other (RFC 9639,
 * section 10.1). The pages must have been proved.
 *
 * @throws DamagedFlac where a second FLAC stream follows or runs beside the first
 */
export function nativeStream(ogg: Uint8Array): Uint8Array {
  const view = new DataView(ogg.buffer, ogg.byteOffset, ogg.byteLength);
  const native = new Uint8Array(ogg.length);
  const serial = view.getUint32(14, true);
  let length = 0;
  for (let start = 0; start + 27 <= ogg.length && view.getUint32(start) === 0x4f676753; ) {
    const segments = ogg[start + 26]!;
    let bodyBytes = 0;
    for (let segment = 0; segment < segments; segment++) bodyBytes += ogg[start + 27 + segment]!;
    const bodyAt = start + 27 + segments;
    const body = ogg.subarray(bodyAt, bodyAt + bodyBytes);
    if (view.getUint32(start + 14, true) === serial) {
      const part = start === 0 ? body.subarray(mappingHeaderBytes) : body;
      native.set(part, length);
      length += part.length;
    } else if (body[0] === 0x7f && body[1] === 0x46) {
      throw new DamagedFlac('there is more than one FLAC stream in it');
    }
    start = bodyAt + bodyBytes;
  }
  return native.subarray(0, length);
}
