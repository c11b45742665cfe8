import type { Cue } from './subtitle-cues.ts';

/**
 * Subtitles as a SubRip file, as players take it: number, times, lines, an empty line. `-->` in a line would be taken for
 * times.
 */
export function srtText(cues: readonly Cue[]): string {
  return cues
    .map(({ startSeconds, endSeconds, lines }, index) => {
      const text = lines.join('\n').replaceAll('-->', '->');
      return `${index + 1}\n${clockTime(startSeconds, ',')} --> ${clockTime(endSeconds, ',')}\n${text}\n`;
    })
    .join('\n');
}

/** Subtitles as WebVTT (W3C, WebVTT: The Web Video Text Tracks Format, section 4). */
export function vttText(cues: readonly Cue[]): string {
  const blocks = cues.map(({ startSeconds, endSeconds, lines }) => {
    const text = lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `\n${clockTime(startSeconds, '.')} --> ${clockTime(endSeconds, '.')}\n${text}\n`;
  });
  return `WEBVTT\n${blocks.join('')}`;
}

/** Hours, minutes, seconds and thousandths: 00:00:01,500. */
function clockTime(seconds: number, point: ',' | '.'): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (size: number, within: number) => String(Math.floor(milliseconds / size) % within);
  const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, '0');
  return `${hours}:${part(60_000, 60).padStart(2, '0')}:${part(1000, 60).padStart(2, '0')}${point}${part(1, 1000).padStart(3, '0')}`;
}
