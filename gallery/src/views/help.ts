// Keys, and how to search.

import { h } from '../dom.ts';
import type { View } from '../context.ts';

const KEYS = [
  ['/', 'to the search'], ['Enter', 'in the search: to the first asset found'], ['Arrow keys', 'from asset to asset'], ['Home, End, Page up, Page down', 'far in the list'],
  ['Esc', 'back to the list; out of a walk'], ['g', 'to the list of all assets'], ['r', 'to the report'], ['t', 'dark or light'], ['?', 'this page'],
  ['W A S D, Shift, Space', 'walk, run; drag to look around'], ['+ and −', 'zoom of pictures and maps'],
] as const;

export function helpView(): View {
  document.title = 'Keys · relicast';
  return {
    element: h('div', { class: 'report' }, h('h1', { tabindex: '-1' }, 'Keys and search'),
      h('table', { class: 'plain' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Key'), h('th', { scope: 'col' }, 'What it does'))),
        h('tbody', {}, ...KEYS.map(([key, what]) => h('tr', {}, h('td', {}, h('kbd', {}, key)), h('td', {}, what))))),
      h('h2', {}, 'Search'),
      h('p', {}, 'Every word that you type must stand somewhere in the names of an asset: its display name, its stored name, its clips and skins, its world, its path. '
        + 'Parts of words do. “madcat walk” finds the Mad Cat that has a clip called walk.'),
      h('p', {}, 'The address of each page is a link that you can keep: it tells the search, the asset, the clip and the skin.')),
  };
}
