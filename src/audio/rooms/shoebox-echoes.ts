import { metresPerSecond, type RoomShape } from './room-shape.ts';

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
