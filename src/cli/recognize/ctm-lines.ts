import { basename, extname } from 'node:path';
import { visibleText } from '../../base/visible-text.ts';
import type { TimedWord } from './timed-words.ts';

/** Recognized sound has one channel by the time it is heard. */
const channel = '1';

/**
 * Words as NIST's time marked conversation file: `file channel begin duration word [confidence]`, times in seconds (sclite(1),
 * "Time marked conversation scoring input"). What has a blank in it becomes several words of equal length.
 *
 * @param path of the sound, whose name without ending stands for it
 * @example ctmLines('calls/a.wav', words) // ['a 1 0.460 0.180 go 0.9999', …]
 */
export function ctmLines(path: string, words: readonly TimedWord[]): string[] {
  const file = visibleText(basename(path, extname(path)))
    .replaceAll(/\s+/g, '_')
    .replace(/^;;/, '_;');
  return words.flatMap(({ text, startSeconds, endSeconds, confidence }) => {
    const parts = text.split(/\s+/).filter(Boolean);
    const seconds = (endSeconds - startSeconds) / parts.length;
    return parts.map((part, index) => {
      // A mark of alternatives is no word here.
      const word = visibleText(part).replace(/^<(alt(?:_begin|_end)?)>$/i, '<_$1>');
      const times = `${(startSeconds + index * seconds).toFixed(3)} ${seconds.toFixed(3)}`;
      return `${file} ${channel} ${times} ${word}${confidence === null ? '' : ` ${confidence.toFixed(4)}`}`;
    });
  });
}
