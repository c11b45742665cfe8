import type { ToldProgress } from '../told.ts';
import { all, find } from './shared/elements.ts';

/** Progress of a run under way: numbers come as server-sent events, and the page is loaded anew when it is finished. */
for (const box of all('[data-live]', HTMLElement)) {
  const source = new EventSource(box.dataset.live ?? '');
  const bar = find('progress', HTMLProgressElement, box);
  source.addEventListener('progress', (event) => {
    const { texts, planned, done }: ToldProgress = JSON.parse(event.data);
    box.hidden = false;
    for (const [name, text] of Object.entries(texts)) {
      const [at] = all(`[data-${name}]`, HTMLElement, box);
      if (at !== undefined && at.textContent !== text) at.textContent = text;
    }
    if (planned > 0) {
      bar.max = planned;
      bar.value = done;
    }
  });
  source.addEventListener('finished', () => {
    source.close();
    location.reload();
  });
}
