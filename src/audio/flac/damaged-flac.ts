/** What is wrong with the bytes of a FLAC stream, as the inside of a sentence; the file's name is added by who knows it. */
export class DamagedFlac extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'DamagedFlac';
  }
}
