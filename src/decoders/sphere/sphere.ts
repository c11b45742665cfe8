import { isSphere, sphereLayout } from '../../audio/sphere-layout.ts';
import { pcmDecoder } from '../shared/pcm-decoder.ts';

/** NIST SPHERE with PCM of either byte order, mu-law or A-law. */
export const sphere = pcmDecoder({ name: 'sphere', version: '1', recognizes: isSphere, layout: sphereLayout });
