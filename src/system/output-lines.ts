import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/**
 * Hears what a program prints line by line, empty lines left out. What has no end of line yet waits for it.
 *
 * @param tooLong is told once a line has more than so many characters; nothing is heard after it
 */
export function hearLines(
  output: Readable,
  maxCharacters: number,
  hear: (line: string) => void,
  tooLong: () => void,
): void {
  const decoder = new StringDecoder('utf8');
  let carried = '';
  let over = false;
  output.on('data', (chunk: Buffer) => {
    if (over) return;
    const text = decoder.write(chunk);
    const end = text.lastIndexOf('\n');
    carried += end === -1 ? text : text.slice(0, end);
    if (carried.length > maxCharacters) {
      over = true;
      return tooLong();
    }
    if (end === -1) return;
    const lines = carried.split('\n');
    carried = text.slice(end + 1);
    for (const line of lines) if (line.trim() !== '') hear(line);
  });
}
