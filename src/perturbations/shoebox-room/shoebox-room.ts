import { z } from 'zod';
import { simulateShoebox } from '../../audio/rooms/simulate-shoebox.ts';
import { badInput } from '../../base/errors.ts';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { applyRoom, drawPlaces, roomOutputParameters } from '../shared/apply-room.ts';

/**
 * Plays the sound in an empty room with flat walls (image sources: Allen and Berkley, 1979), talker and microphone at
 * places that are drawn for each clip. The walls are chosen so that the reverberation time, measured on the response over
 * 30 dB of decay, is the one asked for.
 */
export const shoeboxRoom = plainPerturbation({
  name: 'shoebox-room',
  version: 1,
  about: 'Plays the clip in a simulated room of a chosen size, reverberation and distance.',
  parameters: z.strictObject({
    lengthMetres: side('Length'),
    widthMetres: side('Width'),
    heightMetres: side('Height'),
    rt60Seconds: between(0.05, 5).describe('Reverberation time: how long a sound takes to fall by 60 dB, in seconds'),
    distanceMetres: between(0.1, 100).default(2).describe('From the talker to the microphone, in metres'),
    ...roomOutputParameters,
  }),
  random: true,
  identity: null,
  example: {
    lengthMetres: 6,
    widthMetres: 5,
    heightMetres: 3,
    rt60Seconds: 0.2,
    distanceMetres: 2,
    normalize: 'level',
    align: 'peak',
    keepTail: false,
  },
  apply(clip, parameters, { random }) {
    if (clip.samples.length === 0) {
      const nothing = { samples: new Float32Array(0), sampleRate: clip.sampleRate };
      return { clip: nothing, facts: { askedRt60Seconds: parameters.rt60Seconds, measuredRt60Seconds: null } };
    }
    const { lengthMetres, widthMetres, heightMetres, rt60Seconds, distanceMetres } = parameters;
    const places = drawPlaces(parameters, distanceMetres, random);
    if (places === null) {
      throw badInput(
        `shoebox-room: expected a distance that fits into a room of ${lengthMetres} x ${widthMetres} x ${heightMetres} m beside the walls' clearance, but ${distanceMetres} m does not; choose a smaller distance or a larger room`,
      );
    }
    const { source, microphone } = places;
    const { sampleRate } = clip;
    const room = simulateShoebox(parameters, source, microphone, rt60Seconds, sampleRate, 'shoebox-room');
    const response = { samples: room.response, directSample: room.directSample };
    const { gain, ...perturbed } = applyRoom('shoebox-room', clip, response, parameters);
    return {
      ...perturbed,
      facts: {
        askedRt60Seconds: rt60Seconds,
        measuredRt60Seconds: room.rt60Seconds,
        absorption: room.absorption,
        sourceMetres: Object.values(source),
        microphoneMetres: Object.values(microphone),
        gain,
      },
    };
  },
});

function side(name: string) {
  return between(1, 200).describe(`${name} of the room in metres`);
}
