/** A box of MP4 or MOV: what is in it. */
interface Box {
  readonly type: string;
  readonly body: DataView;
}

/**
 * How many seconds of its first track of sound an MP4 or MOV file says that it plays: by its edit list, else by the samples of its track and of its
 * fragments. What a decoder gives beyond fills the last block of the encoder (ISO/IEC 14496-12, 8.6.6 and 8.8). Null where it does not say, or is no
 * such file.
 *
 * @param bytes all of the file
 */
export function mp4Seconds(bytes: Uint8Array): number | null {
  try {
    return secondsOf(bytes);
  } catch (thrown) {
    // A box that is shorter than what should be in it.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

function secondsOf(bytes: Uint8Array): number | null {
  const all = boxesIn(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const movie = all.find(({ type }) => type === 'moov');
  if (all[0]?.type !== 'ftyp' || movie === undefined) return null;
  const inMovie = boxesIn(movie.body);
  const track = inMovie.find(({ type, body }) => type === 'trak' && isSound(body))?.body;
  const movieScale = timeOf(found(inMovie, 'mvhd'))?.scale;
  const media = timeOf(track && at(track, 'mdia', 'mdhd'));
  if (track === undefined || !movieScale || !media?.scale) return null;
  const edits = editsOf(at(track, 'edts', 'elst')).filter(({ isEmpty }) => !isEmpty);
  // An edit of a fragmented file has no length, and lasts as long as the fragments do.
  const edited = edits.reduce((sum, { duration }) => sum + duration, 0);
  if (edited > 0) return edited / movieScale;
  const start = edits[0]?.start ?? 0;
  const header = at(track, 'tkhd')!;
  const id = header.getUint32(header.getUint8(0) === 1 ? 20 : 12);
  const extension = found(inMovie, 'mvex');
  const byDefault = (extension ? boxesIn(extension) : []).find(
    ({ body, type }) => type === 'trex' && body.getUint32(4) === id,
  );
  const fragments = all.filter(({ type }) => type === 'moof').flatMap(({ body }) => boxesIn(body));
  const own = fragments.filter(({ type, body }) => type === 'traf' && at(body, 'tfhd')?.getUint32(4) === id);
  const ticks = own.reduce((sum, { body }) => sum + ticksOf(body, byDefault?.body.getUint32(12) ?? 0), media.duration);
  return ticks > start ? (ticks - start) / media.scale : null;
}

function boxesIn(body: DataView): Box[] {
  const boxes: Box[] = [];
  for (let place = 0; place + 8 <= body.byteLength; ) {
    const size = body.getUint32(place);
    const head = size === 1 ? 16 : 8;
    if (place + head > body.byteLength) break;
    const length = size === 1 ? Number(body.getBigUint64(place + 8)) : size === 0 ? body.byteLength - place : size;
    if (length < head || place + length > body.byteLength) break;
    const type = String.fromCharCode(...new Uint8Array(body.buffer, body.byteOffset + place + 4, 4));
    boxes.push({ type, body: new DataView(body.buffer, body.byteOffset + place + head, length - head) });
    place += length;
  }
  return boxes;
}

function found(boxes: readonly Box[], wanted: string): DataView | undefined {
  return boxes.find(({ type }) => type === wanted)?.body;
}

function at(body: DataView, ...path: readonly string[]): DataView | undefined {
  return path.reduce<DataView | undefined>((within, type) => within && found(boxesIn(within), type), body);
}

function isSound(track: DataView): boolean {
  return at(track, 'mdia', 'hdlr')?.getUint32(8) === 0x73_6f_75_6e;
}

/** Ticks of a second, and how many there are, of a movie or a track. */
function timeOf(header: DataView | undefined) {
  if (header === undefined) return null;
  return header.getUint8(0) === 1
    ? { scale: header.getUint32(20), duration: Number(header.getBigUint64(24)) }
    : { scale: header.getUint32(12), duration: header.getUint32(16) };
}

function editsOf(list: DataView | undefined) {
  if (list === undefined) return [];
  const isLong = list.getUint8(0) === 1;
  return Array.from({ length: Math.min(list.getUint32(4), list.byteLength) }, (_, edit) => {
    const from = 8 + edit * (isLong ? 20 : 12);
    const duration = isLong ? Number(list.getBigUint64(from)) : list.getUint32(from);
    const start = isLong ? Number(list.getBigInt64(from + 8)) : list.getInt32(from + 4);
    return { duration, start, isEmpty: start < 0 };
  });
}

/** How long the samples of a fragment last. */
function ticksOf(fragment: DataView, byDefault: number): number {
  const header = at(fragment, 'tfhd')!;
  const flags = header.getUint32(0);
  const each = flags & 8 ? header.getUint32(8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0)) : byDefault;
  let sum = 0;
  for (const { type, body } of boxesIn(fragment)) {
    if (type !== 'trun') continue;
    const [which, count] = [body.getUint32(0), body.getUint32(4)];
    const width = [0x100, 0x200, 0x400, 0x800].reduce((bytes, flag) => bytes + (which & flag ? 4 : 0), 0);
    const first = 8 + (which & 1 ? 4 : 0) + (which & 4 ? 4 : 0);
    if ((which & 0x100) === 0) sum += count * each;
    else for (let n = 0; n < count; n++) sum += body.getUint32(first + n * width);
  }
  return sum;
}
