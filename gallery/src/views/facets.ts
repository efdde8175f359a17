// The column of filters.

import { button, h, visible } from '../dom.ts';
import type { Context } from '../context.ts';
import type { Counts, Facet, Query } from '../search.ts';
import { count } from '../text.ts';

const SHOWN = 12;

interface Group { facet: Facet; title: string; options: { value: number; title: string }[] }

export class Facets {
  readonly element = h('div', { class: 'facets' });
  private readonly open = new Set<Facet>();
  private readonly filters = new Map<Facet, string>();

  constructor(private readonly context: Context, private readonly change: (query: Query) => void) {}

  show(query: Query, counts: Counts): void {
    const focused = document.activeElement?.getAttribute('data-choice') ?? null;
    this.element.replaceChildren(...this.groups().map((group) => this.group(group, query, counts)).filter((own) => own !== null));
    if (focused) this.element.querySelector<HTMLElement>(`[data-choice="${focused}"]`)?.focus();
  }

  private groups(): Group[] {
    const { index } = this.context.catalog;
    return [
      { facet: 'game', title: 'Game', options: index.games.map((own, value) => ({ value, title: own.title })) },
      { facet: 'kind', title: 'Kind', options: index.kinds.map((own, value) => ({ value, title: own.title })) },
      { facet: 'flags', title: 'Has', options: index.flags.map((own, value) => ({ value, title: own.title })) },
      { facet: 'status', title: 'Status', options: index.statuses.map((title, value) => ({ value, title })) },
      {
        facet: 'world', title: 'World',
        options: index.worlds.map((own, value) => {
          const game = index.games[own.game]?.title;
          const title = own.title && own.title !== own.name ? `${own.title} (${own.name})` : own.name;
          return { value, title: game && index.games.length > 1 ? `${title} · ${game}` : title };
        }),
      },
      { facet: 'archive', title: 'Archive', options: index.archives.map((own, value) => ({ value, title: own.path })) },
    ];
  }

  private group({ facet, title, options }: Group, query: Query, counts: Counts): HTMLElement | null {
    const chosen = query[facet];
    const filter = this.filters.get(facet) ?? '';
    const all = options.filter(({ value }) => (counts[facet][value] ?? 0) > 0 || chosen.includes(value));
    if (all.length === 0) return null;
    const fitting = all.filter((own) => own.title.toLowerCase().includes(filter.toLowerCase()));
    fitting.sort((x, y) => Number(chosen.includes(y.value)) - Number(chosen.includes(x.value)));
    const limit = this.open.has(facet) ? 400 : SHOWN;
    const rows = fitting.slice(0, limit).map(({ value, title: text }) => {
      const box = h('input', {
        type: 'checkbox', 'data-choice': `${facet}-${value}`,
        on: {
          change: () => this.change({
            ...query, [facet]: box.checked ? [...chosen, value] : chosen.filter((own) => own !== value),
          }),
        },
      });
      box.checked = chosen.includes(value);
      return h('label', { class: 'choice' }, box, h('span', { class: 'text', dir: 'auto', title: visible(text) }, visible(text)),
        h('span', { class: 'count' }, count(counts[facet][value] ?? 0)));
    });
    const more = all.length > SHOWN
      ? button(this.open.has(facet) ? 'fewer' : `all ${count(all.length)}`, () => {
        if (!this.open.delete(facet)) this.open.add(facet);
        this.show(query, counts);
      }, { class: 'quiet', 'data-choice': `${facet}-more` })
      : null;
    const box = all.length > SHOWN && this.open.has(facet) ? h('input', {
      type: 'search', 'aria-label': `find in ${title}`, placeholder: 'find', value: filter, 'data-choice': `${facet}-filter`,
      on: {
        input: () => {
          this.filters.set(facet, box!.value);
          this.show(query, counts);
        },
      },
    }) : null;
    if (box) box.value = filter;
    return h('fieldset', { class: 'facet' }, h('legend', {}, title), box, ...rows, more);
  }
}
