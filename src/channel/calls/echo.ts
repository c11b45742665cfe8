import { z } from 'zod';
import { asJson } from '../../base/json.ts';
import { defineCall } from '../call.ts';

/** Asks what it was given back (`again`), and gives what comes: the channel without anything behind it. */
export const echo = defineCall(z.unknown(), (value, arrays, caller) =>
  caller.ask('again', { value: asJson(value), arrays }),
);
