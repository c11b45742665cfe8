import { checkedLayout, damaged, type PcmEncoding, type PcmLayout } from '../../audio/pcm.ts';
import { badInput } from '../../base/errors.ts';
import { beginnings, beginsAs } from '../../base/first-bytes.ts';
import { behindProblem, openProblem } from '../shared/container-end.ts';
import { pcmDecoder } from '../shared/pcm-decoder.ts';

/** Whether these first bytes are those of a NIST SPHERE file. */
export function isSphere(head: Uint8Array): boolean {
  return beginsAs(head, 'sphere');
}

/**
 * Finds the samples of a NIST SPHERE file (NIST SPeech HEader REsources 2.6, header format 1A).
 *
 * @param head the file's beginning, or all of it
 * @param totalBytes length of the file
 * @returns null where the header goes on behind `head`
 * @throws EarwitnessError `bad-input` for a header that is cut off or makes no sense, and for compressed SPHERE
 */
export function sphereLayout(head: Uint8Array, totalBytes: number, nameForErrors: string): PcmLayout | null {
  const dataOffset = Number(text(head, 8, 16).trim());
  if (!Number.isInteger(dataOffset) || dataOffset < 16) {
    const said = printable(text(head, 8, 16));
    throw damaged(nameForErrors, 'the length of the SPHERE header in its second line', `that says "${said}"`);
  }
  if (dataOffset > head.length && head.length < totalBytes) return null;
  const fields = readFields(text(head, 16, dataOffset));
  if (dataOffset > totalBytes || fields === null) {
    throw badInput(
      `${nameForErrors}: expected a SPHERE header of ${dataOffset} bytes that ends with end_head, but it does not; the file is cut off or damaged, make it again from its source`,
    );
  }
  const number = (name: string, otherwise?: number) => {
    const value = fields.has(name) ? Number(fields.get(name)) : otherwise;
    if (value === undefined || !Number.isInteger(value) || value < 0) {
      throw damaged(
        nameForErrors,
        `a number for ${name}`,
        `its header says ${printable(fields.get(name) ?? 'nothing')}`,
      );
    }
    return value;
  };
  const encoding = readEncoding(fields, number('sample_n_bytes', 2), nameForErrors);
  const channels = number('channel_count', 1);
  const width = encoding === 's16' ? 2 : encoding === 's24' ? 3 : encoding === 's32' ? 4 : 1;
  const promisedBytes = fields.has('sample_count')
    ? number('sample_count') * channels * width
    : totalBytes - dataOffset;
  const layout = checkedLayout(
    {
      encoding,
      littleEndian: isLittleEndian(fields, width, nameForErrors),
      channels,
      sampleRate: number('sample_rate'),
      dataOffset,
      promisedBytes,
      totalBytes,
    },
    nameForErrors,
  );
  return fields.has('sample_count') ? layout : { ...layout, isOpenEnded: true };
}

/** Fields by name; null where `end_head` is missing. A line is `name -i 16000`, `name -r 1.5` or `name -s4 text`. */
function readFields(header: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (const line of header.split('\n')) {
    if (line.trim() === 'end_head') return fields;
    const match = /^(\S+) -(?:i|r|s(\d+)) (.*)$/.exec(line);
    if (match) fields.set(match[1]!, match[2] ? match[3]!.slice(0, Number(match[2])) : match[3]!.trim());
  }
  return null;
}

function readEncoding(fields: ReadonlyMap<string, string>, width: number, nameForErrors: string): PcmEncoding {
  const coding = (fields.get('sample_coding') ?? 'pcm').toLowerCase();
  if (coding.includes('shorten')) {
    throw badInput(
      `${nameForErrors}: expected plain SPHERE samples, but they are compressed with shorten; unpack it first: sph2pipe -f wav FILE OUT.wav`,
    );
  }
  const bySize = ({ 1: 's8', 2: 's16', 3: 's24', 4: 's32' } as const)[width];
  if (coding === 'pcm' && bySize) return bySize;
  if ((coding === 'ulaw' || coding === 'mu-law') && width === 1) return 'ulaw';
  if ((coding === 'alaw' || coding === 'a-law') && width === 1) return 'alaw';
  throw damaged(
    nameForErrors,
    'pcm, ulaw or alaw samples',
    `its header says ${printable(coding)} with ${width} bytes each`,
  );
}

function isLittleEndian(fields: ReadonlyMap<string, string>, width: number, nameForErrors: string): boolean {
  const order = fields.get('sample_byte_format');
  if (width === 1 || order === '01' || order === '0123' || order === '012') return true;
  if (order === '10' || order === '3210' || order === '210') return false;
  throw damaged(nameForErrors, 'a sample_byte_format of 01 or 10', `its header says ${printable(order ?? 'nothing')}`);
}

function text(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder('latin1').decode(bytes.subarray(start, end));
}

/** What a damaged header says may be anything: only its readable characters are shown, and few of them. */
function printable(value: string): string {
  return value.replace(/[^ -~]/g, '?').slice(0, 40);
}

/** NIST SPHERE with PCM of either byte order, mu-law or A-law. */
export const sphere = pcmDecoder({
  name: 'sphere',
  version: '1',
  recognizes: isSphere,
  layout: sphereLayout,
  async parts(layout, totalBytes, read, nameForErrors) {
    const problem =
      layout.isOpenEnded === true
        ? await openProblem(beginnings.sphere, layout.dataOffset, totalBytes, read, nameForErrors)
        : await behindProblem(layout.end, totalBytes, read, nameForErrors);
    if (problem !== null) throw problem;
    return [layout];
  },
});
