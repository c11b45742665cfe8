/**
 * The whole script of the page. It only adds comfort: sorting, what a number rests on by pointer, finger and keyboard, copies of
 * tables and charts, one sound at a time, opened details on paper. It reads the page and fetches nothing; without it every number can
 * still be read.
 */
export const script = String.raw`'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const phone = matchMedia('screen and (max-width: 48rem)');

  // Contents: folded out where there is room beside the page.
  const contents = document.querySelector('.toc details');
  const beside = matchMedia('(min-width: 72rem)');
  const unfold = () => { if (contents) contents.open = beside.matches; };
  beside.addEventListener('change', unfold);
  unfold();

  // A link leads into what is folded.
  const unfoldNamed = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (const details of named ? [...all(':scope > .part', named), named.closest('details:not(.toc *)')] : []) if (details) details.open = true;
  };
  addEventListener('hashchange', unfoldNamed);
  unfoldNamed();

  // Tables that are too wide for their place stand closer; where that is not enough, and on phones, each row is a card.
  const headsOf = (table) => all('thead th', table).map((head) => head.textContent.trim().replace(/\s+/g, ' '));
  const asCards = (table) => {
    const heads = headsOf(table);
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, at) => { cell.dataset.label = heads[at]; });
    table.classList.add('cards');
  };
  const isWide = (table) => table.offsetWidth > table.closest('.scroll').clientWidth + 1;
  const fit = (tables) => {
    for (const table of tables) table.classList.remove('tight', 'cards');
    // The window may be as narrow as paper when it is printed.
    if (phone.matches && !document.body.matches('.paper')) return tables.forEach(asCards);
    const wide = tables.filter(isWide);
    for (const table of wide) table.classList.add('tight');
    wide.filter(isWide).forEach(asCards);
  };
  const tables = all('.scroll table');
  // As they come near: laying out all tables of a long page takes seconds.
  const near = new IntersectionObserver((entries) => {
    fit(entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target));
  }, { rootMargin: '100%' });
  const watch = () => {
    near.disconnect();
    if (phone.matches) fit(tables);
    else for (const table of tables) near.observe(table);
  };
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth !== width) watch();
    width = innerWidth;
  });

  // Sorting.
  const isNumber = (text) => text !== '' && !isNaN(text);
  const compare = (x, y) => (isNumber(x) && isNumber(y) ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0);
  for (const table of all('table.sortable')) {
    const heads = all('thead th', table);
    heads.forEach((head, column) => {
      const button = make('button', { type: 'button' }, ...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        for (const other of heads) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const body = table.tBodies[0];
        const key = (row) => row.cells[column].dataset.order;
        const inOrder = (a, b) => {
          const [x, y] = [key(a), key(b)];
          if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
          return down ? compare(y, x) : compare(x, y);
        };
        body.append(...[...body.rows].sort(inOrder));
      });
    });
  }

  // What a number or a mark rests on: by pointer, finger, or Tab and the arrow keys.
  const box = make('div', { id: 'detail', className: 'detail', role: 'status', hidden: true });
  document.querySelector('main').append(box);
  let shown = null;
  const detailOf = (element) => {
    const title = element.querySelector(':scope > title');
    const text = element.getAttribute('title') ?? title?.textContent;
    if (text != null) {
      element.dataset.detail = text;
      element.removeAttribute('title');
      title?.remove();
    }
    return element.dataset.detail;
  };
  const withDetail = 'td[title], th[title], td[data-detail], th[data-detail], .plot g[data-detail], .plot :is(rect, path, circle, line, polyline):has(> title), .plot [data-detail]';
  const hide = () => {
    shown?.classList.remove('here');
    shown?.removeAttribute('aria-describedby');
    shown = null;
    box.hidden = true;
  };
  const show = (element) => {
    hide();
    shown = element;
    box.replaceChildren(...detailOf(element).split('\n').map((line) => make('div', {}, line)));
    box.hidden = false;
    element.classList.add('here');
    if (!element.closest('svg')) element.setAttribute('aria-describedby', 'detail');
    const place = element.getBoundingClientRect();
    const left = Math.max(8, Math.min(place.left, document.documentElement.clientWidth - box.offsetWidth - 8));
    const below = place.bottom + 6;
    box.style.left = left + 'px';
    box.style.top = (below + box.offsetHeight < innerHeight ? below : Math.max(8, place.top - box.offsetHeight - 6)) + 'px';
  };
  const spot = (event) => (event.target instanceof Element ? event.target.closest(withDetail) : null);
  document.addEventListener('pointerover', (event) => {
    const element = spot(event);
    if (element && element !== shown) show(element);
  });
  document.addEventListener('pointerout', (event) => {
    const to = event.relatedTarget;
    if (event.pointerType === 'mouse' && shown && to !== box && !shown.contains(to)) hide();
  });
  document.addEventListener('click', (event) => {
    const element = spot(event);
    if (element) show(element);
    else if (event.target !== box) hide();
  });
  document.addEventListener('scroll', () => { if (shown && !shown.matches(':hover, :focus')) hide(); }, true);
  const owners = [...all('.scroll table'), ...all('.plot svg')];
  for (const owner of owners) {
    const first = owner.querySelector(withDetail);
    if (!first) continue;
    const drawn = owner.tagName !== 'TABLE';
    (drawn ? owner : first).setAttribute('tabindex', '0');
    let here = drawn ? null : first;
    owner.addEventListener('focusin', (event) => {
      if (!event.target.matches(':focus-visible')) return;
      here = drawn ? here ?? first : event.target.closest(withDetail) ?? here;
      show(here);
    });
    owner.addEventListener('focusout', hide);
    owner.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') hide();
      const spots = all(withDetail, owner);
      const at = spots.indexOf(here);
      const column = (step) => {
        for (let row = here.parentNode; (row = step > 0 ? row.nextElementSibling : row.previousElementSibling); ) {
          const cell = row.cells[here.cellIndex];
          if (cell?.matches(withDetail)) return cell;
        }
        return here;
      };
      const to = {
        ArrowRight: () => spots[at + 1],
        ArrowLeft: () => spots[at - 1],
        ArrowDown: () => (drawn ? spots[at + 1] : column(1)),
        ArrowUp: () => (drawn ? spots[at - 1] : column(-1)),
        Home: () => spots[0],
        End: () => spots.at(-1),
      }[event.key];
      if (!to || event.target.tagName === 'BUTTON') return;
      event.preventDefault();
      const next = to() ?? here;
      if (!drawn && next !== here) {
        here.removeAttribute('tabindex');
        next.setAttribute('tabindex', '0');
        next.focus();
      }
      here = next;
      show(here);
    });
  }

  // Copies of tables and charts.
  const linesOf = (table) => {
    const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]);
    const text = (cell) => {
      const copy = cell.cloneNode(true);
      for (const part of all('sup', copy)) part.replaceWith(' (' + part.lastChild.textContent + ')');
      for (const part of all('svg, [aria-hidden]', copy)) part.remove();
      return copy.textContent.trim().replace(/\s+/g, ' ');
    };
    const notes = all('.notes p, .notes li', table.closest('.scroll')).map(
      (note) => (note.matches('li') ? '(' + ([...note.parentNode.children].indexOf(note) + 1) + ') ' : '') + note.textContent.trim());
    return { heads: headsOf(table), rows, text, notes };
  };
  const quoted = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) && !isNumber(text) ? "'" + text : text;
    return /[",\r\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  };
  // Numbers are kept as they are sorted; what is copied has the unit that stands in the head.
  const factors = { '%': 100, points: 100, ms: 1000, min: 1 / 60, h: 1 / 3600 };
  const forms = {
    CSV(table) {
      const { heads, rows, text } = linesOf(table);
      const units = all('thead th', table).map((head) => head.dataset.unit);
      const inUnit = (number, at) => (number === undefined ? '' : String(Number((number * (factors[units[at]] ?? 1)).toPrecision(12))));
      const bounded = heads.map((_, at) => rows.some((row) => row[at]?.dataset.low !== undefined));
      const named = heads.map((name, at) => (!units[at] || name.endsWith(units[at]) || name.endsWith('(' + units[at] + ')') ? name : name + ' ' + units[at]));
      const head = named.flatMap((name, at) => (bounded[at] ? [name, name + ' low', name + ' high'] : [name]));
      const value = (cell, at) => (isNumber(cell.dataset.order ?? '') ? inUnit(cell.dataset.order, at) : text(cell).replace(/^–( \(\d+\))?$/, ''));
      const cells = (row) => row.flatMap((cell, at) =>
        bounded[at] ? [value(cell, at), inUnit(cell.dataset.low, at), inUnit(cell.dataset.high, at)] : [value(cell, at)]);
      return [head, ...rows.map(cells)].map((line) => line.map(quoted).join(',') + '\r\n').join('');
    },
    Markdown(table) {
      const { heads, rows, text, notes } = linesOf(table);
      const plain = (cell) => cell.replace(/[\\|<>*_[\]\x60]/g, '\\$&');
      const line = (cells) => '| ' + cells.map(plain).join(' | ') + ' |\n';
      return line(heads) + '|' + '---|'.repeat(heads.length) + '\n' + rows.map((row) => line(row.map(text))).join('')
        + notes.map((note) => '\n' + plain(note) + '\n').join('');
    },
    LaTeX(table) {
      const { heads, rows, text, notes } = linesOf(table);
      const signs = { '\\': '\\textbackslash{}', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}', '−': '$-$', '–': '--', '<': '$<$', '>': '$>$', '×': '$\\times$' };
      const plain = (cell) => cell.replace(/[\\~^−–<>×&%$#_{}]/g, (sign) => signs[sign] ?? '\\' + sign);
      const line = (cells) => cells.map(plain).join(' & ') + ' \\\\\n';
      const columns = heads.map((_, at) => (rows.some((row) => row[at]?.matches('.right')) ? 'r' : 'l')).join('');
      return '\\begin{tabular}{' + columns + '}\n\\hline\n' + line(heads) + '\\hline\n'
        + rows.map((row) => line(row.map(text))).join('') + '\\hline\n\\end{tabular}\n'
        + notes.map((note) => '% ' + note.replace(/\s+/g, ' ') + '\n').join('');
    },
  };
  const endings = { CSV: 'csv', Markdown: 'md', LaTeX: 'tex' };
  const save = (name, blob) => {
    const link = make('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const drawnAs = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'opacity', 'font-size', 'text-anchor'];
  const standAlone = (from) => {
    const copy = from.cloneNode(true);
    const parts = all('*', from);
    all('*', copy).forEach((part, at) => {
      const style = getComputedStyle(parts[at]);
      for (const name of drawnAs) part.setAttribute(name, style.getPropertyValue(name));
      for (const name of ['class', 'id', 'data-detail']) part.removeAttribute(name);
    });
    return copy;
  };
  const svgText = (figure) => {
    const svg = figure.querySelector('.plot svg');
    const copy = standAlone(svg);
    const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
    const draw = (name, attributes, ...children) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      element.append(...children);
      return element;
    };
    const { color, backgroundColor } = getComputedStyle(figure);
    const legend = all('.legend li', figure);
    const heading = [''];
    for (const word of figure.querySelector('h4').textContent.trim().split(/\s+/)) {
      const longer = (heading.at(-1) + ' ' + word).trim();
      if (longer.length * 8 > width - 16 && heading.at(-1) !== '') heading.push(word);
      else heading[heading.length - 1] = longer;
    }
    const line = 20, above = 8 + heading.length * line, whole = height + above + legend.length * line + 8;
    const chart = draw('g', { transform: 'translate(0 ' + above + ')' }, ...copy.childNodes);
    const entries = legend.map((entry, at) => {
      const picture = entry.querySelector('svg');
      const parts = picture ? [draw('g', { transform: 'translate(8 0)' }, ...standAlone(picture).childNodes)] : [];
      const words = draw('text', { x: 52, y: 11, fill: color, 'font-size': '12px' }, entry.textContent.trim());
      return draw('g', { transform: 'translate(0 ' + (height + above + at * line) + ')' }, ...parts, words);
    });
    const title = heading.map((text, at) => draw('text', { x: 8, y: 18 + at * line, fill: color, 'font-size': '14px', 'font-weight': '600' }, text));
    const sheet = draw('rect', { width, height: whole, fill: backgroundColor });
    const picture = draw('svg', { viewBox: '0 0 ' + width + ' ' + whole, width, height: whole, 'font-family': 'sans-serif' }, sheet, ...title, chart, ...entries);
    return new XMLSerializer().serializeToString(picture);
  };
  const savePng = (name, figure) => {
    const image = new Image();
    image.onload = () => {
      const canvas = make('canvas', { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => save(name, blob));
    };
    image.src = 'data:image/svg+xml,' + encodeURIComponent(svgText(figure));
  };

  const tools = (what, entries) => {
    const list = make('span', { className: 'buttons' });
    const told = make('span', { className: 'unseen', role: 'status' });
    for (const [name, act] of entries) {
      const button = make('button', { type: 'button' }, name);
      button.addEventListener('click', async () => {
        told.textContent = '';
        told.textContent = (await act()) ?? 'Saved.';
      });
      list.append(button);
    }
    const summary = make('summary', {}, 'Copy or save', make('span', { className: 'unseen' }, ' ' + what));
    return make('details', { className: 'tools' }, summary, list, told);
  };
  const nameOf = (id) => (id || 'part').replace(/\./g, '-');
  for (const table of all('.scroll table')) {
    const what = table.caption.textContent.trim();
    const copy = (form) => async () => {
      try {
        await navigator.clipboard.writeText(forms[form](table));
        return 'Copied.';
      } catch {
        return 'The browser does not let this page copy: save it instead.';
      }
    };
    const keep = (form) => () => save(nameOf(table.id) + '.' + endings[form], new Blob([forms[form](table)], { type: 'text/plain' }));
    const entries = Object.keys(forms).flatMap((form) => [['Copy ' + form, copy(form)], ['Save ' + form, keep(form)]]);
    table.closest('.scroll').after(tools(what, entries));
  }
  for (const figure of all('figure.chart:has(.plot svg)')) {
    const name = nameOf(figure.querySelector('h4').id.replace(/\.heading$/, ''));
    figure.querySelector('.plot').after(tools(figure.querySelector('h4').textContent, [
      ['Save SVG', () => save(name + '.svg', new Blob([svgText(figure)], { type: 'image/svg+xml' }))],
      ['Save PNG', () => savePng(name + '.png', figure)],
    ]));
  }

  // A clip that several examples are of stands with one of them.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('.again a') : null;
    if (!link) return;
    event.preventDefault();
    const copy = document.getElementById(link.hash.slice(1)).cloneNode(true);
    copy.removeAttribute('id');
    link.parentNode.replaceWith(copy);
    copy.querySelector('figure:last-child audio').play();
  });

  // One sound at a time.
  document.addEventListener('play', (event) => {
    for (const other of all('audio')) if (other !== event.target) other.pause();
  }, true);

  // Everything on paper.
  let opened = [];
  let buttons = [];
  addEventListener('beforeprint', () => {
    opened = all('main details:not([open], .tools)');
    for (const details of opened) details.open = true;
    // Heads are repeated on every page, but buttons are not.
    buttons = all('thead button').map((button) => ({ button, head: button.parentNode, nodes: [...button.childNodes] }));
    for (const { button, nodes } of buttons) button.replaceWith(...nodes);
    document.body.classList.add('paper');
    fit(tables);
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
    for (const { button, head, nodes } of buttons) {
      button.append(...nodes);
      head.append(button);
    }
    buttons = [];
    document.body.classList.remove('paper');
    watch();
  });
  watch();
})();
`;
