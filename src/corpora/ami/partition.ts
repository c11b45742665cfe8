/**
 * The part of AMI's full-corpus partition for speech recognition that a meeting belongs to ("Full-corpus-ASR partition
 * of meetings", AMI corpus documentation). IB4005 is in none.
 *
 * @example partOf('ES2004a') // 'test'
 */
export function partOf(meeting: string): 'train' | 'dev' | 'test' | null {
  if (meeting === 'IB4005') return null;
  const series = meeting.replace(/[a-e]$/, '');
  if (['ES2004', 'IS1009', 'TS3003', 'EN2002'].includes(series)) return 'test';
  const nonScenario = ['IB4001', 'IB4002', 'IB4003', 'IB4004', 'IB4010', 'IB4011'];
  return ['ES2011', 'IS1008', 'TS3004', ...nonScenario].includes(series) ? 'dev' : 'train';
}
