/** A field: whole numbers are varints, floats have four bytes, all else has its length. */
export type Field = readonly [number: number, value: number | string | Uint8Array | { readonly float: number }];

/** A message of protocol buffers, as ONNX files are made of. */
export function message(...fields: readonly Field[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (typeof value === 'number') parts.push(varint(number << 3), varint(value));
    else if (typeof value === 'object' && 'float' in value) {
      parts.push(varint((number << 3) | 5), new Uint8Array(Float32Array.of(value.float).buffer));
    } else {
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      parts.push(varint((number << 3) | 2), varint(bytes.length), bytes);
    }
  }
  return Buffer.concat(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}
