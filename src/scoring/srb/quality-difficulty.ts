import type { Reason } from '../../model/reason.ts';

/** A number of Speech Robust Bench that may not exist: null always comes with a reason. */
export interface RobustnessValue {
  readonly value: number | null;
  readonly reason?: Reason;
}

/** Mean quality of the sound of a scenario; null where a measure was not taken or does not apply. */
export interface ScenarioQuality {
  /** Mean DNSMOS (P.808) over the utterances, 1 to 5. */
  readonly dnsmos: number | null;
  /** Mean PESQ over the utterances against the clean sound, 1 to 4.6. */
  readonly pesq: number | null;
}

/** Mean and standard deviation of a measure times -1, so that more is worse, and the points of the mean. */
export interface QualityScale {
  readonly mean: number;
  readonly deviation: number;
  readonly center: number;
}

/** What quality is measured against. Null where a measure has no spread or no values. */
export interface QualityScales {
  readonly dnsmos: QualityScale | null;
  readonly pesq: QualityScale | null;
}

/**
 * The scales of Speech Robust Bench, recomputed from the 307 and 283 means of quality in its repository (commit b858dbf). A
 * scenario measured against them has the difficulty it would have had there, whatever else is in a run. PESQ is centred
 * half a deviation higher than the paper says; its tables contain that.
 */
export const publishedQualityScales: QualityScales = {
  dnsmos: { mean: -3.20497, deviation: 0.398176, center: 50 },
  pesq: { mean: -2.058964, deviation: 1.065666, center: 62.5 },
};

/**
 * The same with PESQ centred at 50, as the paper's text says, and without the two means that its repository has under a
 * wrong name. The mildest scenarios come near 0 or below: nothing can be divided by them.
 */
export const recentredQualityScales: QualityScales = {
  dnsmos: publishedQualityScales.dnsmos,
  pesq: { mean: -2.042702, deviation: 1.051719, center: 50 },
};

/** Points of difficulty for one standard deviation of a measure. */
export const pointsPerDeviation = 25;

/**
 * How hard a scenario is by what it does to the quality of sound (Speech Robust Bench, section 3.2, with what its program
 * does): 50 + 25 z for DNSMOS and for PESQ, each times -1, z against the scales; the mean of those there are. Where an
 * effect changes the timing, PESQ is at its worst whatever it sounds like. The published tables leave PESQ out for Spanish,
 * by a slip in joining names.
 *
 * @throws RangeError for a quality that is not finite
 * @example qualityDifficulty({ dnsmos: 3.7727, pesq: 4.1336 }).value // 14.09, LibriSpeech with bass 1
 */
export function qualityDifficulty(
  quality: ScenarioQuality,
  scales: QualityScales = publishedQualityScales,
): RobustnessValue {
  const points = [pointsOf(quality.dnsmos, scales.dnsmos), pointsOf(quality.pesq, scales.pesq)].filter(
    (one) => one !== null,
  );
  if (points.length > 0) return { value: points.reduce((sum, one) => sum + one, 0) / points.length };
  const measured = quality.dnsmos !== null || quality.pesq !== null;
  return { value: null, reason: measured ? { code: 'quality-without-spread' } : { code: 'not-measured' } };
}

function pointsOf(quality: number | null, scale: QualityScale | null): number | null {
  if (quality !== null && !Number.isFinite(quality)) {
    throw new RangeError(`expected a quality that is a number or null, but got ${quality}`);
  }
  if (quality === null || scale === null || scale.deviation === 0) return null;
  return scale.center + (pointsPerDeviation * (-quality - scale.mean)) / scale.deviation;
}
