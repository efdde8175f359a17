// Makes elements. Text from game files always stays text: nothing here parses markup.

export type Child = Node | string | number | null | undefined | false;
type Handler = (event: any) => void;
export interface Properties {
  class?: string;
  style?: Partial<Record<string, string>>;
  on?: Partial<Record<keyof HTMLElementEventMap, Handler>>;
  [attribute: string]: unknown;
}

const ADDRESSES = new Set(['href', 'src', 'poster']);
/** Attributes with visible or spoken text. */
const READ = new Set(['title', 'aria-label', 'placeholder', 'alt']);

/** Makes an element. Attributes with addresses accept no scheme except blob:. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Properties = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    set(element, name, value);
  }
  append(element, children);
  return element;
}

function set(element: HTMLElement, name: string, value: unknown): void {
  if (value === undefined || value === null || value === false) return;
  if (name === 'class') {
    element.className = String(value);
  } else if (name === 'style') {
    for (const [key, own] of Object.entries(value as Record<string, string>)) element.style.setProperty(key, own);
  } else if (name === 'on') {
    for (const [event, handler] of Object.entries(value as Record<string, Handler>)) {
      element.addEventListener(event, handler);
    }
  } else if (ADDRESSES.has(name)) {
    element.setAttribute(name, safeAddress(String(value)));
  } else {
    element.setAttribute(name, value === true ? '' : READ.has(name) ? visible(String(value)) : String(value));
  }
}

/** An address that stays on this page or in its folder; anything with another scheme becomes harmless. */
export function safeAddress(address: string): string {
  if (address.startsWith('#') || address.startsWith('blob:')) return address;
  const target = new URL(address, document.baseURI);
  const here = new URL(document.baseURI);
  const same = target.protocol === here.protocol && target.host === here.host;
  return same ? address : '#/';
}

export function append(element: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.appendChild(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** A button with a name for screen readers. */
export function button(label: string, press: () => void, properties: Properties = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...properties, on: { click: press } }, label);
}

/** A name from a game that cannot reverse the text around it (right-to-left marks). */
export function name(text: string, tag: 'span' | 'b' | 'h1' | 'code' = 'span'): HTMLElement {
  return h(tag, { class: 'name', dir: 'auto' }, visible(text));
}

/** Text in which marks that reorder or hide other text are shown as codes. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu,
    (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** A choice with a label. */
export function select(
  label: string, options: readonly (readonly [value: string, text: string])[], value: string, change: (value: string) => void,
): HTMLLabelElement {
  const box = h('select', { on: { change: () => change(box.value) } },
    ...options.map(([own, text]) => h('option', { value: own, selected: own === value }, visible(text))));
  return h('label', { class: 'field' }, h('span', {}, label), box);
}

export function toggle(label: string, value: boolean, change: (value: boolean) => void): HTMLLabelElement {
  const box = h('input', { type: 'checkbox', on: { change: () => change(box.checked) } });
  box.checked = value;
  return h('label', { class: 'toggle' }, box, h('span', {}, label));
}

export function range(
  label: string, value: number, min: number, max: number, step: number, change: (value: number) => void,
): { label: HTMLLabelElement; input: HTMLInputElement } {
  const input = h('input', { type: 'range', min, max, step, on: { input: () => change(Number(input.value)) } });
  input.value = String(value);
  return { label: h('label', { class: 'field wide' }, h('span', {}, label), input), input };
}
