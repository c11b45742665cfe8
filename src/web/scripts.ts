/** Sends a choice as soon as it is made. Without it the button does. */
export const explorerScript = `'use strict';
for (const form of document.querySelectorAll('form[data-explorer]')) {
  form.addEventListener('change', () => form.requestSubmit());
  // The page comes anew, and whoever chose by keyboard goes on from there.
  const place = ({ name, value, type }) => JSON.stringify([location.pathname, name, type, type === 'checkbox' ? value : null]);
  try {
    const kept = sessionStorage.getItem('chosen');
    sessionStorage.removeItem('chosen');
    const last = [...form.elements].find((control) => control.name && place(control) === kept);
    const folded = last?.closest('details');
    if (folded) folded.open = true;
    last?.focus();
    if (last?.type === 'search') last.setSelectionRange(last.value.length, last.value.length);
    form.addEventListener('submit', () => {
      const control = document.activeElement;
      if (form.contains(control) && control.name) sessionStorage.setItem('chosen', place(control));
    });
  } catch { /* Storage may be switched off. */ }
  // A browser that comes back to a page fills in what was chosen later: the address says what is shown. What somebody writes while a
  // page is still loading stays.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted || performance.getEntriesByType('navigation')[0]?.type !== 'navigate') form.reset();
  });
  // What is empty would only make the address longer.
  form.addEventListener('formdata', (event) => {
    for (const [key, value] of [...event.formData]) if (value === '' && !key.startsWith('is.')) event.formData.delete(key);
  });
}
const fold = (folded) => { if (folded) { folded.open = false; folded.querySelector('summary').focus(); } };
addEventListener('keydown', (event) => { if (event.key === 'Escape') fold(document.querySelector('.facet[open]')); });
addEventListener('click', ({ target }) => { for (const folded of document.querySelectorAll('.facet[open]')) if (!folded.contains(target)) folded.open = false; });
`;

/** Goes to the search of a page, which every page of a run has. */
export const searchScript = `'use strict';
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input:not([type=checkbox]), select, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = document.querySelector('input[type=search]');
  if (field) { event.preventDefault(); field.focus(); }
});
`;

/** Progress of a run under way: numbers come as server-sent events, and the page is loaded anew when it is finished. */
export const liveScript = `'use strict';
for (const box of document.querySelectorAll('[data-live]')) {
  const source = new EventSource(box.dataset.live);
  const put = (name, text) => { const at = box.querySelector('[data-' + name + ']'); if (at && at.textContent !== text) at.textContent = text; };
  source.addEventListener('progress', (event) => {
    const told = JSON.parse(event.data);
    box.hidden = false;
    for (const [name, text] of Object.entries(told.texts)) put(name, text);
    const bar = box.querySelector('progress');
    if (told.planned > 0) { bar.max = told.planned; bar.value = told.done; }
  });
  source.addEventListener('finished', () => { source.close(); location.reload(); });
}
`;

/**
 * Plays a clip before and after under one cursor. One of both plays at a time; a switch goes on at the same instant of speech, over
 * 10 ms. Waveforms and spectrograms were computed by the server.
 */
