// Help: keys and search.

import { h } from '../dom.ts';
import type { View } from '../context.ts';

const KEYS = [
  ['/', 'search'], ['Enter', 'in the search: first result'], ['Arrow keys', 'next or previous asset'], ['Home, End, Page up, Page down', 'scroll the list'],
  ['Esc', 'back to the list; stop walking'], ['g', 'list of all assets'], ['r', 'report'], ['t', 'dark or light'], ['?', 'this page'],
  ['W A S D, Shift, Space', 'walk, run; drag to look around'], ['+ and −', 'zoom of pictures and maps'],
] as const;

export function helpView(): View {
  document.title = 'Keys · relicast';
  return {
    element: h('div', { class: 'report' }, h('h1', { tabindex: '-1' }, 'Keys and search'),
      h('table', { class: 'plain' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Key'), h('th', { scope: 'col' }, 'Action'))),
        h('tbody', {}, ...KEYS.map(([key, what]) => h('tr', {}, h('td', {}, h('kbd', {}, key)), h('td', {}, what))))),
      h('h2', {}, 'Search'),
      h('p', {}, 'Every word that you type must occur in the names of an asset: its display name, stored name, clips and skins, world, or path. '
        + 'Parts of words match too. “madcat walk” finds the Mad Cat with a clip named walk.'),
      h('p', {}, 'You can bookmark the address of each page: it contains the search, the asset, the clip and the variant.')),
  };
}
