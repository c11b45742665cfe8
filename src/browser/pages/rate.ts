import { all, choose, find, isPlain } from './shared/elements.ts';

/* Loads clips as samples before they can be played, counts how often each is heard to its end, and takes grades by keyboard. */

const context = new AudioContext();
const [form] = all('form[data-keep]', HTMLFormElement);
const [plays] = form ? all('input[name=plays]', HTMLInputElement, form) : [];
const players = new Map<string, Player>();
let playing: Player | null = null;

interface Player {
  stop(): void;
  toggle(): void;
}

for (const section of all('.player', HTMLElement)) {
  const { audio = '', name = '' } = section.dataset;
  const button = find('[data-play]', HTMLButtonElement, section);
  const state = find('[data-state]', HTMLElement, section);
  let buffer: AudioBuffer | null = null;
  let source: AudioBufferSourceNode | null = null;
  const show = () => {
    button.disabled = buffer === null;
    button.textContent = buffer === null ? 'Loading …' : source !== null ? 'Stop' : (button.dataset.label ?? '');
  };
  const heard = () => {
    source = null;
    if (name === 'clip' && plays) {
      const isFirst = plays.value === '0';
      plays.value = String(Math.min(9999, Number(plays.value) + 1));
      if (isFirst) form?.dispatchEvent(new Event('input', { bubbles: true }));
    }
    state.textContent = 'Heard.';
    show();
  };
  const stop = () => {
    if (source === null) return;
    source.onended = null;
    try {
      source.stop();
    } catch {
      // It was never started.
    }
    source = null;
    show();
  };
  const start = async () => {
    playing?.stop();
    playing = player;
    const own = context.createBufferSource();
    source = own;
    own.buffer = buffer;
    own.connect(context.destination);
    own.onended = heard;
    show();
    await context.resume();
    if (source === own) own.start();
  };
  const player: Player = {
    stop,
    toggle() {
      if (buffer === null) return;
      if (source !== null) stop();
      else void start();
    },
  };
  players.set(name, player);
  button.addEventListener('click', player.toggle);
  const load = async () => {
    try {
      const answer = await fetch(audio);
      if (!answer.ok) throw new Error(answer.statusText);
      buffer = await context.decodeAudioData(await answer.arrayBuffer());
      state.textContent = '';
      show();
    } catch {
      state.textContent = 'The clip is not there yet; it is asked for again.';
      setTimeout(load, 2000);
    }
  };
  void load();
}

addEventListener(
  'keydown',
  (event) => {
    if (!isPlain(event)) return;
    const named = players.get({ Escape: 'clip', o: 'original' }[event.key] ?? '');
    if (named) {
      event.preventDefault();
      named.toggle();
    } else if (/^[0-9]$/.test(event.key) && form) {
      event.stopImmediatePropagation();
      const scales = all('fieldset[data-scale]', HTMLElement, form);
      const own = scales.find((scale) => scale.contains(document.activeElement));
      const open = scales.find((scale) => scale.querySelector('input:checked') === null);
      const wanted = event.key === '0' ? '10' : event.key;
      const scale = open ?? own ?? scales[0];
      const choice = scale && all('input', HTMLInputElement, scale).find(({ value }) => value === wanted);
      if (choice) choose(choice);
    }
  },
  true,
);
