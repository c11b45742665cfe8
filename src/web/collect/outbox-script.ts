/**
 * What the browser keeps of recordings, and how it sends them: each second of sound is on its disk as it comes, and leaves it when the server
 * has acknowledged the whole clip. One tab sends at a time.
 */
export const outboxScript = `
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
const done = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
const finished = (transaction) => new Promise((resolve, reject) => { transaction.oncomplete = () => resolve(); transaction.onabort = transaction.onerror = () => reject(transaction.error); });
let opening = null;
const disk = () => (opening ??= new Promise((resolve, reject) => {
  const request = indexedDB.open('earwitness-recordings', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('takes', { keyPath: 'take' });
    request.result.createObjectStore('parts', { keyPath: ['take', 'number'] });
  };
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
}));
const all = async (store) => done((await disk()).transaction(store).objectStore(store).getAll());
const put = async (store, value) => { const t = (await disk()).transaction(store, 'readwrite', { durability: 'strict' }); t.objectStore(store).put(value); await finished(t); };
const partsOf = (take) => IDBKeyRange.bound([take, 0], [take, Infinity]);
const drop = async (take) => { const t = (await disk()).transaction(['takes', 'parts'], 'readwrite'); t.objectStore('takes').delete(take); t.objectStore('parts').delete(partsOf(take)); await finished(t); };
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const samplesOf = async (take) => {
  const parts = await done((await disk()).transaction('parts').objectStore('parts').getAll(partsOf(take)));
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.samples.length, 0));
  let at = 0;
  for (const part of parts) { samples.set(part.samples, at); at += part.samples.length; }
  return samples;
};
const words = {
  silent: 'Nothing can be heard. Is it the right microphone, and is it switched on?',
  clipped: 'It is too loud, so that the sound is cut off: move away a little and record again.',
  quiet: 'It is very quiet: come closer and record again.',
  noisy: 'There is much noise around you: is there a quieter place?',
  short: 'It is very short: was it cut off?',
};

const outboxes = [...document.querySelectorAll('[data-outbox]')];
const home = outboxes[0]?.dataset.home ?? document.querySelector('[data-recorder]')?.dataset.home;
const tell = (text) => { for (const box of outboxes) box.textContent = text; };
/** Sends one clip from where the server has it; what it answers at the end. */
const send = async ({ path, take, bytes, what }) => {
  const to = path + '/takes/' + take;
  const ask = async (where, type, body) => {
    const answer = await fetch(where, { method: 'PUT', headers: { 'content-type': type }, body });
    const told = await answer.json().catch(() => ({}));
    if (answer.status >= 500) throw new Error(told.problem ?? 'the server has a problem');
    return { ok: answer.ok, status: answer.status, ...told };
  };
  for (let tries = 0; tries < 20; tries++) {
    let told = await ask(to, 'application/json', JSON.stringify(what));
    while (told.ok && !told.kept) {
      const from = told.have;
      told = await ask(to + '?from=' + from, 'application/octet-stream', bytes.slice(from, from + 262144));
      if (told.ok && !told.kept && told.have <= from) break;
    }
    if (told.kept) return { ...told, path };
    if (told.refused) return told;
    // Anything else may heal: consent to a text that was changed, an invitation that was given anew.
    if (!told.ok && (told.status !== 409 || told.next)) throw Object.assign(new Error(told.problem ?? 'it was not taken'), { next: told.next });
  }
  throw new Error('it did not arrive whole');
};
let sending = null;
/** Sends what waits in this browser, oldest first, in one tab at a time. */
const empty = () => (sending ??= navigator.locks.request('earwitness outbox', async () => {
  const answers = new Map();
  for (let pause = 1; ; pause = Math.min(10, 2 * pause)) {
    const waiting = (await all('takes')).filter((one) => one.state === 'queued' && one.home === home).sort((a, b) => a.at - b.at);
    if (waiting.length === 0) { tell(''); return answers; }
    tell(waiting.length === 1 ? 'One recording is being sent …' : waiting.length + ' recordings are being sent …');
    try {
      for (const one of waiting) {
        const told = await send(one);
        answers.set(one.take, told);
        if (told.kept) await drop(one.take);
        else await put('takes', { ...one, state: 'refused', why: told.problem });
      }
      pause = 1;
    } catch (error) {
      if (error.next) location.assign(error.next);
      tell((waiting.length === 1 ? 'One recording waits' : waiting.length + ' recordings wait') + ' in this browser and will be sent: ' + (error instanceof TypeError ? 'there is no connection.' : error.message));
      await Promise.race([wait(pause), new Promise((resolve) => addEventListener('online', resolve, { once: true }))]);
    }
  }
}).finally(() => { sending = null; }));
if (home !== undefined) void empty().catch((error) => tell(String(error.message ?? error)));
/** What became of one clip, whichever tab sent it. */
const sentBy = async (take) => {
  for (;;) {
    const answer = (await empty()).get(take);
    if (answer) return answer;
    const left = await done((await disk()).transaction('takes').objectStore('takes').get(take));
    if (left === undefined) return { kept: true };
    if (left.state === 'refused') return { problem: left.why };
  }
};
// Whoever has withdrawn leaves nothing in this browser either.
for (const { dataset } of document.querySelectorAll('[data-withdrawn]'))
  void all('takes').then((takes) => Promise.all(takes.filter((one) => one.home === dataset.withdrawn).map((one) => drop(one.take))));
`;
