import type { Binding, Pointer } from './binding.ts';
import { type RememberedMemory, rememberMemory } from './remembered-memory.ts';

/** `feat_t` of sphinxbase/feat.h, up to the members that are used. */
const featLayout = {
  referenceCount: 'int',
  name: 'void *',
  cepstrumSize: 'int32',
  streams: 'int32',
  streamLengths: 'void *',
  windowSize: 'int32',
  subvectors: 'int32',
  subvectorLengths: 'void *',
  subvectorIndexes: 'void *',
  subvectorBuffer: 'void *',
  subvectorSize: 'int32',
  cmnKind: 'int',
  normalizesVariance: 'int32',
  agcKind: 'int',
  computeFeatures: 'void *',
  cmn: 'void *',
  agc: 'void *',
};
/** `cmn_t` of sphinxbase/cmn.h. */
const cmnLayout = { mean: 'void *', variance: 'void *', sum: 'void *', frames: 'int32', length: 'int32' };
/** `agc_t` of sphinxbase/agc.h: six numbers of 4 bytes. */
const agcBytes = 24;
const cmnKinds = 3;

/**
 * What the front end of a new decoder will change from clip to clip: the cepstral mean, the sums behind it, and the gain
 * control. The library's own call (`cmn_live_set`) leaves another state than a new decoder has: 500 frames of that mean as
 * if they had been heard, so that the second stretch of speech in a clip would differ.
 *
 * @returns null where the structures do not look as in 0.8 and 5prealpha
 */
export function frontEndMemory(binding: Binding, decoder: Pointer, config: Pointer): RememberedMemory[] | null {
  const { koffi, functions } = binding;
  const feat = koffi.decode(functions.ps_get_feat(decoder), koffi.struct(featLayout)) as {
    cepstrumSize: number;
    cmnKind: number;
    cmn: Pointer;
    agc: Pointer;
  };
  const cepstrumSize = Number(functions.cmd_ln_int_r(config, '-ceplen'));
  if (feat.cepstrumSize !== cepstrumSize || feat.cmnKind < 0 || feat.cmnKind >= cmnKinds) return null;
  if ((feat.cmnKind === 0) !== !feat.cmn) return null;
  const memory: RememberedMemory[] = [];
  if (feat.cmn) {
    const layout = koffi.struct(cmnLayout);
    const cmn = koffi.decode(feat.cmn, layout) as { mean: Pointer; sum: Pointer; frames: number; length: number };
    if (cmn.length !== cepstrumSize || cmn.frames !== 0) return null;
    memory.push(
      rememberMemory(binding, cmn.mean, 4 * cmn.length),
      rememberMemory(binding, cmn.sum, 4 * cmn.length),
      rememberMemory(binding, feat.cmn, koffi.sizeof(layout)),
    );
  }
  if (feat.agc) memory.push(rememberMemory(binding, feat.agc, agcBytes));
  return memory;
}
