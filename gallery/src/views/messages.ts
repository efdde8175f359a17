// Texts of a message library as a table, one column for each language.

import { h, replace, visible } from '../dom.ts';
import { count } from '../text.ts';

export interface Language { language: string; entries: { key?: string | null; id?: number | null; value?: string | null }[] }

const SHOWN = 300;

export function messages(languages: readonly Language[]): HTMLElement {
  const rows = new Map<string, { key: string; id: string; texts: (string | null)[] }>();
  languages.forEach(({ entries }, column) => {
    for (const { key, id, value } of entries) {
      const place = `${key ?? ''} ${id ?? ''}`;
      let row = rows.get(place);
      if (!row) {
        row = { key: key ?? '', id: id === undefined || id === null ? '' : String(id), texts: [] };
        rows.set(place, row);
      }
      row.texts[column] = value ?? null;
    }
  });
  const all = [...rows.values()];
  const body = h('tbody', {});
  const status = h('p', { class: 'counts', role: 'status' });
  const show = (text: string) => {
    const wanted = text.toLowerCase();
    const found = all.filter((row) => [row.key, row.id, ...row.texts].some((own) => own?.toLowerCase().includes(wanted)));
    replace(body, ...found.slice(0, SHOWN).map((row) => h('tr', {},
      h('td', { class: 'code' }, visible(row.key)), h('td', { class: 'code' }, row.id),
      ...languages.map((_, column) => h('td', { dir: 'auto', class: 'text' }, visible(row.texts[column] ?? '—'))))));
    replace(status, found.length > SHOWN ? `${count(SHOWN)} of ${count(found.length)} texts; search to see the others`
      : `${count(found.length)} texts`);
  };
  const box = h('input', { type: 'search', 'aria-label': 'Find in the texts', placeholder: 'Find in the texts', on: { input: () => show(box.value) } });
  show('');
  return h('div', { class: 'messages' }, box, status, h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Texts' },
    h('table', { class: 'plain' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Key'), h('th', { scope: 'col' }, 'Number'),
        ...languages.map((own) => h('th', { scope: 'col' }, visible(own.language))))),
      body)));
}
