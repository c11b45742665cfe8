type Kind<Found extends Element> = new () => Found;

/** All elements of a kind that a selector names, in their order. */
export function all<Found extends Element>(selector: string, kind: Kind<Found>, root: ParentNode = document): Found[] {
  return [...root.querySelectorAll(selector)].filter((one): one is Found => one instanceof kind);
}

/**
 * The first of them.
 *
 * @throws Error that says the selector, where there is none: the page was written by ours, so that this is a fault of its script
 */
export function find<Found extends Element>(selector: string, kind: Kind<Found>, root: ParentNode = document): Found {
  const [found] = all(selector, kind, root);
  if (found === undefined) throw new Error(`expected ${kind.name} at ${selector}`);
  return found;
}

/** Whether something happened at an element that a selector names. */
export function isAt({ target }: Event, selector: string): boolean {
  return target instanceof Element && target.matches(selector);
}

/** Whether a key was pressed alone: with others it is the browser's. */
export function isPlain({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey;
}

/** The selector of where somebody types words. */
export const typing = 'input[type=text], textarea';

/** Chooses by keyboard what a click would choose. */
export function choose(choice: HTMLInputElement): void {
  choice.checked = true;
  choice.focus();
  choice.dispatchEvent(new Event('input', { bubbles: true }));
}

/** An element with properties, and what is in it. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