export const playerScript = `'use strict';
// From the server, or from the folder in which the page lies.
const source = globalThis.earwitness ?? {
  told: async (address) => (await fetch(address)).json(),
  bytes: async (address) => (await fetch(address)).arrayBuffer(),
};
for (const root of document.querySelectorAll('[data-audio]')) start(root);

async function start(root) {
  const status = root.querySelector('[data-status]');
  const say = (text) => { status.textContent = text; };
  const told = await source.told(root.dataset.audio).catch(() => null);
  if (told === null) return say('The server does not answer; was the command ended?');
  if (told.problem) return say(told.problem);
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 2048;
  analyser.connect(context.destination);
  const clips = [];
  for (const clip of told.clips) {
    const [sound, picture] = await Promise.all([clip.wav, clip.picture].map(source.bytes));
    clips.push({ ...clip, buffer: await context.decodeAudioData(sound), picture, peak: peakOf(picture) });
  }
  // One scale for all, filled by the loudest, so that a quiet recording is seen and clips can be compared by eye.
  const loudest = Math.max(...clips.map(({ peak }) => peak)) || 1;
  for (const clip of clips) Object.assign(clip, drawing(root.querySelector('[data-clips]'), clip, clip.picture, loudest));
  say(told.note);
  const measured = document.getElementById('measured');
  const element = (name, text, ...children) => { const made = document.createElement(name); made.textContent = text; made.append(...children); return made; };
  // What each step measured stands under its name.
  if (measured) measured.replaceChildren(...told.facts.flatMap(({ step, facts }) => {
    if (facts.length === 0) return [];
    const list = element('dl', '', ...facts.map(([name, value]) => element('div', '', element('dt', name), element('dd', value))));
    list.className = 'numbers';
    return [element('div', '', element('h3', step), list)];
  }));

  const map = told.timeMap;
  let which = clips.length - 1, playing = null, at = 0, loop = null, looping = false, matched = false;
  // Times are kept in the clean clip's; a map leads to the changed one's and back.
  const across = (value, from, to) => {
    if (map === null || map.length === 0) return value;
    let place = map.findIndex((pair) => pair[from] >= value);
    if (place < 0) place = map.length - 1;
    if (place === 0) place = Math.min(1, map.length - 1);
    const a = map[Math.max(0, place - 1)], b = map[place];
    return b[from] === a[from] ? a[to] : a[to] + (value - a[from]) * (b[to] - a[to]) / (b[from] - a[from]);
  };
  const toOwn = (clean, index) => index === 0 ? clean : across(clean, 1, 0);
  const toClean = (own, index) => index === 0 ? own : across(own, 0, 1);
  const now = () => playing === null ? at : toClean(Math.min(playing.clip.buffer.duration, playing.offset + context.currentTime - playing.begun), playing.index);

  const level = (index) => matched && clips[index].rms > 0 ? Math.min(20, 0.1 / clips[index].rms) : 1;
  const fade = 0.01;
  const quiet = () => {
    if (playing === null) return;
    const { source, gain } = playing;
    source.onended = null;
    gain.gain.setTargetAtTime(0, context.currentTime, fade / 3);
    source.stop(context.currentTime + 2 * fade);
    playing = null;
  };
  const play = (from) => {
    quiet();
    const clip = clips[which];
    const source = context.createBufferSource(), gain = context.createGain();
    source.buffer = clip.buffer;
    gain.gain.setValueAtTime(0, context.currentTime);
    gain.gain.linearRampToValueAtTime(level(which), context.currentTime + fade);
    source.connect(gain).connect(analyser);
    const offset = Math.max(0, Math.min(clip.buffer.duration - 0.001, toOwn(from, which)));
    source.start(0, offset);
    playing = { source, gain, clip, offset, begun: context.currentTime, index: which };
    source.onended = () => { at = looping && loop ? loop[0] : 0; playing = null; if (looping) play(at); else show(); };
    context.resume();
    show();
    requestAnimationFrame(follow);
  };
  const pause = () => { at = now(); quiet(); show(); };
  const go = (clean) => { at = Math.max(0, clean); if (playing !== null) play(at); else show(); };
  const samples = new Float32Array(analyser.fftSize);
  const meter = root.querySelector('meter');
  function follow() {
    if (playing === null) return;
    const here = now();
    if (looping && loop && here >= loop[1]) play(loop[0]);
    analyser.getFloatTimeDomainData(samples);
    let sum = 0;
    for (const sample of samples) sum += sample * sample;
    meter.value = Math.sqrt(sum / samples.length);
    show();
    requestAnimationFrame(follow);
  }
  const time = root.querySelector('[data-time]');
  const buttons = Object.fromEntries([...root.querySelectorAll('[data-do]')].map((button) => [button.dataset.do, button]));
  function show() {
    const here = now();
    time.textContent = here.toFixed(2) + ' s, ' + clips[which].label;
    clips.forEach((clip, index) => {
      clip.cursor.style.left = (100 * Math.min(1, toOwn(here, index) / clip.buffer.duration)) + '%';
      clip.box.classList.toggle('on', playing !== null && index === which);
      clip.loop.hidden = loop === null;
      if (loop) {
        const [from, to] = loop.map((value) => 100 * Math.min(1, toOwn(value, index) / clip.buffer.duration));
        clip.loop.style.left = from + '%';
        clip.loop.style.width = (to - from) + '%';
      }
    });
    buttons.play.firstChild.textContent = playing === null ? 'Play ' : 'Pause ';
    buttons.loop.setAttribute('aria-pressed', String(looping));
    buttons.match.setAttribute('aria-pressed', String(matched));
    if (playing === null) meter.value = 0;
  }
  const actions = {
    play: () => playing === null ? play(at) : pause(),
    switch: () => { const here = now(); which = (which + 1) % clips.length; if (playing === null) { at = here; play(here); } else play(here); },
    loop: () => { looping = !looping; show(); },
    match: () => { matched = !matched; if (playing !== null) play(now()); else show(); },
    from: () => mark(now(), Math.max(loop?.[1] ?? 0, now() + 0.05)),
    to: () => mark(Math.min(loop?.[0] ?? 0, now() - 0.05), now()),
  };
  // What is looped is marked by dragging, or at the place that is heard.
  const mark = (from, to) => { loop = [Math.max(0, from), to > from + 0.05 ? to : clips[0].buffer.duration]; looping = true; show(); };
  if (clips.length < 2) buttons.switch.hidden = true;
  for (const [name, button] of Object.entries(buttons)) button.addEventListener('click', () => actions[name]());
  clips.forEach((clip, index) => {
    let from = null;
    const cleanAt = (event) => {
      const { left, width } = clip.drawn.getBoundingClientRect();
      return toClean(clip.buffer.duration * Math.max(0, Math.min(1, (event.clientX - left) / width)), index);
    };
    clip.drawn.addEventListener('pointerdown', (event) => { from = cleanAt(event); clip.drawn.setPointerCapture(event.pointerId); });
    clip.drawn.addEventListener('pointerup', (event) => {
      if (from === null) return;
      const to = cleanAt(event);
      if (Math.abs(to - from) > 0.05) { loop = [Math.min(from, to), Math.max(from, to)]; looping = true; at = loop[0]; play(at); }
      else { loop = null; which = index; go(to); }
      from = null;
    });
  });
  for (const word of document.querySelectorAll('[data-from]')) {
    word.addEventListener('click', () => { which = clips.length - 1; play(toClean(Number(word.dataset.from), which)); });
  }
  addEventListener('keydown', (event) => {
    if (event.target.matches('input, select, button, a') && !'lmpab'.includes(event.key)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = { ' ': 'switch', p: 'play', l: 'loop', m: 'match', a: 'from', b: 'to' }[event.key];
    if (name) { event.preventDefault(); actions[name](); }
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') { event.preventDefault(); go(now() + (event.key === 'ArrowRight' ? 0.5 : -0.5)); }
  });
  root.dataset.ready = '';
  show();
  // Opened to be heard: where the browser allows it, as it does after a click on a page of ours.
  if (new URLSearchParams(location.search).has('play')) context.resume().then(() => { if (playing === null) play(at); });
}

function peakOf(bytes) {
  return new Float32Array(bytes, 8, 2 * new DataView(bytes).getUint32(0, true)).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function drawing(parent, clip, bytes, loudest) {
  const box = document.createElement('div');
  box.className = 'player';
  const title = document.createElement('h3');
  const level = clip.peak > 0 ? 'peak ' + (20 * Math.log10(clip.peak)).toFixed(1).replace('-', '\u2212') + ' dBFS' : 'digital silence';
  title.textContent = clip.label + ' (' + clip.seconds + ', ' + level + ')';
  const drawn = document.createElement('div');
  drawn.className = 'drawn';
  const view = new DataView(bytes);
  const columns = view.getUint32(0, true), rows = view.getUint32(4, true);
  const peaks = new Float32Array(bytes, 8, 2 * columns), levels = new Uint8Array(bytes, 8 + 8 * columns);
  const wave = document.createElement('canvas'), spectrum = document.createElement('canvas');
  wave.width = columns; wave.height = 100;
  spectrum.width = columns; spectrum.height = rows; spectrum.className = 'spectrum';
  wave.setAttribute('role', 'img'); wave.setAttribute('aria-label', 'Waveform, ' + clip.label);
  spectrum.setAttribute('role', 'img'); spectrum.setAttribute('aria-label', 'Spectrogram up to ' + clip.maxHz + ' Hz, ' + clip.label);
  const pen = wave.getContext('2d');
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent') || '#0b5c8f';
  for (let x = 0; x < columns; x++) {
    const low = peaks[2 * x] / loudest, high = peaks[2 * x + 1] / loudest;
    pen.fillRect(x, 50 - 50 * high, 1, Math.max(1, 50 * (high - low)));
  }
  const image = new ImageData(columns, rows);
  for (let x = 0; x < columns; x++) for (let y = 0; y < rows; y++) {
    const value = levels[x * rows + y] / 255, place = 4 * ((rows - 1 - y) * columns + x);
    image.data[place] = 255 * Math.min(1, 1.6 * value * value);
    image.data[place + 1] = 255 * Math.max(0, 1.5 * value - 0.5);
    image.data[place + 2] = 255 * (value < 0.5 ? 0.2 + value : 1.4 * (1 - value) + 0.2 * (2 * value - 1));
    image.data[place + 3] = 255;
  }
  spectrum.getContext('2d').putImageData(image, 0, 0);
  const cursor = document.createElement('div'), loop = document.createElement('div');
  cursor.className = 'cursor'; loop.className = 'loop'; loop.hidden = true;
  const label = (name, text) => Object.assign(document.createElement('span'), { className: name, textContent: text, ariaHidden: 'true' });
  const kilohertz = clip.maxHz / 1000;
  drawn.append(wave, spectrum, label('hertz top', kilohertz + ' kHz'), label('hertz middle', kilohertz / 2 + ' kHz'), label('hertz', '0'), loop, cursor);
  const times = document.createElement('div');
  times.className = 'times';
  const seconds = Number.parseFloat(clip.seconds);
  times.append(...[0, 1, 2, 3, 4].map((part) => label('', (seconds * part / 4).toFixed(2) + ' s')));
  box.append(title, drawn, times);
  parent.append(box);
  return { box, drawn, cursor, loop };
}

addEventListener('keydown', (event) => {
  if (event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey) return;
  document.querySelector('a[data-key="' + CSS.escape(event.key) + '"]')?.click();
});
`;

