/** A room with six flat walls. */
export interface RoomShape {
  readonly lengthMetres: number;
  readonly widthMetres: number;
  readonly heightMetres: number;
}

/** Of air at 20 degrees Celsius. */
export const metresPerSecond = 343;

/** Volume of a room in cubic metres. */
function roomVolume({ lengthMetres, widthMetres, heightMetres }: RoomShape): number {
  return lengthMetres * widthMetres * heightMetres;
}

/** All six walls of a room in square metres. */
function roomSurface({ lengthMetres, widthMetres, heightMetres }: RoomShape): number {
  return 2 * (lengthMetres * widthMetres + lengthMetres * heightMetres + widthMetres * heightMetres);
}

/** Seconds per metre: 24 ln(10) over the speed of sound, as it is rounded in the literature. */
const sabineConstant = 0.161;

/**
 * Reverberation time of a room after Sabine (1922): .161 volume / (surface x absorption), in seconds. Rooms with more than
 * about 20 % of absorption are shorter than it says.
 *
 * @param absorption share of the energy that a wall takes, above 0, at most 1
 * @throws RangeError for a room without volume or an absorption outside of that
 * @example sabineRt60Seconds({ lengthMetres: 6, widthMetres: 5, heightMetres: 3 }, 0.2877) // 0.3998
 */
export function sabineRt60Seconds(room: RoomShape, absorption: number): number {
  if (!(roomVolume(room) > 0) || !(absorption > 0 && absorption <= 1)) {
    throw new RangeError(`expected a room with a volume and an absorption above 0 and at most 1, got ${absorption}`);
  }
  return (sabineConstant * roomVolume(room)) / (roomSurface(room) * absorption);
}

/**
 * Which of so many classes of equal width a value belongs to, from 1. The ends of the range are the mildest and the worst
 * value there are; a value on the border of two classes belongs to the milder, as in the code of Speech Robust Bench (which
 * leaves the mildest value itself out). All values alike: class 1.
 *
 * @param mildest of all values: the smallest reverberation time, or the largest SRMR
 * @param worst of all values, on the other side
 * @example severityClass(0.5, 0.1, 0.9, 4) // 2
 */
export function severityClass(value: number, mildest: number, worst: number, classes: number): number {
  const share = worst === mildest ? 0 : (value - mildest) / (worst - mildest);
  // A billionth of a class less, so that what stands on a border is not moved across it by rounding.
  return Math.min(classes, Math.max(1, Math.ceil(share * classes - 1e-9)));
}

/** Of the largest value: where a response is taken to begin (ISO 3382-1: 20 dB below). */
const onsetShare = 0.1;

/**
 * Where the direct sound stands in a room response.
 *
 * @param by `peak`: the first of its largest values, which in rooms with a strong reflection may be that; `onset`: the first
 * value within 20 dB of it, which may be a little early
 * @example directSound(new Float32Array([0, 0.2, 1, 0.5]), 'peak') // 2
 */
export function directSound(response: Float32Array, by: 'peak' | 'onset'): number {
  let peak = 0;
  for (let n = 1; n < response.length; n++) if (Math.abs(response[n]!) > Math.abs(response[peak]!)) peak = n;
  if (by === 'peak' || response.length === 0) return peak;
  const least = onsetShare * Math.abs(response[peak]!);
  let onset = 0;
  while (Math.abs(response[onset]!) < least) onset++;
  return onset;
}

/** A place in a room, in metres from one of its lower corners along length, width and height. */
export interface PlaceInRoom {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Every way that sound takes from a source to a microphone within some time. */
export interface ShoeboxEchoes {
  /** How long each takes, in seconds; their order means nothing. */
  readonly seconds: Float32Array;
  /** How often each was reflected. */
  readonly reflections: Uint16Array;
}

/** Beyond this, a response would take seconds to make. */
export const maxEchoes = 8e6;

/** About how many ways there are: mirror images fill space as densely as rooms of this size would. */
export function expectedEchoes({ lengthMetres, widthMetres, heightMetres }: RoomShape, seconds: number): number {
  return ((4 / 3) * Math.PI * (metresPerSecond * seconds) ** 3) / (lengthMetres * widthMetres * heightMetres);
}

/**
 * The mirror images of a source in the six walls of a room (Allen and Berkley, JASA 65, 1979) by distance and number of
 * reflections: all from which sound arrives within some time. The direct way is among them.
 *
 * @throws RangeError where there would be more than `maxEchoes`
 */
export function shoeboxEchoes(
  room: RoomShape,
  source: PlaceInRoom,
  microphone: PlaceInRoom,
  longestSeconds: number,
): ShoeboxEchoes {
  const expected = expectedEchoes(room, longestSeconds);
  if (expected > maxEchoes) throw new RangeError(`expected at most ${maxEchoes} echoes, got about ${expected}`);
  const reach = metresPerSecond * longestSeconds;
  const alongX = imagesAlong(room.lengthMetres, source.x, microphone.x, reach);
  const alongY = imagesAlong(room.widthMetres, source.y, microphone.y, reach);
  const alongZ = imagesAlong(room.heightMetres, source.z, microphone.z, reach);
  let seconds = new Float32Array(Math.ceil(1.1 * expected) + 64);
  let reflections = new Uint16Array(seconds.length);
  let count = 0;
  for (let x = 0; x < alongX.squares.length; x++) {
    const leftAfterX = reach * reach - alongX.squares[x]!;
    for (let y = 0; y < alongY.squares.length; y++) {
      const left = leftAfterX - alongY.squares[y]!;
      if (left < 0) break;
      const flat = alongX.squares[x]! + alongY.squares[y]!;
      const reflected = alongX.reflections[x]! + alongY.reflections[y]!;
      if (count + alongZ.squares.length > seconds.length) {
        seconds = enlarged(seconds, new Float32Array(2 * (count + alongZ.squares.length)));
        reflections = enlarged(reflections, new Uint16Array(seconds.length));
      }
      for (let z = 0; z < alongZ.squares.length; z++) {
        if (alongZ.squares[z]! > left) break;
        seconds[count] = Math.sqrt(flat + alongZ.squares[z]!) / metresPerSecond;
        reflections[count++] = reflected + alongZ.reflections[z]!;
      }
    }
  }
  return { seconds: seconds.subarray(0, count), reflections: reflections.subarray(0, count) };
}

/** Squared distances along one side of the room, the nearest first, and how often the sound was reflected on that side. */
function imagesAlong(side: number, source: number, microphone: number, reach: number) {
  const images: { square: number; reflections: number }[] = [];
  const rooms = Math.ceil(reach / side) + 1;
  for (let room = -rooms; room <= rooms; room++) {
    const image = room % 2 === 0 ? room * side + source : (room + 1) * side - source;
    const square = (image - microphone) ** 2;
    if (square <= reach * reach) images.push({ square, reflections: Math.abs(room) });
  }
  images.sort((first, second) => first.square - second.square);
  return {
    squares: Float64Array.from(images, ({ square }) => square),
    reflections: Uint16Array.from(images, (image) => image.reflections),
  };
}

function enlarged<Values extends Float32Array | Uint16Array>(values: Values, into: Values): Values {
  into.set(values);
  return into;
}
