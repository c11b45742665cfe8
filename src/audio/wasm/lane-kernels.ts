import { add, advance, countDown, get, integer, multiply, set, type WasmFunction } from './assembler.ts';
import { complexBytes, imaginary } from './complex-numbers.ts';
import { lanes, loadVector, storeVector, transpose } from './vectors.ts';

/** Complex numbers that `enter` and `leave` handle at a time. */
export const complexesPerTurn = 2;

/** Parameters: samples of the first lane, bytes from lane to lane, transform, turns. */
export const enterFunction: WasmFunction = {
  name: 'enter',
  parameters: 4,
  body(scope) {
    const [samples, laneStep, transform, turns] = [0, 1, 2, 3];
    const offsets = Array.from({ length: lanes.count }, () => scope.i32());
    const rows = offsets.map(() => scope.v128());
    const address = (lane: number) => add(get(samples), get(offsets[lane]!));
    const setOffsets = offsets.map((offset, lane) => set(offset, multiply(get(laneStep), integer(lane))));
    return [
      ...setOffsets,
      countDown(turns, [
        ...rows.map((row, lane) => set(row, loadVector(address(lane)))),
        transpose(scope, rows),
        ...rows.map((row, index) => storeVector(get(transform), get(row), 16 * index)),
        advance(samples, integer(16)),
        advance(transform, integer(2 * complexBytes)),
      ]),
    ];
  },
};

/** Parameters: transform (parts exchanged), samples of the first lane, bytes from lane to lane, turns. */
export const leaveFunction: WasmFunction = {
  name: 'leave',
  parameters: 4,
  body(scope) {
    const [transform, samples, laneStep, turns] = [0, 1, 2, 3];
    const offsets = Array.from({ length: lanes.count }, () => scope.i32());
    const address = (lane: number) => add(get(samples), get(offsets[lane]!));
    const setOffsets = offsets.map((offset, lane) => set(offset, multiply(get(laneStep), integer(lane))));
    const rows = offsets.map(() => scope.v128());
    return [
      ...setOffsets,
      countDown(turns, [
        ...[imaginary, 0, complexBytes + imaginary, complexBytes].map((offset, index) =>
          set(rows[index]!, loadVector(get(transform), offset)),
        ),
        transpose(scope, rows),
        ...rows.map((row, lane) => storeVector(address(lane), get(row))),
        advance(samples, integer(16)),
        advance(transform, integer(2 * complexBytes)),
      ]),
    ];
  },
};
