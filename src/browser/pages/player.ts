import { acrossTime } from '../time-map.ts';
import type { AddressedClip, ClipSource, ToldClips } from '../told.ts';
import { all, find, isAt, isPlain } from './shared/elements.ts';

/*
 * Plays a clip before and after under one cursor. One of both plays at a time; a switch goes on at the same instant of speech, over
 * 10 ms. Waveforms and spectrograms were computed by the server.
 */

/** From the server, or from the folder in which the page lies. */
const source: ClipSource = globalThis.earwitness ?? {
  told: async (address: string) => (await fetch(address)).json(),
  bytes: async (address: string) => (await fetch(address)).arrayBuffer(),
};
for (const root of all('[data-audio]', HTMLElement)) void start(root);

interface Playing {
  readonly source: AudioBufferSourceNode;
  readonly gain: GainNode;
  readonly clip: LoadedClip;
  readonly offset: number;
  readonly begun: number;
  readonly index: number;
}

type LoadedClip = AddressedClip & Drawn & { readonly buffer: AudioBuffer };

const fadeSeconds = 0.01;

async function start(root: HTMLElement): Promise<void> {
  const status = find('[data-status]', HTMLElement, root);
  const told = await source.told(root.dataset.audio ?? '').catch(() => null);
  if (told === null || 'problem' in told) {
    status.textContent = told?.problem ?? 'The server does not answer; was the command ended?';
    return;
  }
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 2048;
  analyser.connect(context.destination);
  const clips = await loadClips(told.clips, find('[data-clips]', HTMLElement, root), context);
  status.textContent = told.note;
  showMeasured(told.facts);

  let which = clips.length - 1;
  let playing: Playing | null = null;
  let at = 0;
  let loop: readonly [from: number, to: number] | null = null;
  let looping = false;
  let matched = false;
  // Times are kept in the clean clip's; a map leads to the changed one's and back.
  const toOwn = (clean: number, index: number) => (index === 0 ? clean : acrossTime(told.timeMap, clean, 'changed'));
  const toClean = (own: number, index: number) => (index === 0 ? own : acrossTime(told.timeMap, own, 'clean'));
  const now = () => {
    if (playing === null) return at;
    const { clip, offset, begun, index } = playing;
    return toClean(Math.min(clip.buffer.duration, offset + context.currentTime - begun), index);
  };

  const level = ({ rms }: LoadedClip) => (matched && rms > 0 ? Math.min(20, 0.1 / rms) : 1);
  const quiet = () => {
    if (playing === null) return;
    const { source, gain } = playing;
    source.onended = null;
    gain.gain.setTargetAtTime(0, context.currentTime, fadeSeconds / 3);
    source.stop(context.currentTime + 2 * fadeSeconds);
    playing = null;
  };
  const play = (from: number) => {
    quiet();
    const clip = clips[which]!;
    const [source, gain] = [context.createBufferSource(), context.createGain()];
    source.buffer = clip.buffer;
    gain.gain.setValueAtTime(0, context.currentTime);
    gain.gain.linearRampToValueAtTime(level(clip), context.currentTime + fadeSeconds);
    source.connect(gain).connect(analyser);
    const offset = Math.max(0, Math.min(clip.buffer.duration - 0.001, toOwn(from, which)));
    source.start(0, offset);
    playing = { source, gain, clip, offset, begun: context.currentTime, index: which };
    source.onended = () => {
      at = looping && loop ? loop[0] : 0;
      playing = null;
      if (looping) play(at);
      else show();
    };
    void context.resume();
    show();
    requestAnimationFrame(follow);
  };
  const pause = () => {
    at = now();
    quiet();
    show();
  };
  const go = (clean: number) => {
    at = Math.max(0, clean);
    if (playing !== null) play(at);
    else show();
  };
  const samples = new Float32Array(analyser.fftSize);
  const meter = find('meter', HTMLMeterElement, root);
  const follow = () => {
    if (playing === null) return;
    const here = now();
    if (looping && loop && here >= loop[1]) play(loop[0]);
    analyser.getFloatTimeDomainData(samples);
    let sum = 0;
    for (const sample of samples) sum += sample * sample;
    meter.value = Math.sqrt(sum / samples.length);
    show();
    requestAnimationFrame(follow);
  };
  const time = find('[data-time]', HTMLElement, root);
  const button = (name: Action) => find(`[data-do=${name}]`, HTMLElement, root);
  const show = () => {
    const here = now();
    time.textContent = `${here.toFixed(2)} s, ${clips[which]!.label}`;
    for (const [index, clip] of clips.entries()) {
      const share = (clean: number) => 100 * Math.min(1, toOwn(clean, index) / clip.buffer.duration);
      clip.cursor.style.left = `${share(here)}%`;
      clip.box.classList.toggle('on', playing !== null && index === which);
      clip.loop.hidden = loop === null;
      if (loop === null) continue;
      clip.loop.style.left = `${share(loop[0])}%`;
      clip.loop.style.width = `${share(loop[1]) - share(loop[0])}%`;
    }
    button('play').firstChild!.textContent = playing === null ? 'Play ' : 'Pause ';
    button('loop').ariaPressed = String(looping);
    button('match').ariaPressed = String(matched);
    if (playing === null) meter.value = 0;
  };
  // What is looped is marked by dragging, or at the place that is heard.
  const mark = (from: number, to: number) => {
    loop = [Math.max(0, from), to > from + 0.05 ? to : clips[0]!.buffer.duration];
    looping = true;
    show();
  };
  const actions = {
    play: () => (playing === null ? play(at) : pause()),
    switch: () => {
      const here = now();
      which = (which + 1) % clips.length;
      at = here;
      play(here);
    },
    loop: () => {
      looping = !looping;
      show();
    },
    match: () => {
      matched = !matched;
      if (playing !== null) play(now());
      else show();
    },
    from: () => mark(now(), Math.max(loop?.[1] ?? 0, now() + 0.05)),
    to: () => mark(Math.min(loop?.[0] ?? 0, now() - 0.05), now()),
  };
  type Action = keyof typeof actions;
  if (clips.length < 2) button('switch').hidden = true;
  for (const name of ['play', 'switch', 'loop', 'match', 'from', 'to'] as const)
    button(name).addEventListener('click', () => actions[name]());
  for (const [index, { drawn, buffer }] of clips.entries()) {
    let from: number | null = null;
    const cleanAt = (event: PointerEvent) => {
      const { left, width } = drawn.getBoundingClientRect();
      return toClean(buffer.duration * Math.max(0, Math.min(1, (event.clientX - left) / width)), index);
    };
    drawn.addEventListener('pointerdown', (event) => {
      from = cleanAt(event);
      drawn.setPointerCapture(event.pointerId);
    });
    drawn.addEventListener('pointerup', (event) => {
      if (from === null) return;
      const to = cleanAt(event);
      if (Math.abs(to - from) > 0.05) {
        loop = [Math.min(from, to), Math.max(from, to)];
        looping = true;
        play(loop[0]);
      } else {
        loop = null;
        which = index;
        go(to);
      }
      from = null;
    });
  }
  for (const word of all('[data-from]', HTMLElement)) {
    word.addEventListener('click', () => {
      which = clips.length - 1;
      play(toClean(Number(word.dataset.from), which));
    });
  }
  const keys: Readonly<Record<string, Action>> = {
    ...{ ' ': 'switch', p: 'play', l: 'loop', m: 'match', a: 'from', b: 'to' },
  };
  addEventListener('keydown', (event) => {
    if (!isPlain(event) || (isAt(event, 'input, select, button, a') && !'lmpab'.includes(event.key))) return;
    const step = { ArrowRight: 0.5, ArrowLeft: -0.5 }[event.key];
    const name = keys[event.key];
    if (name === undefined && step === undefined) return;
    event.preventDefault();
    if (name !== undefined) actions[name]();
    else if (step !== undefined) go(now() + step);
  });
  root.dataset.ready = '';
  show();
  // Opened to be heard: where the browser allows it, as it does after a click on a page of ours.
  if (!new URLSearchParams(location.search).has('play')) return;
  await context.resume();
  if (playing === null) play(at);
}

