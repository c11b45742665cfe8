/** The lists of knip. What a file exports is imported by another one: code by code, or by its test. */
// biome-ignore lint/style/noDefaultExport: knip asks for it.
export default ({ production = false }: { readonly production?: boolean }) => ({
  entry: [
    'src/index.ts!',
    'src/cli/main.ts!',
    'src/scoring/scoring.ts!',
    'src/statistics/statistics.ts!',
    'src/perturbations/perturbations.ts!',
    'src/studies/studies.ts!',
    'src/browser/pages/*.ts!',
    'src/worker.ts!',
    'src/recognizer-host.ts!',
    'src/session/export/worker.ts!',
    'src/store/postgres/thread.ts!',
    'src/synthesizers/sherpa-onnx/worker.ts!',
    'src/**/*.test.ts',
    'scripts/*.ts',
    'bench/**/*.ts',
  ],
  project: ['bin/**!', 'src/**!', 'scripts/**', 'bench/**', '!src/**/testing/**!', '!src/**/conformance.ts!'],
  node: false,
  // Production is read without tests: what a file uses itself may be exported for its test.
  ignoreExportsUsedInFile: production || { interface: true, type: true },
  ignoreBinaries: [
    'sox',
    'ffmpeg',
    'ffprobe',
    'espeak-ng',
    'truncate',
    'mkfifo',
    'unshare',
    'gcc',
    'openssl',
    'script',
  ],
  ignoreDependencies: ['@arethetypeswrong/cli', '@aws-sdk/client-s3', 'publint'],
});
