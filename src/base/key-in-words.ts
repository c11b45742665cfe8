const units: Readonly<Record<string, string>> = {
  ...{ db: 'dB', dbfs: 'dBFS', hz: 'Hz', khz: 'kHz', seconds: 's', ms: 'ms', semitones: 'semitones', percent: '%' },
  ...{ lufs: 'LUFS', kbps: 'kbit/s', meters: 'm' },
};
const acronyms = new Set(['snr', 'wer', 'cer', 'rms', 'rir', 'lpc', 'mfcc', 'dct', 'ctc', 'vad', 'id']);

/**
 * A key of ours as people read it: its words, and its unit behind them.
 *
 * @example keyInWords('achievedSnrDb') // 'achieved SNR, dB'
 */
export function keyInWords(key: string): string {
  const words = key
    .replace(/\[(\d+)\]/g, (_, index) => ` ${Number(index) + 1}`)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z][a-z]|^[a-z]/.test(word) ? word.toLowerCase() : word));
  const unit = words.length > 1 ? units[words.at(-1)!] : undefined;
  const named = (unit === undefined ? words : words.slice(0, -1)).map((word) =>
    acronyms.has(word) ? word.toUpperCase() : word,
  );
  return unit === undefined ? named.join(' ') : `${named.join(' ')}, ${unit}`;
}
