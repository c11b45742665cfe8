import { aiffLayout, isAiff } from '../../audio/aiff-layout.ts';
import { pcmDecoder } from '../shared/pcm-decoder.ts';

/** AIFF and AIFF-C with PCM, floats, A-law or mu-law. */
export const aiff = pcmDecoder({ name: 'aiff', version: '1', recognizes: isAiff, layout: aiffLayout });
