import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Clip, durationSeconds } from '../../audio/clip.ts';
import { resample } from '../../audio/resample.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { MeasuredQuality, QualityMeasure } from '../contract.ts';
import { isSilent, sideBySide } from '../shared/side-by-side.ts';
import { undefinedValues } from '../shared/undefined-values.ts';
import { askProgram } from './ask-program.ts';

const pesqOptions = z.strictObject({
  program: z
    .string()
    .min(1)
    .describe(
      'The reference program of ITU-T P.862 (version 2.0, October 2005), built from its source: path of the file',
    ),
});

type PesqOptions = z.output<typeof pesqOptions>;

const narrowRate = 8000;
const wideRate = 16_000;
/** The program reads no shorter sound. */
const shortestSeconds = 0.25;
const onlyWide = 'P.862.2 needs clean sound of more than 8 kHz';

/**
 * Perceptual evaluation of speech quality: what listeners on a telephone would rate, against the clean clip. ITU-T P.862 with the
 * mapping of P.862.1 (narrow-band), and P.862.2 (wide-band).
 *
 * Asked of the reference program, which the user builds under its own terms (design/quality.md): the method is defined by it, and
 * another would only approximate it. Where there is no program there is no measure.
 */
export const pesq: QualityMeasure<PesqOptions> = {
  name: 'pesq',
  version: 1,
  about: 'Speech quality against the clean clip by ITU-T P.862 and P.862.2, asked of their reference program.',
  values: {
    narrowMosLqo: 'Narrow-band, mapped to opinions by P.862.1, 1.02 to 4.55',
    narrowRaw: 'Narrow-band as P.862 itself scores, -0.5 to 4.5',
    wideMosLqo: 'Wide-band by P.862.2, 1.04 to 4.64',
  },
  needsClean: true,
  sampleRate: null,
  options: pesqOptions,

  async open({ program }, services) {
    const path = resolve(services.baseFolder, program);
    if (!(await stat(path).catch(() => null))?.isFile()) {
      throw new EarwitnessError(
        'missing-program',
        `pesq: expected the reference program of ITU-T P.862, but there is no file ${printable(program)}; build it from the source that comes with the Recommendation, and name it in the option "program"`,
      );
    }
    return {
      identity: { measure: pesq.name, version: pesq.version, program: await services.fileHash(path) },
      measure: (clip, clean) => measure(path, clip, clean),
      async close() {},
    };
  },
};

async function measure(program: string, clip: Clip, clean: Clip | null): Promise<MeasuredQuality> {
  const none = (reason: string) => undefinedValues(pesq.values, reason);
  const pair = sideBySide(clip, clean);
  if ('reason' in pair) return none(pair.reason);
  if (isSilent(pair.clean.samples)) return none('the clean clip is digital silence');
  if (isSilent(pair.clip.samples)) return none('the clip is digital silence');
  if (durationSeconds(pair.clean) < shortestSeconds) return none('PESQ needs a quarter of a second of sound');
  const sampleRate = pair.clean.sampleRate <= narrowRate ? narrowRate : wideRate;
  const heard = resample(pair.clip, sampleRate);
  const said = resample(pair.clean, sampleRate);
  const narrow = await askProgram(program, heard, said, false);
  const wide = sampleRate === narrowRate ? { reason: onlyWide } : await askProgram(program, heard, said, true);
  const reasons = [narrow, wide].flatMap((answer) => ('reason' in answer ? [answer.reason] : []));
  const [narrowRaw = null, narrowMosLqo = null] = 'scores' in narrow ? narrow.scores : [];
  const [wideMosLqo = null] = 'scores' in wide ? wide.scores : [];
  return {
    values: { narrowMosLqo, narrowRaw, wideMosLqo },
    ...(reasons.length === 0 ? {} : { reason: [...new Set(reasons)].join('; ') }),
  };
}
