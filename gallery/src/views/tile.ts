// One asset in the grid or the list.

import { h, visible } from '../dom.ts';
import type { Context } from '../context.ts';
import * as router from '../router.ts';
import { many, seconds, size } from '../text.ts';
import type { Thumbs } from '../thumbs.ts';

const SIGNS: Record<string, string> = {
  model: '◆', picture: '▣', sound: '♪', song: '♫', video: '▶', document: '☰', text: '¶', file: '▤', none: '∅',
};

/** Short description of an asset. */
export function measure({ catalog }: Context, id: number): string {
  const [a, b] = [catalog.a[id]!, catalog.b[id]!];
  switch (catalog.typeOf(id)) {
    case 'picture': return a ? `${a} × ${b}` : '';
    case 'model': return [a ? many(a, 'triangle') : '', b ? many(b, 'clip') : ''].filter(Boolean).join(' · ');
    case 'sound': case 'song': case 'video': return a ? seconds(a / 1000) : '';
    default: return '';
  }
}

let playing: HTMLAudioElement | null = null;

function hush(): void {
  playing?.pause();
  playing = null;
}

function picture(context: Context, thumbs: Thumbs, id: number): HTMLElement {
  const { catalog, files } = context;
  const type = catalog.typeOf(id);
  const box = h('span', { class: `thumb thumb-${type}`, 'aria-hidden': 'true' }, h('span', { class: 'sign' }, SIGNS[type] ?? '·'));
  const path = catalog.path(id);
  const still = catalog.thumbs.get(id) ?? (type === 'picture' ? path : null);
  if (still) {
    const small = type === 'picture' && Math.max(catalog.a[id]!, catalog.b[id]!) <= 96;
    const image = h('img', {
      class: small ? 'pixels' : '', alt: '', loading: 'lazy', decoding: 'async', src: files.link(still),
      on: { error: () => image.remove(), load: () => box.classList.add('seen') },
    });
    box.append(image);
  } else if (path && (type === 'model' || type === 'sound')) {
    queueMicrotask(() => thumbs.want(id, box));
  }
  return box;
}

export function tile(context: Context, thumbs: Thumbs, id: number, list: boolean): HTMLElement {
  const { catalog, files } = context;
  const type = catalog.typeOf(id);
  const status = catalog.index.statuses[catalog.status[id]!] ?? '';
  const kind = catalog.index.kinds[catalog.kind[id]!]?.title ?? '';
  const label = catalog.label(id);
  const stored = catalog.names[id]!;
  const box = picture(context, thumbs, id);
  const bad = status === 'failed' || status === 'skipped' ? h('span', { class: `badge ${status}` }, status) : null;
  const about = [kind, measure(context, id)].filter(Boolean).join(' · ');
  const link = h('a', { class: 'tile', href: router.asset(catalog.keys[id]!) },
    box,
    h('span', { class: 'what' },
      h('span', { class: 'label', dir: 'auto', title: visible(label) }, visible(label)),
      list || label !== stored ? h('span', { class: 'stored', dir: 'auto' }, visible(stored === label ? '' : stored)) : null,
      h('span', { class: 'about' }, about)),
    list ? h('span', { class: 'game' }, catalog.gameTitle(id)) : null,
    list ? h('span', { class: 'size' }, size(catalog.size[id]!)) : null,
    bad);
  const enter = () => {
    const path = catalog.path(id);
    if (type === 'model') void thumbs.hover(id, box).catch(() => undefined);
    if (type === 'sound' && path) {
      hush();
      playing = new Audio(files.link(path));
      playing.play().catch(() => undefined);
    }
  };
  const leave = () => {
    thumbs.leave();
    hush();
  };
  link.addEventListener('pointerenter', (event) => { if (event.pointerType === 'mouse') enter(); });
  link.addEventListener('pointerleave', leave);
  link.addEventListener('click', leave);
  return h('div', { class: list ? 'row' : 'card' }, link);
}
