import { type KnownModel, ownName, row, srb } from './model-rows.ts';

const crossasr = ['CrossASR'] as const;
const today = ['Synthesizers in wide use'] as const;
const unpacked = 'its folder is one of the release tts-models of k2-fsa/sherpa-onnx, unpacked';
const noSize = 'no source read here gives its size';

/** A voice of Piper as sherpa-onnx has it. */
function piper(voice: string, attributes: Readonly<Record<string, string>>): KnownModel {
  const [language, name] = voice.split('-') as [string, string];
  return row(
    `piper-${voice.toLowerCase()}`,
    {
      ...{ type: 'sherpa-onnx', kind: 'vits', folder: `vits-piper-${voice}` },
      voices: [{ name, language: language.replace('_', '-'), attributes }],
    },
    { speaks: true, sources: today, note: `${unpacked}; the card of a voice has its licence, and ${noSize}` },
  );
}

/** Synthesizers of the five papers, and some in wide use, each as a config that runs it. */
export const knownVoices: readonly KnownModel[] = [
  row(
    'google-tts',
    { type: 'hosted', service: 'google', language: 'en-US' },
    {
      ...{ speaks: true, sources: crossasr, keys: ['GOOGLE_API_KEY'] },
      note: 'the paper took what Google Translate reads aloud, of which no interface is published; a service gives neither its size nor a licence',
    },
  ),
  row('responsivevoice', null, {
    ...{ speaks: true, sources: crossasr },
    note: 'it speaks in browsers alone: its owner publishes no interface for programs',
  }),
  row(
    'festival',
    { type: 'festival' },
    {
      speaks: true,
      sources: crossasr,
      note: `a program, installed apart, with a licence for each of its voices; ${noSize}`,
    },
  ),
  row(
    'espeak-ng',
    { type: 'espeak-ng' },
    {
      ...{ speaks: true, sources: crossasr, licence: 'GPL-3.0' },
      note: `the paper took eSpeak, from which eSpeak NG was made; a program, installed apart; ${noSize}`,
    },
  ),
  row(
    'yourtts',
    {
      ...{ type: 'python', script: 'coqui_voice.py', python: '.venv/bin/python', packages: ['coqui-tts'] },
      voiceTable: 'vctk.tsv',
    },
    {
      ...{ speaks: true, sources: srb },
      note: `speaks in the voice of a clip (docs/synthesizers.md); the paper's English; ${noSize} or licence`,
    },
  ),
  row(
    'bark',
    { type: 'python', script: 'bark_voice.py', python: '.venv/bin/python', packages: ['transformers', 'torch'] },
    { speaks: true, sources: srb, licence: 'MIT', note: `the paper's Spanish; ${noSize}` },
  ),
  row(
    'kokoro-82m',
    { type: 'sherpa-onnx', kind: 'kokoro', folder: 'kokoro-multi-lang-v1_0', model: 'model.onnx' },
    {
      ...{ speaks: true, sources: today, licence: 'Apache-2.0', parameters: { millions: 82, source: ownName } },
      note: `${unpacked}; by Python and from the hub: examples/python/kokoro_voice.py`,
    },
  ),
  piper('en_US-lessac-medium', { sex: 'female', accent: 'American' }),
  piper('en_GB-alan-medium', { sex: 'male', accent: 'British' }),
];
