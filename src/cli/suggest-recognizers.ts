import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import { isDownloaded } from '../recognizers/transformers/model-files.ts';
import { loadMember } from '../session/members/load-member.ts';
import { probeLocalServers } from '../session/members/recognizer-spec.ts';
import { openRecognizer } from '../session/open/parse-spec.ts';
import { createServices } from '../session/open/services.ts';
import { listed } from '../studies/shared/wording.ts';
import { ownProcessorSeconds } from '../system/processor-time.ts';
import type { ExaminedMember } from './examine-machine.ts';
import type { Doing } from './progress/lines.ts';
import type { ChosenRecognizers } from './suggest-config.ts';
import type { Survey } from './survey/survey.ts';

/** What could hear on this machine. */
export interface RecognizerProposal {
  readonly chosen: ChosenRecognizers;
  /** What else would do, and what it takes: one sentence each. */
  readonly offers: readonly string[];
}

/** Whisper for a first try: 74 million parameters, which are 4 bytes each as they are published. */
const whisperModel = 'openai/whisper-base';
const whisperParameters = 74e6;

/**
 * Recognizers that work on this machine without being told anything: PocketSphinx, usual and with narrow beams, so that there are
 * two to compare; a server that answers here; Whisper where its model is here already, or where there is nothing else.
 * What would have to be downloaded is offered and not taken, unless there is nothing else.
 */
export async function proposeRecognizers(
  machine: readonly ExaminedMember[],
  baseFolder: string,
): Promise<RecognizerProposal> {
  const ready = (name: string) => machine.some((member) => member.name === name && member.ready);
  const chosen: Record<string, ChosenRecognizers[string]> = {};
  const offers: string[] = [];
  if (ready('pocketsphinx')) {
    chosen.pocketsphinx = { type: 'pocketsphinx', options: {} };
    chosen['pocketsphinx-narrow'] = { type: 'pocketsphinx', options: { beams: 'narrow' } };
  }
  for (const { options, what } of await probeLocalServers()) {
    const name = Object.hasOwn(chosen, 'server') ? 'server-2' : 'server';
    chosen[name] = { type: 'openai-compatible', options: { ...options, usesProcessor: true } };
    offers.push(`A transcription server answers here: ${printable(what, 120)}.`);
  }
  if (ready('transformers')) {
    const whisper = { type: 'transformers', options: { model: whisperModel } };
    const megabytes = Math.round((whisperParameters * 4) / 1e7) * 10;
    if (await isInCache(whisperModel, baseFolder)) chosen['whisper-base'] = whisper;
    else if (Object.keys(chosen).length === 0) {
      chosen['whisper-base'] = whisper;
      offers.push(`The first run downloads Whisper (${whisperModel}, about ${megabytes} MB) from huggingface.co.`);
    } else {
      offers.push(
        `Whisper would work too, after a download of about ${megabytes} MB: --recognizer whisper:${whisperModel}.`,
      );
    }
  }
  if (Object.keys(chosen).length === 0) {
    chosen.pocketsphinx = { type: 'pocketsphinx', options: {} };
    const { install, found } = machine.find(({ name }) => name === 'pocketsphinx') ?? { found: 'it is not installed' };
    offers.push(
      `No recognizer is installed yet. PocketSphinx would (${printable(found, 200)})${install === undefined ? '' : `; install it with: ${install}`}.`,
    );
  }
  return { chosen, offers };
}

/** Whether a recognizer knows English alone: Debian's model of PocketSphinx, and models that are called so (`whisper-tiny.en`). */
function knowsEnglishOnly({ type, options }: ChosenRecognizers[string]): boolean {
  if (type === 'pocketsphinx') return options.acousticModel === undefined;
  return typeof options.model === 'string' && /[.-]en$/i.test(options.model);
}

/**
 * What to say where recognizers are of another language than the recordings: one sentence for people, or none.
 *
 * @param languages BCP 47
 */
export function otherLanguageLines(chosen: ChosenRecognizers, languages: readonly string[]): string[] {
  const others = languages.filter((language) => !/^(?:en|und|mul)\b/i.test(language));
  if (others.length === 0) return [];
  const names = Object.entries(chosen).flatMap(([name, recognizer]) => (knowsEnglishOnly(recognizer) ? [name] : []));
  if (names.length === 0) return [];
  return [
    `${listed(names.map((name) => printable(name, 40)))} ${names.length === 1 ? 'knows' : 'know'} English only, and ${languages.length === 1 ? `the language is ${languages[0]}: name a recognizer that knows it` : `some recordings are in ${others.slice(0, 5).join(', ')}${others.length > 5 ? ', …' : ''}: name a recognizer that knows these`}, such as --recognizer whisper:${whisperModel}.`,
  ];
}

const isInCache = (hub: string, baseFolder: string) =>
  isDownloaded(hub, { baseFolder, environment: (name) => process.env[name] });

/** Whether a recognizer computes here, and everything that it needs is on the disk. */
async function isHere(type: string, { model }: JsonObject, baseFolder: string): Promise<boolean> {
  if (type === 'pocketsphinx') return true;
  if (type !== 'transformers' || typeof model !== 'string') return false;
  const folder = await stat(resolve(baseFolder, model)).catch(() => null);
  return folder !== null || (await isInCache(model, baseFolder));
}

/** How fast a recognizer is here, or why that is not known. */
export interface MeasuredSpeed {
  readonly name: string;
  /** Seconds of the processor that it needs for a second of sound. */
  readonly processorSecondsPerSecond: number | null;
  readonly problem: string | null;
}

/** So much of one clip is heard for a measurement. */
const triedSeconds = 6;

/**
 * Lets recognizers that compute on this machine hear one short clip. A server is not asked, and nothing is downloaded.
 *
 * @param found has the clip
 */
export async function measureSpeeds(
  chosen: ChosenRecognizers,
  found: Survey,
  baseFolder: string,
  doing: Doing,
): Promise<readonly MeasuredSpeed[]> {
  const services = createServices({ baseFolder });
  const speeds: MeasuredSpeed[] = [];
  try {
    const file = found.sounds[0]!;
    const duration = await services.sounds.durationSeconds(file);
    const clip = await services.sounds.read(
      file,
      // How long it takes is the same for each.
      { channel: 1, ...(duration > triedSeconds && { startSeconds: 0, endSeconds: triedSeconds }) },
    );
    for (const [name, { type, options }] of Object.entries(chosen)) {
      if (!(await isHere(type, options, baseFolder))) continue;
      doing(`measuring the speed of ${printable(name, 40)} on one clip`);
      const { member, moduleHash } = await loadMember('recognizers', type, baseFolder);
      try {
        const { recognizer, description } = await openRecognizer(
          { type, name, member, moduleHash, written: options, options: member.options.parse(options) },
          services.recognizer,
        );
        const request = { clip, utteranceId: 'speed', conditionName: 'clean', repeat: 0, language: found.language };
        const from = ownProcessorSeconds(false)!;
        try {
          await recognizer.recognize(request, AbortSignal.timeout(60_000));
        } finally {
          await recognizer.close();
        }
        // What a graphics processor computes is not seen here: --preview measures it.
        if (!description.usesProcessor) continue;
        const seconds = ownProcessorSeconds(false)! - from;
        const processorSecondsPerSecond = seconds / (clip.samples.length / clip.sampleRate);
        speeds.push({ name, processorSecondsPerSecond, problem: null });
      } catch (error) {
        speeds.push({ name, processorSecondsPerSecond: null, problem: messageOf(error) });
      }
    }
  } finally {
    await services.close();
  }
  return speeds;
}
