import { z } from 'zod';
import { spokenLanguageOption, threadsOption, whisperTask } from '../shared/local-model-options.ts';

export const whisperCppOptions = z.strictObject({
  model: z.string().min(1).describe('A ggml file of whisper.cpp, like ggml-base.en.bin'),
  threads: threadsOption,
  gpu: z.boolean().default(false).describe('Whether a graphics card computes, where the package installed can'),
  language: spokenLanguageOption,
  task: whisperTask.default('transcribe').describe('What the model does; "translate" writes English'),
  beamSize: z.int().min(1).max(8).default(1).describe('Paths that are searched; 1 takes the likeliest token each time'),
  temperature: z.number().min(0).max(1).default(0).describe('0 takes the likeliest tokens; above, they are drawn'),
  temperatureStep: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('Added to the temperature when the model does not trust its own answer; 0 takes the first answer'),
  prompt: z.string().max(2000).optional().describe('Text that the model takes for what was said before'),
  wordTimes: z.boolean().default(false).describe('Whether words get times, from the times of their tokens'),
});

export type WhisperCppOptions = z.output<typeof whisperCppOptions>;
