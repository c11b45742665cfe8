import type { Clip } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import type { HttpMessage } from '../shared/http-post.ts';
import type { OpenaiCompatibleOptions } from './options.ts';

/** Subtags that say that the language is not known: undetermined, several, none, not coded (ISO 639-2). */
const unknownLanguages: readonly string[] = ['und', 'mul', 'zxx', 'mis'];

/** The question as a form with a file (multipart/form-data, RFC 7578). */
export async function formOf(clip: Clip, languageTag: string, options: OpenaiCompatibleOptions): Promise<HttpMessage> {
  const wav = encodeWav(resample(clip, options.sampleRate), { format: 's16' });
  const form = new FormData();
  form.set('file', new Blob([wav as Uint8Array<ArrayBuffer>], { type: 'audio/wav' }), 'clip.wav');
  form.set('model', options.model);
  form.set('response_format', options.responseFormat);
  if (options.responseFormat === 'verbose_json' && options.wordTimes) form.set('timestamp_granularities[]', 'word');
  const language = languageOf(languageTag, options.language);
  if (language !== null) form.set('language', language);
  if (options.prompt !== undefined) form.set('prompt', options.prompt);
  if (options.temperature !== undefined) form.set('temperature', String(options.temperature));
  // Node's own encoder of forms stands behind its Response.
  const encoded = new Response(form);
  return {
    headers: { 'Content-Type': encoded.headers.get('content-type')! },
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

/** ISO 639 code: the first part of a BCP 47 tag. */
function languageOf(tag: string, chosen: string | undefined): string | null {
  if (chosen !== undefined) return chosen === 'none' ? null : chosen;
  const primary = tag.split('-', 1)[0]!.toLowerCase();
  return /^[a-z]{2,3}$/.test(primary) && !unknownLanguages.includes(primary) ? primary : null;
}
