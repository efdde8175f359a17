// A document as a tree. Branches are made when they are opened; a name of an asset is a link to it.

import { button, h, visible } from '../dom.ts';
import * as router from '../router.ts';
import { count } from '../text.ts';

/** Key of the asset that a text in a document names, if any. */
export type FindLink = (text: string) => string | null;
const STEP = 200;

export function tree(value: unknown, find: FindLink, label = ''): HTMLElement {
  const root = h('ul', { class: 'tree', 'aria-label': label || 'document' });
  entries(root, value, find, 0, true);
  return root;
}

function entries(box: HTMLElement, value: unknown, find: FindLink, from: number, first: boolean): void {
  if (value === null || typeof value !== 'object') {
    box.append(h('li', {}, leaf(value, find)));
    return;
  }
  const all = Array.isArray(value)
    ? value.map((own, place) => [String(place), own] as const) : Object.entries(value as Record<string, unknown>);
  for (const [key, own] of all.slice(from, from + STEP)) box.append(entry(key, own, find, first && all.length < 30));
  if (all.length > from + STEP) {
    const more = h('li', {}, button(`${count(all.length - from - STEP)} more`, () => {
      more.remove();
      entries(box, value, find, from + STEP, false);
    }, { class: 'quiet' }));
    box.append(more);
  }
}

function entry(key: string, value: unknown, find: FindLink, open: boolean): HTMLElement {
  const title = h('span', { class: 'key', dir: 'auto' }, visible(key));
  if (value === null || typeof value !== 'object') return h('li', {}, title, ': ', leaf(value, find));
  if (flat(value)) {
    const parts = (value as unknown[]).flatMap((own, place) => [place > 0 ? ', ' : '', leaf(own, find)]);
    return h('li', {}, title, ': [', ...parts, ']');
  }
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  const box = h('ul', {});
  const details = h('details', {
    on: {
      toggle: () => {
        if (details.open && box.childElementCount === 0) entries(box, value, find, 0, false);
      },
    },
  }, h('summary', {}, title, h('span', { class: 'hint' }, ` ${preview(value)} ${count(size)}`)), box);
  if (open && size <= 30) {
    entries(box, value, find, 0, false);
    details.open = true;
  }
  return h('li', {}, details);
}

/** Short lists of simple values are in one line. */
function flat(value: unknown): boolean {
  return Array.isArray(value) && value.length <= 16
    && value.every((own) => own === null || typeof own !== 'object') && JSON.stringify(value).length < 120;
}

function preview(value: unknown): string {
  if (Array.isArray(value)) return '';
  const own = value as Record<string, unknown>;
  const text = own.name ?? own.event ?? own.key ?? own.title;
  return typeof text === 'string' ? visible(text) : '';
}

export function leaf(value: unknown, find: FindLink): Node {
  if (typeof value === 'string') {
    const key = value.length > 0 && value.length < 300 ? find(value) : null;
    const text = visible(value);
    return key === null ? h('span', { class: 'string', dir: 'auto' }, text)
      : h('a', { href: router.asset(key), dir: 'auto' }, text);
  }
  return h('span', { class: value === null ? 'null' : typeof value }, String(value));
}
