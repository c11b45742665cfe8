/**
 * The whole script of the page. It only adds comfort: sorting, reading values off a chart, one sound at a time,
 * opened details on paper. It reads the page and fetches nothing; without it every number can still be read.
 */
export const script = `'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  for (const table of all('table.sortable')) {
    const heads = all('thead th', table);
    const body = table.tBodies[0];
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        for (const other of heads) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const key = (row) => row.cells[column].dataset.order;
        const compare = (a, b) => {
          const x = key(a), y = key(b);
          if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
          const order = areNumbers(x, y) ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
          return down ? -order : order;
        };
        body.append(...[...body.rows].sort(compare));
      });
    });
  }
  function areNumbers(x, y) { return x !== '' && y !== '' && !isNaN(x) && !isNaN(y); }

  for (const figure of all('figure.chart')) {
    const svg = figure.querySelector('.plot svg');
    const columns = all('.hit', svg);
    const table = figure.querySelector('table');
    if (!table || columns.length === 0) continue;
    for (const title of all('.hit title', svg)) title.remove();
    const heads = all('thead th', table).map((head) => head.textContent.trim());
    const readout = document.createElement('div');
    readout.className = 'readout';
    readout.setAttribute('role', 'status');
    readout.hidden = true;
    figure.querySelector('.plot').append(readout);
    let here = -1;
    const show = (index) => {
      here = index;
      columns.forEach((column, at) => column.classList.toggle('here', at === index));
      [...table.tBodies[0].rows].forEach((row, at) => row.classList.toggle('here', at === index));
      readout.hidden = index < 0;
      if (index < 0) return;
      const cells = [...table.tBodies[0].rows[index].cells];
      readout.replaceChildren(...cells.map((cell, at) => {
        const line = document.createElement(at === 0 ? 'b' : 'div');
        const value = cell.dataset.text || cell.textContent.trim();
        line.textContent = at === 0 ? heads[0] + ' ' + value : heads[at] + ': ' + value;
        return line;
      }));
      const right = index * 2 >= columns.length;
      readout.style.left = right ? '3rem' : 'auto';
      readout.style.right = right ? 'auto' : '0';
    };
    columns.forEach((column, index) => {
      column.addEventListener('pointerenter', () => show(index));
      column.addEventListener('pointerdown', () => show(index));
    });
    svg.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') show(-1); });
    svg.setAttribute('tabindex', '0');
    svg.addEventListener('focus', () => { if (svg.matches(':focus-visible')) show(Math.max(0, here)); });
    svg.addEventListener('blur', () => show(-1));
    svg.addEventListener('keydown', (event) => {
      const last = columns.length - 1;
      const to = { ArrowRight: Math.min(last, here + 1), ArrowLeft: Math.max(0, here - 1), Home: 0, End: last, Escape: -1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      show(to);
    });
  }

  document.addEventListener('play', (event) => {
    for (const other of all('audio')) if (other !== event.target) other.pause();
  }, true);

  let opened = [];
  addEventListener('beforeprint', () => {
    opened = all('details:not([open])');
    for (const details of opened) details.open = true;
  });
  addEventListener('afterprint', () => { for (const details of opened) details.open = false; });
})();
`;
