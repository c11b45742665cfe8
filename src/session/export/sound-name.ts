import { sha256 } from '../../base/hash.ts';

/** File systems end at 255 bytes for one name; endings and temporary names come on top. */
const longestName = 150;

/**
 * The path below a folder, without ending, of the sound of an utterance. Different ids have different paths: slashes stay
 * folders, whatever else is not plain is written as its bytes in percent, and what is too long ends in its hash.
 *
 * @example soundName('train/a b') // 'train/a%20b'
 * @example soundName('../x') // '%2E%2E/x'
 */
export function soundName(utteranceId: string): string {
  return utteranceId.split('/').map(safePart).join('/');
}

function safePart(part: string): string {
  const bytes = new TextEncoder().encode(part);
  let safe = '';
  for (const [place, byte] of bytes.entries()) {
    const character = String.fromCharCode(byte);
    // A dot or a hyphen in front hides a file, or looks like an option.
    const plain = /[A-Za-z0-9_]/.test(character) || (/[.@+-]/.test(character) && place > 0);
    safe += plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  if (safe === '') return '%';
  // Windows drops a dot at the end and keeps some names for devices.
  if (safe.endsWith('.')) safe = `${safe.slice(0, -1)}%2E`;
  if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(safe)) safe = `%${safe.charCodeAt(0).toString(16)}${safe.slice(1)}`;
  return safe.length <= longestName ? safe : `${safe.slice(0, longestName - 18)}%%${sha256(part).slice(0, 16)}`;
}
