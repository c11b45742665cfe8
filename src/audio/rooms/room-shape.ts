/** A room with six flat walls. */
export interface RoomShape {
  readonly lengthMetres: number;
  readonly widthMetres: number;
  readonly heightMetres: number;
}

/** Of air at 20 degrees Celsius. */
export const metresPerSecond = 343;

/** Volume of a room in cubic metres. */
export function roomVolume({ lengthMetres, widthMetres, heightMetres }: RoomShape): number {
  return lengthMetres * widthMetres * heightMetres;
}

/** All six walls of a room in square metres. */
export function roomSurface({ lengthMetres, widthMetres, heightMetres }: RoomShape): number {
  return 2 * (lengthMetres * widthMetres + lengthMetres * heightMetres + widthMetres * heightMetres);
}
