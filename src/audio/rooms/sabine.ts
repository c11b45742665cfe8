import { type RoomShape, roomSurface, roomVolume } from './room-shape.ts';

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
