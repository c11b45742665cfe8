// Of the scope of audio worklets (Web Audio API), whose types come with none of TypeScript's libraries.
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Hands on what the microphone gives, sample by sample, in parts of 2,048. */
class Recorder extends AudioWorkletProcessor {
  readonly #part = new Float32Array(2048);
  #length = 0;

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const samples = input?.[0];
    if (samples) {
      this.#part.set(samples, this.#length);
      this.#length += samples.length;
      if (this.#length === this.#part.length) {
        this.port.postMessage(this.#part.slice());
        this.#length = 0;
      }
    }
    return true;
  }
}

registerProcessor('earwitness-recorder', Recorder);
