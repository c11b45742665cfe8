/**
 * Environment variables that keep engines from telling their makers about the machine and its models: ONNX Runtime, which does so by
 * default since 1.29, in Node and in Python; and whatever heeds DO_NOT_TRACK, Hugging Face's Python packages among them.
 */
export const noTelemetry: Readonly<Record<string, string>> = { ORT_DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' };

/**
 * Keeps engines in this process, in its threads and in the processes that it starts from telling their makers anything. To be called
 * in the main thread before an engine loads: what a thread writes into its copy of the environment reaches the processes that it starts, but
 * no engine of its own.
 */
export function refuseTelemetry(): void {
  Object.assign(process.env, noTelemetry);
}
