// Starts the page: loads the catalog, and shows the page of the address.

import { Catalog } from './catalog.ts';
import type { Context, View } from './context.ts';
import { button, h, replace } from './dom.ts';
import { Files, listen } from './files.ts';
import * as router from './router.ts';
import { EVERYTHING, Search } from './search.ts';
import * as theme from './theme.ts';
import { Thumbs } from './thumbs.ts';
import type { Index } from './types.ts';
import { AssetView } from './views/asset.ts';
import { Browse } from './views/browse.ts';
import { helpView } from './views/help.ts';
import { ReportView } from './views/report.ts';

listen();
theme.start();

const main = h('main', { id: 'main', tabindex: '-1' });
const box = h('input', {
  type: 'search', id: 'search', 'aria-label': 'Search all names', placeholder: 'Search all names', autocomplete: 'off', spellcheck: 'false',
  on: { input: () => typed(), keydown: (event: KeyboardEvent) => { if (event.key === 'Enter') firstFound(); } },
});
let view: View | null = null;
let context: Context | null = null;
let thumbs: Thumbs | null = null;
let lastBrowse = '#/browse';
/** Scroll positions of lists, by their address. */
const scrolled = new Map<string, number>();

function header(): HTMLElement {
  return h('header', { class: 'top' },
    h('a', { class: 'skip', href: '#main', on: { click: (event: Event) => { event.preventDefault(); main.focus(); } } }, 'Skip to content'),
    h('a', { class: 'brand', href: '#/' }, 'relicast'),
    h('nav', { 'aria-label': 'Main' }, h('a', { href: '#/' }, 'Report'), h('a', { href: '#/browse' }, 'Browse'), h('a', { href: '#/help' }, 'Keys')),
    h('div', { class: 'searching', role: 'search' }, box),
    button('◐', theme.other, { 'aria-label': 'Dark or light', class: 'theme' }));
}

function typed(): void {
  const route = router.read(location.hash);
  const query = route.page === 'browse' ? route.query : EVERYTHING;
  const shown = route.page === 'browse' ? route.view : 'grid';
  const hash = router.browse({ ...query, text: box.value }, shown);
  // Typing one search is one step in the history.
  if (route.page === 'browse') {
    history.replaceState(null, '', hash);
    show();
  } else {
    location.hash = hash;
  }
}

function firstFound(): void {
  if (view instanceof Browse) view.first();
}

function show(): void {
  if (!context || !thumbs) return;
  const route = router.read(location.hash);
  if (route.page === 'browse') {
    lastBrowse = location.hash;
    if (document.activeElement !== box) box.value = route.query.text;
    document.title = route.query.text ? `${route.query.text} · relicast` : 'All assets · relicast';
    if (view instanceof Browse) {
      view.update(route.query, route.view);
      return;
    }
  } else if (document.activeElement !== box) {
    box.value = '';
  }
  view?.dispose?.();
  if (route.page === 'browse') {
    const own = new Browse(context, thumbs, route.query, route.view);
    view = own;
    replace(main, own.element);
    own.update(route.query, route.view);
    scrollTo(0, scrolled.get(location.hash) ?? 0);
    return;
  }
  if (route.page === 'asset') view = new AssetView(context, route.key, route.options);
  else view = route.page === 'help' ? helpView() : new ReportView(context);
  replace(main, view.element);
  scrollTo(0, 0);
}

addEventListener('hashchange', show);
addEventListener('scroll', () => { if (view instanceof Browse) scrolled.set(location.hash, scrollY); }, { passive: true });
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as HTMLElement;
  if (event.key === 'Escape' && target === box) {
    box.blur();
    return;
  }
  if (['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName)) return;
  if (event.key === '/') {
    event.preventDefault();
    box.focus();
    box.select();
  } else if (target.tagName !== 'CANVAS') {
    const keys: Record<string, () => void> = {
      g: () => { location.hash = '#/browse'; }, r: () => { location.hash = '#/'; }, '?': () => { location.hash = '#/help'; },
      t: theme.other, Escape: () => { if (!(view instanceof Browse)) location.hash = lastBrowse; },
    };
    keys[event.key]?.();
  }
});

async function start(): Promise<void> {
  const began = performance.now();
  replace(document.body, header(), main);
  replace(main, h('p', { class: 'note' }, 'Loading the catalog …'));
  const files = new Files();
  let index: Index;
  try {
    index = await files.data('data/index.json');
  } catch (error) {
    replace(main, h('h1', {}, 'No catalog'), h('p', {}, `The list of assets could not be read: ${(error as Error).message}`));
    return;
  }
  if (index.format !== 1) {
    replace(main, h('h1', {}, 'Another version'), h('p', {}, 'This catalog was written by another version of relicast. Make the gallery again.'));
    return;
  }
  files.base = index.base;
  files.embed = index.embed;
  if (files.local && index.embed !== 'all') main.before(localNote(index.embed));
  if (!index.complete) main.before(h('p', { class: 'warning', role: 'alert' }, 'The last conversion was interrupted: some outputs are missing.'));
  const catalog = new Catalog(index, files);
  const search = new Search(catalog);
  context = { files, catalog, search };
  thumbs = new Thumbs(context);
  const route = router.read(location.hash);
  if (route.page !== 'asset') show();
  let last = 0;
  await catalog.load(() => {
    if (performance.now() - last < 1000 || !(view instanceof Browse)) return;
    last = performance.now();
    show();
  });
  if (route.page === 'asset' || view instanceof Browse) show();
  document.documentElement.dataset.ready = (performance.now() - began).toFixed(0);
  window.relicast.catalog = catalog;
  window.relicast.search = search;
  void search.prepare();
}

function localNote(embed: string): HTMLElement {
  return h('p', { class: 'warning', role: 'note' }, embed === 'none'
    ? 'This gallery was opened as a file. Browsers do not let such a page read other files: lists, search, pictures and sounds work; models, documents and waveforms do not. '
      + 'Use `relicast serve`, or make it with `relicast gallery --embed models`.'
    : 'This gallery was opened as a file. Files that are not embedded (such as videos) may not open; `relicast gallery --embed all` embeds all files.');
}

void start();
