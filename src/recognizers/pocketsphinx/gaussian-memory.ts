import type { Binding, Pointer } from './binding.ts';

// Structures of pocketsphinx 5prealpha that are in no public header (pocketsphinx_internal.h, acmod.h, ms_gauden.h,
// ptm_mgau.h, s2_semi_mgau.h), up to the members that are used. Nothing is read through a pointer before the members beside
// it were found to be what other calls say they are.
const decoderLayout = { config: 'void *', referenceCount: 'int', acousticModel: 'void *' };
const acousticModelLayout = {
  config: 'void *',
  logmath: 'void *',
  strings: 'void *',
  frontEnd: 'void *',
  features: 'void *',
  definition: 'void *',
  transitions: 'void *',
  gaussians: 'void *',
};
const commonLayout = { functions: 'void *', frame: 'int', config: 'void *' };
const tiedLayout = {
  functions: 'void *',
  frame: 'int',
  config: 'void *',
  codebooks: 'void *',
  senones: 'int32',
  codebookOfSenone: 'void *',
  weights: 'void *',
  mapped: 'void *',
  weightTable: 'void *',
  top: 'int16',
  downsample: 'int16',
  history: 'void *',
  current: 'void *',
  historyLength: 'int',
};
const semiLayout = {
  functions: 'void *',
  frame: 'int',
  config: 'void *',
  codebooks: 'void *',
  weights: 'void *',
  mapped: 'void *',
  weightTable: 'void *',
  senones: 'int32',
  topBeam: 'void *',
  top: 'int16',
  downsample: 'int16',
  history: 'void *',
  historyCounts: 'void *',
  current: 'void *',
  historyLength: 'int',
};
const codebooksLayout = {
  means: 'void *',
  variances: 'void *',
  determinants: 'void *',
  logmath: 'void *',
  codebooks: 'int32',
  streams: 'int32',
};
/** An index and a score of 4 bytes each. */
const candidateBytes = 8;
/** `WORST_DIST`, the score of a candidate that was never computed. */
const worstScore = -0x80000000;
const maxCandidates = 1 << 20;

interface Scorer {
  readonly config: Pointer;
  readonly codebooks: Pointer;
  readonly top: number;
  readonly history: Pointer;
  readonly historyCounts: Pointer;
  readonly historyLength: number;
}

/**
 * The best Gaussians of the last frames, from which the first frames of the next clip start: ties among them come out
 * otherwise than in a new decoder, which moves scores a little (seen in 1 clip of 30).
 *
 * @returns null where the structures do not look as in 5prealpha; no memory for models that keep no such history
 */
export function gaussianMemory(binding: Binding, decoder: Pointer, config: Pointer): RememberedMemory[] | null {
  const { koffi, functions } = binding;
  const outer = koffi.decode(decoder, koffi.struct(decoderLayout)) as Record<string, Pointer>;
  if (outer.config !== config || outer.referenceCount !== 1 || !outer.acousticModel) return null;
  const model = koffi.decode(outer.acousticModel, koffi.struct(acousticModelLayout)) as Record<string, Pointer>;
  const asKnown =
    model.config === config &&
    model.logmath === functions.ps_get_logmath(decoder) &&
    model.frontEnd === functions.ps_get_fe(decoder) &&
    model.features === functions.ps_get_feat(decoder);
  if (!asKnown || !model.gaussians) return null;
  const common = koffi.decode(model.gaussians, koffi.struct(commonLayout)) as Record<string, Pointer>;
  if (!common.functions) return null;
  const name = koffi.decode(common.functions, 'const char *') as string;
  if (name === 'ms') return [];
  if ((name !== 'ptm' && name !== 's2_semi') || common.config !== config) return null;
  const layout = koffi.struct(name === 'ptm' ? tiedLayout : semiLayout);
  const scorer = koffi.decode(model.gaussians, layout) as Scorer;
  if (scorer.historyLength !== Number(functions.cmd_ln_int_r(config, '-pl_window')) + 2) return null;
  if (scorer.top !== Number(functions.cmd_ln_int_r(config, '-topn'))) return null;
  return name === 'ptm' ? tiedHistory(binding, scorer) : semiHistory(binding, scorer);
}

/** Phonetically tied mixtures: for each frame a struct whose first member leads to [codebook][stream][candidate]. */
function tiedHistory(binding: Binding, scorer: Scorer): RememberedMemory[] | null {
  const { koffi } = binding;
  const { codebooks, streams } = codebookCounts(binding, scorer);
  const entryLayout = koffi.struct({ candidates: 'void *', active: 'void *' });
  const memory: RememberedMemory[] = [];
  for (let frame = 0; frame < scorer.historyLength; frame++) {
    const entry = koffi.decode(scorer.history, frame * koffi.sizeof(entryLayout), entryLayout) as {
      candidates: Pointer;
    };
    const count = codebooks * streams * scorer.top;
    const part = candidatesAt(binding, entry.candidates, count, scorer.top, 'index-first');
    if (part === null) return null;
    memory.push(part);
  }
  return memory;
}

/** Semi-continuous: [frame][stream][candidate], and how many candidates count at [frame][stream]. */
function semiHistory(binding: Binding, scorer: Scorer): RememberedMemory[] | null {
  const { koffi } = binding;
  const { streams } = codebookCounts(binding, scorer);
  const count = scorer.historyLength * streams * scorer.top;
  const candidates = candidatesAt(binding, scorer.history, count, scorer.top, 'score-first');
  if (candidates === null) return null;
  const counts = koffi.decode(scorer.historyCounts, 'void *') as Pointer;
  return [candidates, rememberMemory(binding, counts, scorer.historyLength * streams)];
}

function codebookCounts({ koffi }: Binding, scorer: Scorer): { codebooks: number; streams: number } {
  return koffi.decode(scorer.codebooks, koffi.struct(codebooksLayout)) as { codebooks: number; streams: number };
}

/** A table of pointers to pointers to candidates that lie one after the other; null where they are not a new decoder's. */
function candidatesAt(
  binding: Binding,
  table: Pointer,
  count: number,
  top: number,
  order: 'index-first' | 'score-first',
): RememberedMemory | null {
  const { koffi } = binding;
  if (count < 1 || count > maxCandidates) return null;
  const first = koffi.decode(koffi.decode(table, 'void *') as Pointer, 'void *') as Pointer;
  const memory = rememberMemory(binding, first, count * candidateBytes);
  const numbers = new Int32Array(memory.fresh.buffer, memory.fresh.byteOffset, count * 2);
  for (let candidate = 0; candidate < count; candidate++) {
    const left = numbers[2 * candidate];
    const right = numbers[2 * candidate + 1];
    const [index, score] = order === 'index-first' ? [left, right] : [right, left];
    if (index !== candidate % top || score !== worstScore) return null;
  }
  return memory;
}

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

/** A stretch of the library's memory with what stood in it when the decoder was new. */
interface RememberedMemory {
  readonly live: Uint8Array;
  readonly fresh: Uint8Array;
}

/** Remembers a stretch of the library's memory as it is now. It must not be used once the library has freed it. */
function rememberMemory({ koffi }: Binding, address: Pointer, bytes: number): RememberedMemory {
  const live = new Uint8Array(koffi.view(address, bytes));
  return { live, fresh: Uint8Array.from(live) };
}
