import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { badInput, EarwitnessError, fileProblem, messageOf } from '../../base/errors.ts';
import { jsonProblem } from '../../base/foreign-data.ts';
import { printable } from '../../base/printable.ts';
import { type BundleLine, type BundlePart, bundleFormat, lineShapes, type Seal, sealShape } from './bundle-line.ts';

/** What a bundle may ask of the machine that reads it. */
const maxLineBytes = 96 * 1024 * 1024;
/** JSON of this kind is compressed about ten times; what is compressed more is made to fill a disk or a memory. */
const maxExpansion = 200;
const alwaysAllowedBytes = 64 * 1024 * 1024;

/** A line with its text, as it was hashed. */
export type ReadLine =
  | { readonly part: BundlePart; readonly text: string; readonly line: BundleLine }
  | { readonly part: 'seal'; readonly text: string; readonly line: Seal };

/**
 * The lines of a bundle, checked one by one, the seal last.
 *
 * @throws EarwitnessError `bad-input` where the file is no bundle, damaged, cut off, of a newer form, or made to overwhelm
 */
export async function* readBundle(file: string): AsyncGenerator<ReadLine> {
  const shown = printable(file, 300);
  const refuse = (problem: string, cause?: unknown) => badInput(`${shown}: ${problem}`, { cause });
  let number = 0;
  let sealed = false;
  for await (const text of textLines(file, refuse)) {
    number++;
    if (sealed) throw refuse(`line ${number}: expected nothing after the seal; something was added to this bundle`);
    const read = parseLine(text, number, refuse);
    sealed = read.part === 'seal';
    yield read;
  }
  if (number === 0) throw refuse('expected an evidence bundle, but it is empty; get it again');
  if (!sealed) throw refuse(`it ends after line ${number} without a seal: the bundle was cut off; get it again`);
}

type Refuse = (problem: string, cause?: unknown) => EarwitnessError;

function parseLine(text: string, number: number, refuse: Refuse): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (number === 1) throw foreign(refuse, error);
    throw refuse(`line ${number}: expected JSON, but ${printable(messageOf(error), 150)}`, error);
  }
  const unfit = jsonProblem(value, () => null);
  if (unfit !== null) throw refuse(`line ${number}: expected a part of a bundle, but ${unfit}; it is no bundle`);
  const part = typeof value === 'object' && value !== null && 'part' in value ? String(value.part) : '';
  if (number === 1) checkHeader(value, part, refuse);
  const shape: z.ZodType | undefined =
    part === 'seal' ? sealShape : Object.hasOwn(lineShapes, part) ? lineShapes[part as BundlePart] : undefined;
  if (shape === undefined) {
    throw refuse(`line ${number}: expected a part of a bundle, but got ${JSON.stringify(printable(part, 60))}`);
  }
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.length ? `${issue.path.map(String).join('.')}: ` : '';
    throw refuse(`line ${number} (${part}): ${printable(`${where}${issue?.message ?? 'wrong'}`, 200)}`);
  }
  return { part, text, line: parsed.data } as ReadLine;
}

function checkHeader(value: unknown, part: string, refuse: Refuse): void {
  if (part !== 'header' || (value as { evidence?: unknown }).evidence !== 'earwitness') throw foreign(refuse);
  const { format } = value as { format?: unknown };
  if (typeof format === 'number' && format > bundleFormat) {
    throw refuse(
      `expected a bundle of format ${bundleFormat} or older, but it has format ${format}, made by a newer earwitness; update earwitness (npm install earwitness@latest)`,
    );
  }
}

function foreign(refuse: Refuse, cause?: unknown): EarwitnessError {
  return refuse('expected an evidence bundle, but this is none; `earwitness bundle` makes them', cause);
}

/** Lines of a compressed file, or of one that was unpacked already. */
async function* textLines(file: string, refuse: Refuse): AsyncGenerator<string> {
  const { size, compressed } = await begin(file, refuse);
  const most = compressed ? alwaysAllowedBytes + maxExpansion * size : Number.POSITIVE_INFINITY;
  const source = createReadStream(file);
  const gunzip = createGunzip();
  const bytes = compressed ? source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip) : source;
  let total = 0;
  let ended = 0;
  let pieces: Buffer[] = [];
  let waiting = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > most)
        throw refuse(`expected a bundle, but its ${size} bytes unpack to more than ${most}; it may be malicious`);
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        pieces.push(chunk.subarray(from, end));
        ended++;
        yield decode(pieces, refuse);
        pieces = [];
        waiting = 0;
        from = end + 1;
      }
      if (from === chunk.length) continue;
      pieces.push(chunk.subarray(from));
      waiting += chunk.length - from;
      if (waiting > maxLineBytes) throw refuse('expected lines of at most 96 MB, but one is longer; it is no bundle');
    }
  } catch (error) {
    if (error instanceof EarwitnessError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'Z_BUF_ERROR') throw refuse('it ends in the middle: the bundle was cut off; get it again', error);
    if (code.startsWith('Z_')) {
      throw refuse(`it is damaged: it cannot be unpacked (${messageOf(error)}); get it again`, error);
    }
    throw refuse(`it cannot be read (${fileProblem(error)})`, error);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
  if (waiting > 0 && ended === 0) throw foreign(refuse);
  if (waiting > 0) throw refuse('it ends in the middle of a line: the bundle was cut off; get it again');
}

async function begin(file: string, refuse: Refuse): Promise<{ readonly size: number; readonly compressed: boolean }> {
  try {
    await using handle = await open(file);
    const start = Buffer.alloc(2);
    await handle.read(start, 0, 2, 0);
    return { size: (await handle.stat()).size, compressed: start[0] === 0x1f && start[1] === 0x8b };
  } catch (error) {
    throw refuse(`it cannot be read (${fileProblem(error)}); correct the path`, error);
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(pieces: readonly Buffer[], refuse: Refuse): string {
  try {
    return strictUtf8.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
  } catch (error) {
    throw refuse('expected text in UTF-8, but it has other bytes; it is no bundle, or damaged', error);
  }
}
