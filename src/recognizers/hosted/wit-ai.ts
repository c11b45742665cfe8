import { heard, items, members, type OneCallService, seconds, wavCall, wordOf } from './service.ts';

/** Codes of wit.ai's errors by the status that says the same. */
const statusAtWit: Readonly<Record<string, number>> = { 'no-auth': 401, timeout: 504 };

/** https://wit.ai/docs/http ("POST /dictation"): JSON objects that follow each other, the final ones last. */
export const witAi: OneCallService = {
  title: 'wit.ai',
  documentation: 'https://wit.ai/docs/http#post__dictation_link',
  address: () => 'https://api.wit.ai',
  regions: [],
  models: ['dictation'],
  keyVariable: 'WIT_AI_TOKEN',
  authorize: (key) => ({ Authorization: `Bearer ${key}` }),
  price: { amount: 0, currency: 'USD', seen: '2026-11' },
  concurrency: 2,
  maxSeconds: 290,
  languages: 'account',
  answersInPieces: true,
  ask: ({ wav }) => wavCall('/dictation?v=20240304', wav),
  refusal(answer) {
    // What goes wrong in the middle comes after pieces of a transcript, which is then cut.
    const place = items(answer).findIndex(({ error }) => typeof error === 'string');
    if (place < 0) return null;
    const { error, code } = items(answer)[place]!;
    const status = statusAtWit[String(code)] ?? (place === 0 ? 400 : 500);
    return { status, message: `${String(error)} (${String(code)})` };
  },
  read(answer) {
    if (!Array.isArray(answer)) return null;
    const said = items(answer).filter(({ text }) => typeof text === 'string');
    const isFinal = ({ is_final, type }: Readonly<Record<string, unknown>>) =>
      is_final === true || type === 'FINAL_TRANSCRIPTION';
    const final = said.filter(isFinal);
    const last = said.at(-1);
    // Words that never became final: the answer ended before what was said did.
    if (last === undefined || final.length === 0 || (!isFinal(last) && last.text !== '')) return null;
    return heard(
      final.map(({ text }) => (text as string).trim()).join(' '),
      final.flatMap(({ speech }) =>
        items(members(speech).tokens).flatMap(({ token, start, end, confidence }) =>
          wordOf(token, seconds(start, 1000), seconds(end, 1000), confidence),
        ),
      ),
      { confidence: members(final[0]?.speech).confidence },
    );
  },
};
