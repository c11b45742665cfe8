const crc8Table = Uint8Array.from({ length: 256 }, (_, index) => shifted(index, 8, 0x07));
const crc16Table = Uint16Array.from({ length: 256 }, (_, index) => shifted(index, 16, 0x8005));

function shifted(index: number, width: number, polynomial: number): number {
  let value = index << (width - 8);
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ ((value >> (width - 1)) & 1 ? polynomial : 0);
  return value & (2 ** width - 1);
}

/** The checksum of a frame's header (RFC 9639, section 9.1.8): polynomial 07, nothing reflected or inverted. */
export function crc8(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = crc8Table[crc ^ bytes[at]!]!;
  return crc;
}

/** The checksum of a whole frame (RFC 9639, section 9.3): polynomial 8005, nothing reflected or inverted. */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = ((crc << 8) & 0xffff) ^ crc16Table[(crc >> 8) ^ bytes[at]!]!;
  return crc;
}