/**
 * What a page of a folder does in place of the server: loads the numbers and words that lie beside it as scripts (a page from file:// may
 * fetch nothing), and writes what its address asks for. Templates and filters are the server's own, put before this text.
 */
export const folderScript = `
const { page, run } = document.documentElement.dataset;
const policy = globalThis.trustedTypes?.createPolicy('earwitness', { createHTML: (text) => text, createScriptURL: (text) => text });
const trusted = (kind, text) => policy?.[kind](text) ?? text;
const parts = new Map(), wanted = new Map();
const load = (name) => {
  const known = wanted.get(name);
  if (known !== undefined) return known;
  const loading = new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trusted('createScriptURL', name);
    script.onload = () => resolve(parts.get(name));
    script.onerror = () => reject(new Error(name + ' is missing'));
    document.head.append(script);
  });
  wanted.set(name, loading);
  return loading;
};
// A callback for each sign takes twenty times as long: a million trials have 50 MB of columns.
const base64 = (text) => {
  const signs = atob(text);
  const bytes = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at++) bytes[at] = signs.charCodeAt(at);
  return bytes;
};
globalThis.earwitness = {
  put: (name, value) => parts.set(name, value),
  async told(names) {
    const [head, ...clips] = await Promise.all(names.split(' ').map(load));
    return { ...head, clips: head.clips.map((clip, at) => ({ ...clip, ...clips[at] })) };
  },
  bytes: async (text) => base64(text).buffer,
};

const kinds = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array, f32: Float32Array };
// A column of one value is that value.
const column = ([kind, length, told]) => typeof told === 'string' ? new kinds[kind](base64(told).buffer) : new kinds[kind](length).fill(told ?? NaN);
// Encoded at once and told apart by zeros: an array for each of a million texts takes seconds.
const joined = (texts) => {
  const all = new TextEncoder().encode(texts.map((text) => text.replaceAll('\\0', ' ') + '\\0').join(''));
  const starts = new Uint32Array(texts.length + 1);
  for (let at = 0; at < texts.length; at++) starts[at + 1] = all.indexOf(0, starts[at]) + 1;
  return { starts, all };
};

async function start() {
  const waiting = document.querySelector('[role=status]');
  if (waiting) waiting.textContent = 'The trials are loading …';
  const { header, columns: names, conditions, transcripts, audio, shard } = await load(run + '/index.js');
  const columns = Object.fromEntries(await Promise.all(names.map(async (name) => [name, column(await load(run + '/column-' + name + '.js'))])));
  const parameters = new URLSearchParams(location.search);
  const query = readQuery(parameters);
  const files = { orders: new Uint32Array(sortKeys.length * (header.rows + 1)) };
  if (query.sort !== null) files.orders.set(orderBy(columns, query.sort), sortKeys.indexOf(query.sort) * (header.rows + 1));
  const rowShard = (row) => run + '/trials-' + Math.floor(row / shard) + '.js';
  const utteranceShard = (position) => run + '/utterances-' + Math.floor(position / shard) + '.js';
  const whole = async (count, name) => (await Promise.all(Array.from({ length: Math.ceil(count / shard) }, (_, at) => load(name(at * shard))))).flat();
  const none = new Uint32Array(0);
  Object.assign(files, { confusions: none, confusionStart: new Uint32Array(header.rows + 1), pairs: none, saidStart: new Uint32Array(1), said: none, lexicon: new Uint8Array(0), text: new Uint8Array(0), textStart: new Uint32Array(header.rows + 1), utteranceText: new Uint8Array(0), utteranceTextStart: new Uint32Array(header.utterances + 1) });
  if (query.search !== '') {
    const utterances = joined((await whole(header.utterances, utteranceShard)).map(([id, , reference, , speaker]) => searched(id) + '\\n' + searched(reference ?? '') + '\\n' + searched(speaker ?? '')));
    Object.assign(files, { utteranceText: utterances.all, utteranceTextStart: utterances.starts });
    if (transcripts) {
      const rows = joined((await whole(header.rows, rowShard)).map(([text]) => searched(text ?? '')));
      Object.assign(files, { text: rows.all, textStart: rows.starts });
    }
  }
  const index = createTrialIndex(header, columns, (name, from, to) => files[name].subarray(from, to));
  const main = document.querySelector('main');
  const put = (content) => {
    const live = [...main.children];
    main.insertAdjacentHTML('beforeend', trusted('createHTML', markupText(content)));
    for (const one of live) one.remove();
  };
  const utteranceOf = async (position) => (await load(utteranceShard(position)))[position % shard];
  const trialOf = async (row) => (await load(rowShard(row)))[row % shard];
  if (page === 'trials') return trials({ index, query, parameters, put, utteranceOf, trialOf, transcripts, audio: audio.length > 0 });
  const clip = parameters.get('clip') ?? '';
  const own = clip.split('.').map(Number);
  const same = (row) => ['utterance', 'condition', 'draw', 'repeat'].every((name, at) => columns[name][row] === own[at]);
  const [rows, cleanRows] = [[], []];
  const others = new Map();
  for (let row = 0; row < header.rows; row++) {
    if (columns.utterance[row] !== own[0]) continue;
    const name = header.conditions[columns.condition[row]];
    if (!others.has(name)) others.set(name, beside.trial(run, clipName(index, row), []));
    if (same(row)) rows.push(row);
    else if (name === 'clean' && columns.repeat[row] === own[3]) cleanRows.push(row);
  }
  if (rows.length === 0) return put(html\`<p class="text">There is no such trial in this run.</p>\`);
  const utterance = await utteranceOf(own[0]);
  const [id, language, reference] = utterance;
  const heardIn = async (row) => heardFrom({ index, row }, await trialOf(row), utterance);
  const answers = await Promise.all(rows.map(heardIn));
  const attributes = header.attributes.flatMap(({ name, values }, place) => {
    const code = columns.codes[place * header.utterances + own[0]];
    return code === 0 ? [] : [[name, values[code - 1]]];
  });
  const conditionName = header.conditions[own[1]];
  const condition = conditions.find(({ name }) => name === conditionName) ?? { name: conditionName, steps: [] };
  const at = parameters.has('at') ? Number(parameters.get('at')) : null;
  const part = (name) => run + '/audio/' + name + '.js';
  const sound = [own[0], own[1], own[2]].join('.');
  const has = audio.includes(sound);
  const cleanName = [own[0], header.conditions.indexOf('clean'), 0].join('.');
  const before = conditionName === 'clean' ? [] : await Promise.all(cleanRows.map(heardIn));
  put(trialPage({
    about: attributes, language, reference: transcripts ? reference : null, condition, draw: own[2], repeat: own[3], answers, before, transcripts,
    audio: has ? [part(sound + '.facts'), ...new Set([cleanName, sound])].map((name, at) => at === 0 ? name : part(name)).join(' ') : null,
    withoutAudio: audio.length === 0 ? 'This folder holds no audio.' : 'The audio of this clip could not be made.',
    others: [...others].map(([name, href]) => ({ name, href })),
    ...neighbourLinks(index, query, { at, run, links: beside }),
  }));
  document.title = id + document.title.slice(document.title.indexOf(' – '));
  document.querySelector('h1 bdi').textContent = visibleText(id);
  await load('assets/player.js');
}

/** The words of a reference that are counted; null: there is none. */
const wordsOf = ([, , reference, words]) => words === 0 ? (reference ?? '').split(' ') : words?.split(' ').filter((word) => word !== '') ?? null;

function heardFrom({ index: { header, columns }, row }, [transcript, failure, steps, written, starts], utterance) {
  const heard = written === 0 ? (transcript ?? '').split(' ') : written?.split(' ') ?? [];
  return { recognizer: header.recognizers[columns.recognizer[row]], seconds: Number.isNaN(columns.seconds[row]) ? null : columns.seconds[row], transcript, failure, aligned: steps === null ? null : alignedBy(steps, wordsOf(utterance), heard), starts: starts ?? [] };
}

function alignedBy(steps, said, heard) {
  let [reference, hypothesis] = [0, 0];
  return [...steps].map((step) => {
    const [one, other] = [step === 'i' ? null : said?.[reference++] ?? '', step === 'd' ? null : heard[hypothesis++] ?? (step === '=' ? '' : ' ')];
    return { reference: one, hypothesis: other };
  });
}

async function trials({ index, query, parameters, put, utteranceOf, trialOf, transcripts, audio }) {
  const [utterances, trials] = [new Map(), new Map()];
  const wanted = Number(parameters.get('page') ?? 1);
  const given = { run, links: beside, index, query, page: Number.isInteger(wanted) && wanted >= 1 ? wanted : 1, transcripts, audio, newer: false, finished: true };
  // Written twice: first to learn what it shows.
  trialsPage({
    ...given,
    utterance: (position) => { utterances.set(position, null); return { id: '', language: '', reference: null, words: null }; },
    heard: (row) => { trials.set(row, null); return { transcript: '' }; },
  });
  for (const position of utterances.keys()) utterances.set(position, await utteranceOf(position));
  for (const row of trials.keys()) trials.set(row, heardFrom({ index, row }, await trialOf(row), utterances.get(index.columns.utterance[row])));
  put(trialsPage({
    ...given,
    utterance(position) {
      const own = utterances.get(position);
      return { id: own[0], language: own[1], reference: transcripts ? own[2] : null, words: wordsOf(own) };
    },
    heard: (row) => trials.get(row),
  }));
  await load('assets/explorer.js');
}

start().catch((error) => {
  const told = document.createElement('p');
  told.textContent = 'This page cannot be shown: ' + error.message;
  document.querySelector('main').replaceChildren(told);
});
`;
