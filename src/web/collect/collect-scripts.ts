import { browserCode } from '../browser-code.ts';
import type { Answer } from '../frame.ts';

/**
 * What the browser keeps of recordings, and how it sends them: each second of sound is on its disk as it comes, and leaves it when the server
 * has acknowledged the whole clip. One tab sends at a time.
 */
const outboxScript = `
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

/** Hands on what the microphone gives, sample by sample, in parts of 2,048. */
export const workletScript: Answer = {
  type: 'text/javascript; charset=utf-8',
  body: `'use strict';
class Recorder extends AudioWorkletProcessor {
  constructor() { super(); this.part = new Float32Array(2048); this.length = 0; }
  process([input]) {
    const samples = input && input[0];
    if (samples) {
      this.part.set(samples, this.length);
      this.length += samples.length;
      if (this.length === this.part.length) { this.port.postMessage(this.part.slice()); this.length = 0; }
    }
    return true;
  }
}
registerProcessor('earwitness-recorder', Recorder);
`,
};

let made: Answer | null = null;

/** Records, checks, keeps in the browser, and sends: nothing leaves the browser's own disk before the server has it. */
export function recorderScript(): Answer {
  made ??= {
    type: 'text/javascript; charset=utf-8',
    body: browserCode(
      [
        new URL(import.meta.resolve('../../audio/levels.ts')),
        new URL(import.meta.resolve('../../audio/encode-wav.ts')),
      ],
      script,
    ),
  };
  return made;
}

const script = `
${outboxScript}
for (const recorder of document.querySelectorAll('[data-recorder]')) {
  const find = (name) => recorder.querySelector('[data-' + name + ']');
  const [record, listen, keep, level, time, told, problems] = ['record', 'listen', 'keep', 'level', 'time', 'told', 'problems'].map(find);
  const path = recorder.dataset.keepPath;
  const max = Number(recorder.dataset.max);
  const place = JSON.parse(recorder.dataset.place ?? '{}');
  let recording = null;
  let clip = null;
  let playing = null;
  let isStarting = false;
  // Loaded with the page, at the rate that the microphone had last: what loads when somebody wants to record does not load without a network.
  const contextAt = async (sampleRate) => {
    const made = new AudioContext({ latencyHint: 'playback', ...(sampleRate && { sampleRate }) });
    try { await made.audioWorklet.addModule('/assets/recorder-worklet.js'); } catch (error) { await made.close(); throw error; }
    return made;
  };
  const remembered = () => { try { return Number(localStorage.getItem('earwitness rate')) || undefined; } catch { return undefined; } };
  let context = null;
  const loading = contextAt(remembered()).then((made) => { context ??= made; }, () => {});
  const say = (text, bad) => { told.textContent = text; told.classList.toggle('bad', bad === true); };
  const show = () => {
    record.textContent = recording ? 'Stop' : clip ? 'Record again' : record.dataset.label;
    listen.disabled = recording !== null || clip === null;
    listen.textContent = playing ? 'Stop' : 'Listen';
    if (keep) keep.disabled = recording !== null || clip === null;
  };
  const judge = () => {
    const found = checkRecording(clip);
    problems.replaceChildren(...found.problems.map((problem) => { const item = document.createElement('li'); item.textContent = words[problem]; return item; }));
    const asked = ['echoCancellation', 'noiseSuppression', 'autoGainControl'].filter((name) => clip.settings[name] === true);
    const changes = asked.length > 0 ? ' This browser changes the sound (' + asked.map((name) => name.replace(/[A-Z]/g, (letter) => ' ' + letter.toLowerCase())).join(', ') + ') although it was asked not to.' : '';
    say(found.durationSeconds.toFixed(1) + ' s' + (found.problems.length === 0 ? ', good.' : '.') + changes, found.problems.length > 0);
    time.textContent = '';
  };
  const start = async () => {
    if (isStarting) return;
    isStarting = true;
    try { await begin(); } finally { isStarting = false; }
  };
  const begin = async () => {
    stopPlaying();
    say('');
    problems.replaceChildren();
    let stream;
    try {
      if (!navigator.mediaDevices) throw new Error('this page needs https:// to use the microphone');
      stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
    } catch (error) {
      const why = { NotAllowedError: 'the browser was not allowed to use it. Allow it beside the address of the page.', NotFoundError: 'none was found. Plug one in.', NotReadableError: 'another program uses it. End that one.' }[error.name] ?? error.message;
      return say('There is no microphone: ' + why, true);
    }
    const [track] = stream.getAudioTracks();
    const answered = track.getSettings();
    try {
      await loading;
      // At the rate of the microphone, so that nothing is resampled before it is kept.
      if (!context || (answered.sampleRate && context.sampleRate !== answered.sampleRate)) {
        const made = await contextAt(answered.sampleRate);
        await context?.close();
        context = made;
        try { localStorage.setItem('earwitness rate', String(context.sampleRate)); } catch {}
      }
      await context.resume();
    } catch {
      for (const each of stream.getTracks()) each.stop();
      return say('The recorder could not be loaded: there is no connection. Try again in a moment.', true);
    }
    const most = Math.min(max * context.sampleRate, (Number(recorder.dataset.maxBytes ?? Infinity) - 44) / 2);
    const said = (name) => (typeof answered[name] === 'boolean' ? answered[name] : null);
    const settings = { echoCancellation: said('echoCancellation'), noiseSuppression: said('noiseSuppression'), autoGainControl: said('autoGainControl'), sampleRate: answered.sampleRate ?? context.sampleRate };
    const source = context.createMediaStreamSource(stream);
    const node = new AudioWorkletNode(context, 'earwitness-recorder', { numberOfOutputs: 0 });
    const own = { take: crypto.randomUUID(), parts: [], unsaved: [], number: 0, length: 0, stream, source, node, saving: Promise.resolve(), settings };
    if (clip?.take && path) void drop(clip.take);
    clip = null;
    recording = own;
    if (path) own.saving = put('takes', { take: own.take, home, path, state: 'draft', sampleRate: context.sampleRate, settings, place, at: Date.now() }).catch((error) => { own.problem = error; });
    const save = () => {
      if (!path || own.problem || own.unsaved.length === 0) return;
      const samples = joined(own.unsaved);
      own.unsaved = [];
      const number = own.number++;
      own.saving = own.saving.then(() => put('parts', { take: own.take, number, samples })).catch((error) => { own.problem = error; });
    };
    own.save = save;
    let sinceSaved = 0;
    node.port.onmessage = ({ data }) => {
      if (recording !== own) return;
      own.parts.push(data);
      own.unsaved.push(data);
      own.length += data.length;
      sinceSaved += data.length;
      let energy = 0;
      for (const sample of data) energy += sample * sample;
      level.value = Math.max(-60, 10 * Math.log10(energy / data.length + 1e-9));
      time.textContent = (own.length / context.sampleRate).toFixed(1) + ' of at most ' + Math.floor(most / context.sampleRate) + ' s';
      if (sinceSaved > context.sampleRate) { sinceSaved = 0; save(); }
      if (own.length + 2048 > most) void stop();
    };
    track.addEventListener('ended', () => { if (recording === own) { void stop(); say('The microphone was unplugged or taken away. What was recorded is here.', true); } });
    source.connect(node);
    show();
  };
  const joined = (parts) => { const samples = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0)); let at = 0; for (const part of parts) { samples.set(part, at); at += part.length; } return samples; };
  const stop = async () => {
    const own = recording;
    if (own === null) return;
    recording = null;
    own.source.disconnect();
    own.node.port.onmessage = null;
    for (const track of own.stream.getTracks()) track.stop();
    own.save();
    level.value = -60;
    clip = { samples: joined(own.parts), sampleRate: context.sampleRate, settings: own.settings, take: own.take, place };
    judge();
    show();
    await own.saving;
    if (own.problem) say('This browser has no room to keep the recording (' + own.problem.name + '): keep it now, and do not close the page before it is sent.', true);
    (keep ?? listen).focus();
  };
  const stopPlaying = () => { if (playing) { playing.onended = null; playing.stop(); playing = null; show(); } };
  const play = async () => {
    if (playing) return stopPlaying();
    if (!clip || clip.samples.length === 0) return;
    await loading;
    context ??= new AudioContext({ latencyHint: 'playback' });
    await context.resume();
    const buffer = context.createBuffer(1, clip.samples.length, clip.sampleRate);
    buffer.copyToChannel(clip.samples, 0);
    playing = context.createBufferSource();
    playing.buffer = buffer;
    playing.connect(context.destination);
    playing.onended = () => { playing = null; show(); };
    playing.start();
    show();
  };
  const keepIt = async () => {
    if (!keep || keep.disabled || !clip) return;
    stopPlaying();
    keep.disabled = true;
    record.disabled = true;
    const bytes = encodeWav({ samples: clip.samples, sampleRate: Math.round(clip.sampleRate) }, { format: 's16' });
    const what = { bytes: bytes.length, sha256: hex(await crypto.subtle.digest('SHA-256', bytes)), environment: clip.place.environment ?? '', device: clip.place.device ?? '', rooms: clip.place.rooms ?? '', settings: clip.settings };
    const one = { take: clip.take, home, path, state: 'queued', at: Date.now(), bytes, what };
    say('Saving …');
    let answer = null;
    try {
      await put('takes', one);
      answer = await sentBy(one.take);
    } catch (error) {
      // No room on this browser's disk: from memory, then.
      for (let pause = 1; answer === null; pause = Math.min(10, 2 * pause)) {
        try { answer = await send(one); } catch (failed) { say('Not sent yet: ' + failed.message + '. Leave this page open.', true); await wait(pause); }
      }
    }
    record.disabled = false;
    if (answer?.kept) { location.assign(answer.next ?? recorder.dataset.next); return; }
    keep.disabled = false;
    say(answer?.problem ?? 'This was not taken.', true);
  };
  record.addEventListener('click', () => (recording ? stop() : start()).catch((error) => say(String(error.message ?? error), true)));
  listen.addEventListener('click', play);
  keep?.addEventListener('click', () => void keepIt());
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches('input[type=text], textarea')) return;
    if (event.key === 'r' || event.key === 'R') record.click();
    else if (event.key === 'p' || event.key === 'P') listen.click();
    else return;
    event.preventDefault();
  });
  addEventListener('beforeunload', (event) => { if (recording) event.preventDefault(); });
  /** What a closed tab left. */
  const before = async () => {
    if (!path) return;
    const mine = (await all('takes')).filter((one) => one.path === path && one.state !== 'queued').sort((a, b) => b.at - a.at);
    for (const old of mine.slice(1)) await drop(old.take);
    const [last] = mine;
    if (last === undefined || recording || clip || isStarting) return;
    if (last.state === 'refused') { say('This was not taken: ' + last.why + ' Record it again.', true); return drop(last.take); }
    const samples = await samplesOf(last.take);
    if (samples.length < last.sampleRate / 4) return drop(last.take);
    clip = { samples, sampleRate: last.sampleRate, settings: last.settings, take: last.take, place: last.place };
    judge();
    say('This is what you had recorded before the page was closed. Listen to it, keep it, or record again.');
    show();
  };
  say('');
  void before();
  // What waited here was sent: nothing is left to be done on this page.
  if (path) void empty().then((answers) => {
    const sent = [...answers.values()].find((answer) => answer.kept && answer.path === path);
    if (sent && !recording && !clip && !isStarting) location.assign(sent.next);
  }).catch(() => {});
  show();
}
for (const button of document.querySelectorAll('[data-skip]')) {
  button.addEventListener('click', async () => {
    const answer = await fetch(button.dataset.skip, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' }).catch(() => null);
    const told = await answer?.json().catch(() => null);
    if (told?.next) location.assign(told.next);
    else tell(told?.problem ?? 'There is no connection. Try again in a moment.');
  });
}
`;