async function loadClips(
  told: readonly AddressedClip[],
  parent: HTMLElement,
  context: AudioContext,
): Promise<LoadedClip[]> {
  const loaded: { clip: AddressedClip; buffer: AudioBuffer; picture: Picture }[] = [];
  for (const clip of told) {
    const [sound, picture] = await Promise.all([source.bytes(clip.wav), source.bytes(clip.picture)]);
    loaded.push({ clip, buffer: await context.decodeAudioData(sound), picture: readPicture(picture) });
  }
  // One scale for all, filled by the loudest, so that a quiet recording is seen and clips can be compared by eye.
  const loudest = Math.max(...loaded.map(({ picture }) => picture.peak)) || 1;
  return loaded.map(({ clip, buffer, picture }) => ({ ...clip, buffer, ...drawing(parent, clip, picture, loudest) }));
}

/** Each step's measures stand under its name. */
function showMeasured(steps: ToldClips['facts']): void {
  const element = (name: string, ...children: (string | Node)[]) => {
    const made = document.createElement(name);
    made.append(...children);
    return made;
  };
  const parts = steps.flatMap(({ step, facts }) => {
    if (facts.length === 0) return [];
    const list = element(
      'dl',
      ...facts.map(([name, value]) => element('div', element('dt', name), element('dd', value))),
    );
    list.className = 'numbers';
    return [element('div', element('h3', step), list)];
  });
  document.getElementById('measured')?.replaceChildren(...parts);
}

