import type { RoomShape } from '../../audio/rooms/room-shape.ts';
import type { PlaceInRoom } from '../../audio/rooms/shoebox-echoes.ts';
import type { Random } from '../../base/random.ts';

/** Nobody talks with the head in the wall: so far from it, or a fifth of the room where that is less. */
const farFromWallMetres = 0.5;
const maxDraws = 1000;

/**
 * Two places in a room, so far apart, both clear of the walls, drawn until they fit; null where they hardly ever would.
 */
export function drawPlaces(
  room: RoomShape,
  distanceMetres: number,
  random: Random,
): { readonly source: PlaceInRoom; readonly microphone: PlaceInRoom } | null {
  const sides = [room.lengthMetres, room.widthMetres, room.heightMetres] as const;
  const clear = sides.map((side) => Math.min(farFromWallMetres, 0.2 * side));
  for (let draw = 0; draw < maxDraws; draw++) {
    const microphone = sides.map((side, axis) => clear[axis]! + random.next() * (side - 2 * clear[axis]!));
    // A direction out of the sphere, each alike likely: normal draws have none that they prefer.
    const direction = sides.map(() => random.normal());
    const length = Math.hypot(...direction);
    const source = microphone.map((place, axis) => place + (distanceMetres * direction[axis]!) / length);
    if (source.every((place, axis) => place >= clear[axis]! && place <= sides[axis]! - clear[axis]!)) {
      return { source: placeOf(source), microphone: placeOf(microphone) };
    }
  }
  return null;
}

function placeOf([x, y, z]: readonly number[]): PlaceInRoom {
  return { x: x!, y: y!, z: z! };
}
