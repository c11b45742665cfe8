import type { ToldProgress } from '../told.ts';
import { all } from './shared/elements.ts';

/** What goes on: numbers come as server-sent events, and the page is loaded anew when it is finished, or another. */
for (const box of all('[data-live]', HTMLElement)) {
  const source = new EventSource(box.dataset.live ?? '');
  const [bar] = all('progress', HTMLProgressElement, box);
  source.addEventListener('progress', (event) => {
    const { texts, cells = [], planned, done }: ToldProgress = JSON.parse(event.data);
    box.hidden = false;
    const put = (at: HTMLElement | undefined, text: string) => {
      if (at !== undefined && at.textContent !== text) at.textContent = text;
    };
    for (const [name, text] of Object.entries(texts)) put(all(`[data-${name}]`, HTMLElement, box)[0], text);
    const places = all('[data-cell]', HTMLElement, box);
    for (const [at, text] of cells.entries()) put(places[at], text);
    if (bar !== undefined && planned > 0) {
      bar.max = planned;
      bar.value = done;
    }
  });
  source.addEventListener('finished', () => {
    source.close();
    location.reload();
  });
}
