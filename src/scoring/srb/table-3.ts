/** Table 3 of M. A. Shah et al., "Speech Robust Bench" (ICLR 2025), as printed: normalized quality by severity 1 to 4. */
const printed = `
accent 31.6 - - - 31.6 - - - - - - -
bass 18.3 23.0 35.0 55.2 22.5 27.4 38.0 56.7 11.6 14.5 30.5 54.6
chorus 39.1 48.2 54.4 55.9 29.8 39.7 47.1 48.2 63.7 71.1 74.2 75.7
crosstalk 22.3 38.2 52.3 59.1 23.3 31.6 36.7 39.4 22.4 46.2 70.0 81.4
echo 54.1 53.4 52.8 50.6 39.0 36.3 36.0 34.9 71.2 72.6 71.7 67.9
env noise 50.5 61.5 76.0 88.5 51.8 59.2 72.7 91.4 39.7 58.7 76.6 84.1
env noise esc50 26.1 40.9 57.5 72.8 37.7 43.7 53.3 71.3 20.3 43.2 65.9 79.7
env noise musan 24.3 42.3 62.1 75.4 24.8 37.2 55.3 71.2 25.0 48.7 70.3 80.9
env noise wham 22.4 45.4 73.2 92.2 22.3 39.7 70.5 99.5 23.3 52.0 76.5 85.2
gain 50.0 68.9 76.6 80.7 45.1 65.9 76.4 82.6 61.3 75.9 79.8 81.6
gnoise 52.4 75.6 90.5 100.9 70.3 87.5 101.6 117.3 42.2 69.1 82.8 86.1
highpass 40.2 55.4 67.5 77.5 34.3 43.4 64.9 81.0 46.2 68.3 71.5 74.8
itw ff 100.1 - - - 100.1 - - - - - - -
itw ff ami 83.9 - - - 83.9 - - - - - - -
itw nf 78.1 - - - 78.1 - - - - - - -
itw nf ami 35.8 - - - 35.8 - - - - - - -
lowpass 33.1 37.1 50.8 78.0 47.3 46.7 62.5 97.9 20.5 29.3 40.5 58.4
music 22.3 43.1 65.8 78.9 25.5 41.4 62.2 76.7 20.2 45.4 70.0 81.7
phaser 15.0 32.3 59.8 79.5 21.4 34.7 58.1 76.7 10.9 32.0 63.5 83.4
pitch down 60.9 67.3 53.4 83.3 38.0 49.2 65.5 80.8 85.7 86.3 55.5 86.6
pitch up 58.0 61.2 64.3 65.1 32.2 38.1 44.1 45.9 85.7 86.2 86.3 86.3
real rir 38.7 53.8 68.9 84.2 34.2 44.8 59.9 87.1 43.2 62.7 77.9 81.3
resample 14.4 27.3 49.0 63.3 23.8 42.1 61.5 75.5 7.0 18.3 38.2 52.5
rir 50.3 63.1 68.3 68.0 40.4 56.3 64.3 64.7 64.9 74.5 78.0 78.0
slowdown 50.7 57.0 64.3 72.7 17.6 29.7 43.6 66.7 85.7 85.9 85.8 86.2
speedup 51.5 58.7 66.3 72.9 21.7 36.1 50.9 63.7 83.6 83.4 83.1 82.8
tempo down 48.7 51.8 54.5 50.1 18.4 21.6 26.7 35.1 81.3 84.5 85.1 85.5
tempo up 50.2 57.1 63.2 69.7 24.3 34.6 46.1 58.3 78.9 82.1 82.3 82.3
treble 11.6 21.6 40.5 62.4 19.4 29.7 43.2 60.6 2.4 12.4 42.3 72.4
tremolo 16.8 29.0 59.0 98.7 23.1 37.2 72.1 111.4 9.9 17.8 37.1 75.5
universal adv 10.3 - - - 11.7 - - - 8.8 - - -
synth. speech 49.6 - - - 15.7 - - - 83.4 - - -
`;

/** Names of the table that are not those of the program. */
const programNames: Readonly<Record<string, string>> = { 'synth. speech': 'voice_conversion_vctk' };

/** A family of Speech Robust Bench and what Table 3 of its paper prints by severity; null where it prints nothing. */
interface PrintedFamily {
  readonly family: string;
  readonly average: readonly (number | null)[];
  readonly dnsmos: readonly (number | null)[];
  readonly pesq: readonly (number | null)[];
}

export const srbTable3: readonly PrintedFamily[] = printed
  .trim()
  .split('\n')
  .map((line) => {
    const words = line.split(' ');
    const cells = words.splice(-12).map((cell) => (cell === '-' ? null : Number(cell)));
    const name = words.join(' ');
    return {
      family: programNames[name] ?? name.replaceAll(' ', '_'),
      average: cells.slice(0, 4),
      dnsmos: cells.slice(4, 8),
      pesq: cells.slice(8),
    };
  });
