import { createReadStream } from 'node:fs';

/** `external_data` of a TensorProto: entries of key and value; the key is `location`, then the value's tag. */
const locationEntry = Buffer.from('\x0a\x08location\x12', 'latin1');
const longestPath = 4096;
const lengthBytes = 2;

/**
 * Names of the files beside a graph in which it keeps its weights (ONNX, "External Data": onnx.proto, `TensorProto`), in
 * alphabetical order. They decide the vectors as much as the graph does. Read in pieces, since graphs may have gigabytes.
 */
export async function externalDataFiles(graph: string): Promise<string[]> {
  const names = new Set<string>();
  let rest = Buffer.alloc(0);
  for await (const piece of createReadStream(graph, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, piece as Buffer]);
    const whole = bytes.length - (locationEntry.length + lengthBytes + longestPath);
    for (let at = bytes.indexOf(locationEntry); at !== -1 && at <= whole; at = bytes.indexOf(locationEntry, at + 1)) {
      addName(names, bytes, at + locationEntry.length);
    }
    rest = bytes.subarray(Math.max(0, whole + 1));
  }
  for (let at = rest.indexOf(locationEntry); at !== -1; at = rest.indexOf(locationEntry, at + 1)) {
    addName(names, rest, at + locationEntry.length);
  }
  return [...names].sort();
}

/** A text of protocol buffers: its length as a varint (here of at most two bytes), then UTF-8. */
function addName(names: Set<string>, bytes: Buffer, at: number): void {
  const first = bytes[at] ?? 0;
  const long = first >= 0x80;
  const length = long ? (first & 0x7f) | ((bytes[at + 1] ?? 0) << 7) : first;
  const start = at + (long ? 2 : 1);
  if (length > 0 && length <= longestPath) names.add(bytes.toString('utf8', start, start + length));
}
