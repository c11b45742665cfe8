import { all, find, isPlain } from './shared/elements.ts';
import { keep, kept, putJson } from './shared/keeping.ts';

/** Plays a clip that is loaded whole, counts how often, and tells the server before it plays. */
for (const player of all('.player', HTMLElement)) {
  const { audio = '', keepPlays = '', plays: told } = player.dataset;
  const most = Number(player.dataset.most ?? Infinity);
  const button = find('[data-play]', HTMLButtonElement, player);
  const left = find('[data-left]', HTMLElement, player);
  const isTicked = (selector: string) => all(selector, HTMLInputElement, player).some(({ checked }) => checked);
  const [form] = all('form[data-keep]', HTMLFormElement);
  const field = (name: string) => all(`input[name=${name}]`, HTMLInputElement, form ?? player)[0];
  const key = `earwitness ${keepPlays}`;
  let plays = Math.max(...[told, kept(key), field('plays')?.value].map((one) => Number(one ?? 0)));
  const sound = new Audio();
  sound.preload = 'auto';
  sound.preservesPitch = true;
  const isReady = () => sound.readyState >= HTMLMediaElement.HAVE_ENOUGH_DATA;
  const isPlaying = () => !sound.paused && !sound.ended;
  const show = () => {
    const isLast = plays >= most;
    button.textContent = !isReady() ? 'Loading …' : isPlaying() ? 'Stop' : plays === 0 ? 'Play' : 'Play again';
    button.disabled = !isReady() || (!isPlaying() && isLast);
    const rest = most - plays === 1 ? 'One play is left.' : `${most - plays} plays are left.`;
    left.textContent = most === Infinity ? '' : isLast ? 'No more plays.' : rest;
  };
  const fill = (name: string, value: string) => {
    const own = field(name);
    if (own) own.value = value;
  };
  const start = () => {
    if (plays >= most) return show();
    plays++;
    const isSlow = isTicked('[data-slow]');
    fill('plays', String(plays));
    if (isSlow) fill('slowed', 'yes');
    keep(key, String(plays));
    putJson(keepPlays, { plays: String(plays) }).catch(() => {});
    sound.playbackRate = isSlow ? 0.75 : 1;
    sound.currentTime = 0;
    sound
      .play()
      .catch(() => {})
      .finally(show);
  };
  const toggle = () => {
    if (!isReady()) return;
    if (!isPlaying()) return start();
    sound.pause();
    show();
  };
  button.addEventListener('click', toggle);
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isPlain(event)) return;
    event.preventDefault();
    toggle();
  });
  sound.addEventListener('ended', () => (isTicked('[data-loop]') ? start() : show()));
  for (const name of ['canplaythrough', 'playing', 'pause']) sound.addEventListener(name, show);
  const load = () => {
    sound.src = audio;
    sound.load();
  };
  sound.addEventListener('error', () => {
    left.textContent = 'The clip is not there yet; it is asked for again.';
    setTimeout(load, 2000);
  });
  load();
  const words = field('words');
  words?.addEventListener('input', () => {
    const choice = form?.elements.namedItem('nothing');
    if (words.value.trim() !== '' && choice instanceof RadioNodeList) choice.value = 'words';
  });
}
