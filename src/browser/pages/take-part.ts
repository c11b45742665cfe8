import { all, choose, find, isAt, isPlain, typing } from './shared/elements.ts';
import { keep, kept, putJson, type Reply } from './shared/keeping.ts';

/*
 * Sends a form as JSON and goes on when it is kept. What is typed stays in this browser until then, under the address that it is sent to, which
 * names the person and the clip: a closed tab, a lost network or a server that is started again lose nothing, and what is sent twice counts once.
 */

/** What stays in this browser. */
interface Draft {
  readonly value: Readonly<Record<string, string>>;
  readonly sent: boolean;
}

for (const form of all('form[data-keep]', HTMLFormElement)) {
  const { keep: address = '', either } = form.dataset;
  const key = `earwitness ${address}`;
  const said = find('[data-said]', HTMLElement, form);
  const say = (text: string, isBad = false) => {
    said.textContent = text;
    said.classList.toggle('bad', isBad);
  };
  const store = (draft: Draft | null) => keep(key, draft === null ? null : JSON.stringify(draft));
  let waiting: number | null = null;
  let changes = 0;
  const values = () =>
    Object.fromEntries(
      [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
  const isBoth = () =>
    either !== undefined &&
    find('input[type=text]', HTMLInputElement, form).value.trim() !== '' &&
    find('input[type=checkbox]', HTMLInputElement, form).checked;
  const stopWaiting = () => {
    clearTimeout(waiting ?? undefined);
    waiting = null;
  };
  const again = (value: Draft['value']) => {
    clearTimeout(waiting ?? undefined);
    waiting = setTimeout(() => void send(value), 2000);
  };
  const send = async (value: Draft['value']) => {
    const before = changes;
    say('Saving …');
    let told: Reply;
    try {
      told = await putJson(address, value);
    } catch {
      say('Not saved yet: there is no connection. It stays in this browser and is sent again.', true);
      return again(value);
    }
    if (told.ok && changes !== before) {
      store({ value: values(), sent: false });
      return say('An earlier version was saved. Changed since: press the button again.', true);
    }
    if (told.next) {
      store(null);
      return location.assign(told.next);
    }
    if (told.status >= 500) {
      say(`Not saved yet: ${told.problem ?? 'the server has a problem.'} It is sent again.`, true);
      return again(value);
    }
    store({ value, sent: false });
    say(told.problem ?? 'This was not taken.', true);
  };
  addEventListener('online', () => {
    if (waiting === null) return;
    clearTimeout(waiting);
    void send(values());
  });
  form.addEventListener('input', () => {
    changes++;
    if (either !== undefined && isBoth()) say(either, true);
    else if (waiting !== null) say('Changed since it could not be sent: press the button again.', true);
    else if (said.textContent === either) say('');
    stopWaiting();
    store({ value: values(), sent: false });
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    stopWaiting();
    if (either !== undefined && isBoth()) return say(either, true);
    const value = values();
    store({ value, sent: true });
    void send(value);
  });
  const draft: Draft | null = JSON.parse(kept(key) ?? 'null');
  if (!draft?.value) continue;
  for (const [name, text] of Object.entries(draft.value)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = true;
    else if (
      field instanceof RadioNodeList ||
      field instanceof HTMLInputElement ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement
    )
      field.value = text;
  }
  if (draft.sent) void send(draft.value);
  else say('What you had entered is here again.');
}

for (const player of all('audio[data-told]', HTMLAudioElement)) {
  const told = find(`#${CSS.escape(player.dataset.told ?? '')}`, HTMLElement);
  const failed = () => {
    told.textContent = 'The clip cannot be played now; it is asked for again. If it stays so, say so below and go on.';
    setTimeout(() => player.load(), 3000);
  };
  player.addEventListener('error', failed);
  player.addEventListener('loadedmetadata', () => {
    told.textContent = '';
  });
  if (player.error !== null) failed();
}

addEventListener('keydown', (event) => {
  const [player] = all('audio', HTMLAudioElement);
  const isTyping = isAt(event, typing);
  if (!isPlain(event)) return;
  if (player && (event.key === 'Escape' || (event.key === 'p' && !isTyping))) {
    event.preventDefault();
    if (player.paused) void player.play();
    else player.pause();
  } else if (!isTyping && /^[1-9]$/.test(event.key)) {
    const choice = all('input[type=radio]', HTMLInputElement)[Number(event.key) - 1];
    if (choice) choose(choice);
  }
});
