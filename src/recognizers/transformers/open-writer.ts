import type { Word } from '../../model/observation.ts';
import { createTurns, givenUp } from '../shared/requests.ts';
import { type Heard, type Hearing, type HearingRequest, type LoadedModel, longEnough } from './load-model.ts';
import type { ModelFiles } from './model-files.ts';
import { checkLanguageOptions, languageSetting, type TransformersOptions, whisperLanguages } from './options.ts';

/** Times come from attention to frames of 0.02 s: a word that gets no time of its own gets this least one. */
const minSeconds = 0.02;

/** The library draws from one generator for the whole process: those who draw take turns. */
const drawing = createTurns();

/**
 * Tokens that Moonshine may write for a second of sound. The library's own limit counts whole seconds only, so that it writes
 * nothing for clips under one; this is that of the model's authors in Python (transformers, MoonshineProcessor).
 */
const moonshineTokensPerSecond = 6.5;

/**
 * Whisper, and other models that write one token after the other, through the library's own pipeline: a piece gives what the
 * bare library gives.
 */
export function openWriter(loaded: LoadedModel, files: ModelFiles, options: TransformersOptions): Hearing {
  const { library, model, tokenizer, processor } = loaded;
  const { family, modelType, generation, preprocessor } = files;
  const sampleRate = Number(preprocessor.sampling_rate ?? 16_000);
  const known = family === 'whisper' ? whisperLanguages(generation) : null;
  if (family === 'whisper') checkLanguageOptions({ language: options.language, task: options.task }, known);
  writesNothing(tokenizer);
  const pipeline = new library.AutomaticSpeechRecognitionPipeline({
    task: 'automatic-speech-recognition',
    model,
    tokenizer,
    processor,
  } as ConstructorParameters<typeof library.AutomaticSpeechRecognitionPipeline>[0]);

  const told = (tag: string) => {
    if (family === 'whisper') {
      const language = languageSetting(options.language ?? tag, known);
      return known === null ? language : { ...language, task: options.task ?? 'transcribe' };
    }
    return modelType === 'cohere_asr' ? { language: (options.language ?? tag).toLowerCase().split('-', 1)[0]! } : {};
  };

  const write = async ({ samples, language, signal }: HearingRequest): Promise<Heard> => {
    const most =
      options.maxNewTokens ??
      (modelType === 'moonshine' ? Math.ceil((samples.length / sampleRate) * moonshineTokensPerSecond) : undefined);
    const answer = (await pipeline(longEnough(samples, sampleRate), {
      ...told(language),
      ...decoding(options),
      ...(most === undefined ? {} : { max_new_tokens: most }),
      ...(options.wordTimes === true ? { return_timestamps: 'word' as const } : {}),
      // Asked after each token: the one place where the library can be stopped.
      stopping_criteria: [stopsWhenAborted(signal)],
    } as Parameters<typeof pipeline>[1])) as { text: string; chunks?: readonly TimedText[] };
    return { text: answer.text.trim(), ...(answer.chunks === undefined ? {} : { words: timedWords(answer.chunks) }) };
  };

  return {
    sampleRate,
    hear(request) {
      if (options.temperature === 0) return write(request);
      return drawing.take(() => {
        library.random.seed(request.seed);
        return write(request);
      });
    },
    async close() {
      await model.dispose();
    },
  };
}

/**
 * Lets a tokenizer write no tokens as no text, as the library does in Python: where a model changes the language before its first word, as under
 * attack, this one would refuse its own pipeline's tokens, and a transcript would be a failure.
 */
export function writesNothing(tokenizer: Pick<LoadedModel['tokenizer'], 'decode'>): void {
  const decode = tokenizer.decode.bind(tokenizer);
  tokenizer.decode = (tokens, options) => (Array.isArray(tokens) && tokens.length === 0 ? '' : decode(tokens, options));
}

/** The library's names for what the options say of decoding. Beams are not among them: it has the setting, and no search. */
function decoding({ temperature }: TransformersOptions): object {
  return temperature > 0 ? { do_sample: true, temperature, top_k: 0 } : {};
}

function stopsWhenAborted(signal: AbortSignal): (ids: readonly unknown[]) => boolean[] {
  return (ids) => {
    if (signal.aborted) throw givenUp(signal);
    return ids.map(() => false);
  };
}

/** A word as the library's pipeline gives it. */
interface TimedText {
  readonly text: string;
  readonly timestamp: readonly [start: number | null, end: number | null];
}

/**
 * Words with times in order. The library's times come from cross-attentions (dynamic time warping) and may stand still or go
 * back a little where two pieces of sound meet: a word never begins before the one before it.
 */
export function timedWords(chunks: readonly TimedText[]): Word[] {
  const words: Word[] = [];
  let earliest = 0;
  for (const { text, timestamp } of chunks) {
    const written = text.trim();
    if (written === '') continue;
    const [start, end] = timestamp;
    if (start === null || !Number.isFinite(start)) {
      words.push({ text: written });
      continue;
    }
    const startSeconds = Math.max(start, earliest);
    const endSeconds = Math.max(end ?? startSeconds, startSeconds + minSeconds);
    words.push({ text: written, startSeconds, endSeconds });
    earliest = startSeconds;
  }
  return words;
}
