import { knownVoices } from './known-voices.ts';
import {
  board,
  byPython,
  type KnownModel,
  leaders,
  nemo,
  noCard,
  ownName,
  pipeline,
  row,
  server,
  service,
  srb,
  table5,
  voxtral,
  whisper,
} from './model-rows.ts';

/** Systems of the five papers, synthesizers too, and leaders of the Open ASR Leaderboard in August 2026, each as a config that runs it. */
export const knownModels: readonly KnownModel[] = [
  // Speech Robust Bench, Table 5.
  whisper('tiny', 39),
  whisper('tiny.en', 39),
  whisper('base', 74, { tried: 'its weights in 8 bits (dtype: q8), on TIMIT' }),
  whisper('base.en', 74),
  whisper('small', 244),
  whisper('small.en', 244),
  pipeline('openai/whisper-medium', 769, table5, 'Apache-2.0', { sources: ['SRB', 'FairLENS'] }),
  pipeline('openai/whisper-medium.en', 769, table5, 'Apache-2.0', { sources: srb }),
  pipeline('openai/whisper-large-v2', 1550, table5, 'Apache-2.0', { sources: srb }),
  pipeline('facebook/wav2vec2-base-960h', 95, table5, 'Apache-2.0', { sources: srb }),
  pipeline('facebook/wav2vec2-large-960h', 317, table5, 'Apache-2.0', { sources: srb }),
  pipeline('facebook/wav2vec2-large-960h-lv60-self', 317, table5, 'Apache-2.0', { sources: srb }),
  pipeline('facebook/wav2vec2-large-robust-ft-libri-960h', 317, table5, 'Apache-2.0', { sources: srb }),
  pipeline('facebook/hubert-large-ls960-ft', 317, table5, 'Apache-2.0', { sources: srb }),
  pipeline('facebook/hubert-xlarge-ls960-ft', 964, table5, 'Apache-2.0', { sources: srb }),
  pipeline('microsoft/speecht5_asr', 154.6, table5, 'MIT', { sources: srb }),
  pipeline('facebook/wav2vec2-base-10k-voxpopuli-ft-es', 94.4, table5, 'CC-BY-NC-4.0', {
    ...{ sources: srb, language: 'es' },
  }),
  pipeline('facebook/wav2vec2-large-xlsr-53-spanish', 315.4, table5, 'Apache-2.0', {
    ...{ sources: srb, language: 'es' },
    note: 'the paper names no owner of this checkpoint; jonatasgrosman has one of the same name',
  }),
  byPython(
    'facebook/mms-1b-fl102',
    'transformers_pipeline.py',
    ['transformers', 'torch'],
    964.6,
    table5,
    'CC-BY-NC-4.0',
    { sources: srb, arguments: ['eng'], note: 'the second argument is the language of its adapter: eng, spa' },
  ),
  nemo('nvidia/canary-1b', 1000, table5, 'CC-BY-NC-4.0', { sources: ['SRB', 'Open ASR Leaderboard'] }),
  nemo('nvidia/parakeet-ctc-0.6b', 600, ownName, 'CC-BY-4.0', { sources: ['SRB', 'Open ASR Leaderboard'] }),
  nemo('nvidia/parakeet-ctc-1.1b', 1100, ownName, 'CC-BY-4.0', { sources: ['SRB', 'Open ASR Leaderboard'] }),
  nemo('nvidia/parakeet-rnnt-0.6b', 600, ownName, 'CC-BY-4.0', { sources: ['SRB', 'Open ASR Leaderboard'] }),
  nemo('nvidia/parakeet-rnnt-1.1b', 1100, ownName, 'CC-BY-4.0', { sources: ['SRB', 'Open ASR Leaderboard'] }),
  row(
    'speechbrain-conformer',
    {
      ...{ type: 'python', script: 'speechbrain_model.py', python: '.venv/bin/python' },
      ...{ arguments: ['speechbrain/asr-conformer-transformerlm-librispeech'], packages: ['speechbrain', 'torch'] },
    },
    {
      ...{ hub: 'speechbrain/asr-conformer-transformerlm-librispeech', licence: 'Apache-2.0', sources: srb },
      note: 'the paper has Conformers with two decoders and names no checkpoints; their size stands in no source read here',
    },
  ),
  row(
    'deepspeech-pytorch',
    {
      ...{ type: 'python', script: 'deepspeech_pytorch_model.py', python: '.venv/bin/python' },
      arguments: ['librispeech_pretrained_v3.ckpt'],
      ...{ packages: ['deepspeech-pytorch', 'torch'], models: ['librispeech_pretrained_v3.ckpt'] },
    },
    {
      ...{ parameters: { millions: 86, source: table5 }, sources: srb },
      install: 'git+https://github.com/SeanNaren/deepspeech.pytorch',
      note: `its file is one of the releases of SeanNaren/deepspeech.pytorch; ${noCard}`,
    },
  ),
  // CrossASR.
  row(
    'deepspeech',
    {
      ...{ type: 'python', script: 'deepspeech_model.py', python: '.venv/bin/python', packages: ['deepspeech'] },
      arguments: ['deepspeech-0.9.3-models.pbmm', 'deepspeech-0.9.3-models.scorer'],
      models: ['deepspeech-0.9.3-models.pbmm', 'deepspeech-0.9.3-models.scorer'],
    },
    {
      ...{ licence: 'MPL-2.0', sources: ['CrossASR'] },
      note: 'its files are those of the release 0.9.3 of mozilla/DeepSpeech, its package needs Python 3.9 or older; no source gives its size',
    },
  ),
  row(
    'deepspeech2',
    {
      ...{ type: 'python', script: 'paddlespeech_model.py', python: '.venv/bin/python' },
      ...{ arguments: ['deepspeech2offline_librispeech', 'en'], packages: ['paddlespeech', 'paddlepaddle'] },
    },
    {
      ...{ licence: 'Apache-2.0', sources: ['CrossASR'] },
      note: 'PaddleSpeech downloads it from its own server; the paper took an earlier one of the same project; no source gives its size',
    },
  ),
  row(
    'wav2letter',
    {
      ...{ type: 'python', script: 'wav2letter_model.py', packages: [], models: ['models/wav2letter'] },
      arguments: ['./simple_streaming_asr_example', 'models/wav2letter'],
    },
    {
      sources: ['CrossASR'],
      note: `its program is built from wav2letter 0.2 or taken from its image; ${noCard}, nor their size`,
    },
  ),
  // Services that the papers asked, and of the leaderboard; their models change behind their names.
  service(
    'google',
    ['AequeVox', 'FairLENS', 'SR-MT'],
    'GOOGLE_API_KEY',
    { service: 'google', model: 'default' },
    'the papers took the standard model',
  ),
  service('azure', ['AequeVox', 'FairLENS'], 'AZURE_SPEECH_KEY', { service: 'azure', region: 'westeurope' }),
  service(
    'ibm-broadband',
    ['AequeVox'],
    'SPEECH_TO_TEXT_APIKEY',
    { service: 'ibm', region: 'us-south', model: 'BroadbandModel' },
    'IBM has newer models (large, Multimedia), and may no longer give this one',
  ),
  service('wit', ['CrossASR'], 'WIT_AI_TOKEN', { service: 'wit-ai' }, 'the token is that of an app of one language'),
  service('baidu', ['SR-MT'], 'BAIDU_API_KEY', { service: 'baidu' }),
  service(
    'iflytek',
    ['SR-MT'],
    'IFLYTEK_CREDENTIALS',
    { service: 'iflytek' },
    'it recognizes over a socket alone, in real time',
  ),
  service(
    'amazon-transcribe',
    ['FairLENS'],
    'AWS_SECRET_ACCESS_KEY',
    { service: 'aws-transcribe', region: 'us-east-1', bucket: 'a-bucket-of-yours' },
    'AWS_ACCESS_KEY_ID too; each clip lies in that bucket while it is transcribed',
  ),
  service('deepgram', ['FairLENS'], 'DEEPGRAM_API_KEY', { service: 'deepgram', model: 'nova-3' }),
  service('rev-ai', ['FairLENS', 'Open ASR Leaderboard'], 'REVAI_ACCESS_TOKEN', {
    ...{ service: 'rev-ai', model: 'machine' },
  }),
  row('truleo', null, { sources: ['FairLENS'], note: 'its owner publishes no description of an interface' }),
  service('elevenlabs-scribe', leaders, 'ELEVENLABS_API_KEY', { service: 'elevenlabs', model: 'scribe_v1' }),
  service('assemblyai', leaders, 'ASSEMBLYAI_API_KEY', { service: 'assemblyai', model: 'universal-2' }),
  service('speechmatics', leaders, 'SPEECHMATICS_API_KEY', { service: 'speechmatics', model: 'enhanced' }),
  // Leaders of the Open ASR Leaderboard.
  pipeline('CohereLabs/cohere-transcribe-03-2026', 2000, board, 'Apache-2.0', {
    note: 'its files are given after a consent on the hub (HF_TOKEN); transformers 5.4 or newer',
  }),
  byPython('nvidia/canary-qwen-2.5b', 'nemo_salm_model.py', ['nemo-toolkit'], 2500, board, 'CC-BY-4.0', {
    install: '"nemo_toolkit[asr,tts]"',
  }),
  ...(
    [
      ['granite-4.0-1b-speech', 2000],
      ['granite-speech-3.3-8b', 9000],
      ['granite-speech-3.3-2b', 3000],
    ] as const
  ).map(([name, millions]) =>
    byPython(
      `ibm-granite/${name}`,
      'granite_speech_model.py',
      ['transformers', 'torch', 'torchaudio', 'peft'],
      millions,
      board,
      'Apache-2.0',
      { bytesPerParameter: 2 },
    ),
  ),
  byPython('Qwen/Qwen3-ASR-1.7B', 'qwen3_asr_model.py', ['qwen-asr'], 1700, board, 'Apache-2.0', {
    bytesPerParameter: 2,
  }),
  byPython('Qwen/Qwen3-ASR-0.6B', 'qwen3_asr_model.py', ['qwen-asr'], 600, board, 'Apache-2.0', {
    bytesPerParameter: 2,
  }),
  byPython(
    'microsoft/Phi-4-multimodal-instruct',
    'phi4_multimodal_model.py',
    ['transformers', 'torch', 'accelerate', 'peft', 'soundfile', 'backoff'],
    6000,
    board,
    'MIT',
    {
      bytesPerParameter: 2,
      install: '"transformers<4.49" torch accelerate peft soundfile backoff',
      note: 'runs code from the hub (trust_remote_code); transformers older than 4.49',
    },
  ),
  nemo('nvidia/parakeet-tdt-0.6b-v2', 600, board, 'CC-BY-4.0'),
  nemo('nvidia/parakeet-tdt-0.6b-v3', 600, board, 'CC-BY-4.0'),
  nemo('nvidia/parakeet-tdt-1.1b', 1100, board, 'CC-BY-4.0'),
  nemo('nvidia/canary-1b-flash', 1000, board, 'CC-BY-4.0'),
  nemo('nvidia/canary-1b-v2', 1000, board, 'CC-BY-4.0'),
  nemo('nvidia/canary-180m-flash', 182, board, 'CC-BY-4.0'),
  byPython('kyutai/stt-2.6b-en-trfs', 'kyutai_model.py', ['transformers', 'torch'], 2600, board, 'CC-BY-4.0', {
    ...{ name: 'kyutai-stt-2.6b-en', bytesPerParameter: 2 },
  }),
  byPython(
    'mistralai/Voxtral-Mini-3B-2507',
    'voxtral_model.py',
    ['transformers', 'torch', 'mistral-common'],
    5000,
    board,
    'Apache-2.0',
    voxtral,
  ),
  byPython(
    'mistralai/Voxtral-Small-24B-2507',
    'voxtral_model.py',
    ['transformers', 'torch', 'mistral-common'],
    24_000,
    board,
    'Apache-2.0',
    voxtral,
  ),
  pipeline('openai/whisper-large-v3', 2000, board, 'Apache-2.0'),
  pipeline('openai/whisper-large-v3-turbo', 809, "the model's card", 'MIT'),
  pipeline('distil-whisper/distil-large-v3.5', 800, board, 'MIT'),
  pipeline('nyrahealth/CrisperWhisper', 2000, board, 'CC-BY-NC-4.0'),
  pipeline('UsefulSensors/moonshine-base', 61, "the model's card", 'MIT'),
  pipeline('UsefulSensors/moonshine-tiny', 27, "the model's card", 'MIT'),
  server('gpt-4o-transcribe', 'gpt-4o-transcribe', { responseFormat: 'json' }),
  server('gpt-4o-mini-transcribe', 'gpt-4o-mini-transcribe', { responseFormat: 'json' }),
  server('whisper-1', 'whisper-1'),
  server('groq-whisper-large-v3', 'whisper-large-v3', {
    ...{ baseUrl: 'https://api.groq.com/openai/v1', keyVariable: 'GROQ_API_KEY' },
  }),
  ...knownVoices,
];
