/**
 * Lets calls into the library run beside each other, but one that changes what they all share, alone. The library writes its
 * messages to one file for the whole process, and closes it when it is given another, whoever is writing.
 */
export class CallGate {
  #running = 0;
  #waitingAlone = 0;
  #alone = false;
  readonly #waiting: (() => void)[] = [];

  /** Beside others that pass. Who waits to be alone goes first. */
  async pass<T>(call: () => Promise<T>): Promise<T> {
    while (this.#alone || this.#waitingAlone > 0) await this.#change();
    this.#running++;
    try {
      return await call();
    } finally {
      this.#running--;
      this.#changed();
    }
  }

  /** When nothing else runs; nothing else begins before it has ended. */
  async alone<T>(call: () => Promise<T>): Promise<T> {
    this.#waitingAlone++;
    while (this.#alone || this.#running > 0) await this.#change();
    this.#waitingAlone--;
    this.#alone = true;
    try {
      return await call();
    } finally {
      this.#alone = false;
      this.#changed();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