interface Picture {
  readonly columns: number;
  readonly rows: number;
  /** Smallest and largest sample of each column. */
  readonly peaks: Float32Array;
  readonly levels: Uint8Array;
  /** The largest of all, whatever its sign. */
  readonly peak: number;
}

/** As `pictureBytes` of the server writes it. */
function readPicture(bytes: ArrayBuffer): Picture {
  const view = new DataView(bytes);
  const [columns, rows] = [view.getUint32(0, true), view.getUint32(4, true)];
  const peaks = new Float32Array(bytes, 8, 2 * columns);
  const peak = peaks.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { columns, rows, peaks, levels: new Uint8Array(bytes, 8 + 8 * columns), peak };
}

interface Drawn {
  readonly box: HTMLElement;
  readonly drawn: HTMLElement;
  readonly cursor: HTMLElement;
  readonly loop: HTMLElement;
}

function drawing(parent: HTMLElement, clip: AddressedClip, picture: Picture, loudest: number): Drawn {
  const part = (className: string, ...children: Node[]) => {
    const made = Object.assign(document.createElement('div'), { className });
    made.append(...children);
    return made;
  };
  const label = (className: string, textContent: string) =>
    Object.assign(document.createElement('span'), { className, textContent, ariaHidden: 'true' });
  const title = document.createElement('h3');
  const level =
    picture.peak > 0
      ? `peak ${(20 * Math.log10(picture.peak)).toFixed(1).replace('-', '\u2212')} dBFS`
      : 'digital silence';
  title.textContent = `${clip.label} (${clip.seconds}, ${level})`;
  const [cursor, loop] = [part('cursor'), part('loop')];
  loop.hidden = true;
  const kilohertz = clip.maxHz / 1000;
  const drawn = part(
    'drawn',
    drawWaveform(clip, picture, loudest),
    drawSpectrogram(clip, picture),
    label('hertz top', `${kilohertz} kHz`),
    label('hertz middle', `${kilohertz / 2} kHz`),
    label('hertz', '0'),
    loop,
    cursor,
  );
  const seconds = Number.parseFloat(clip.seconds);
  const times = part('times', ...[0, 1, 2, 3, 4].map((one) => label('', `${((seconds * one) / 4).toFixed(2)} s`)));
  const box = part('player', title, drawn, times);
  parent.append(box);
  return { box, drawn, cursor, loop };
}

function canvas(width: number, height: number, ariaLabel: string): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const made = Object.assign(document.createElement('canvas'), { width, height, role: 'img', ariaLabel });
  return [made, made.getContext('2d')!];
}

function drawWaveform({ label }: AddressedClip, { columns, peaks }: Picture, loudest: number): HTMLCanvasElement {
  const [wave, pen] = canvas(columns, 100, `Waveform, ${label}`);
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent') || '#0b5c8f';
  for (let x = 0; x < columns; x++) {
    const [low, high] = [peaks[2 * x]! / loudest, peaks[2 * x + 1]! / loudest];
    pen.fillRect(x, 50 - 50 * high, 1, Math.max(1, 50 * (high - low)));
  }
  return wave;
}

function drawSpectrogram({ label, maxHz }: AddressedClip, { columns, rows, levels }: Picture): HTMLCanvasElement {
  const [spectrum, pen] = canvas(columns, rows, `Spectrogram up to ${maxHz} Hz, ${label}`);
  spectrum.className = 'spectrum';
  const image = new ImageData(columns, rows);
  for (let x = 0; x < columns; x++) {
    for (let y = 0; y < rows; y++) {
      const value = levels[x * rows + y]! / 255;
      const place = 4 * ((rows - 1 - y) * columns + x);
      image.data[place] = 255 * Math.min(1, 1.6 * value * value);
      image.data[place + 1] = 255 * Math.max(0, 1.5 * value - 0.5);
      image.data[place + 2] = 255 * (value < 0.5 ? 0.2 + value : 1.4 * (1 - value) + 0.2 * (2 * value - 1));
      image.data[place + 3] = 255;
    }
  }
  pen.putImageData(image, 0, 0);
  return spectrum;
}

addEventListener('keydown', (event) => {
  if (!isPlain(event) || isAt(event, 'input, select')) return;
  all(`a[data-key="${CSS.escape(event.key)}"]`, HTMLElement)[0]?.click();
});
