// The list of assets with search and facets.

import { button, h, replace, select } from '../dom.ts';
import type { Context, View } from '../context.ts';
import * as router from '../router.ts';
import { EVERYTHING, type Query } from '../search.ts';
import { count } from '../text.ts';
import type { Thumbs } from '../thumbs.ts';
import { VirtualList, type Layout } from '../virtual.ts';
import { Facets } from './facets.ts';
import { tile } from './tile.ts';

const GRID: Layout = { cellWidth: 176, cellHeight: 206, gap: 10, minimum: 2 };
const LIST: Layout = { cellWidth: 0, cellHeight: 44, gap: 2, minimum: 1 };

export class Browse implements View {
  readonly element: HTMLElement;
  private readonly list: VirtualList;
  private readonly facets: Facets;
  private readonly status = h('p', { class: 'found', role: 'status' });
  private readonly tools = h('div', { class: 'tools' });
  private readonly empty = h('p', { class: 'empty' });

  constructor(private readonly context: Context, thumbs: Thumbs, private query: Query, private view: 'grid' | 'list') {
    this.list = new VirtualList('assets', view === 'grid' ? GRID : LIST,
      (id) => tile(context, thumbs, id, this.view === 'list'), (id) => thumbs.drop(id));
    this.facets = new Facets(context, (own) => { location.hash = router.browse(own, this.view); });
    const drawer = h('details', { class: 'drawer', open: matchMedia('(min-width: 60rem)').matches },
      h('summary', {}, 'Filters'), this.facets.element);
    this.element = h('div', { class: 'browse' },
      h('h1', { class: 'hidden' }, 'All assets'),
      h('aside', { class: 'side', 'aria-label': 'Facets' }, drawer),
      h('section', { class: 'results', 'aria-label': 'Results' },
        h('div', { class: 'bar' }, this.status, this.tools), this.empty, this.list.element));
    this.update(query, view);
  }

  dispose(): void {
    this.list.dispose();
  }

  /** Shows the results of a query; called again when more of the catalog is loaded. */
  update(query: Query, view: 'grid' | 'list'): void {
    const start = performance.now();
    this.query = query;
    if (view !== this.view) {
      this.view = view;
      this.list.arrange(view === 'grid' ? GRID : LIST);
    }
    this.list.element.dataset.view = view;
    const { catalog, search } = this.context;
    const found = search.run(query);
    this.list.show(found.ids);
    this.facets.show(query, found.counts);
    const waiting = catalog.loaded < catalog.count ? `, loading ${count(catalog.loaded)} of ${count(catalog.count)}` : '';
    replace(this.status, `${count(found.ids.length)} of ${count(catalog.count)}${waiting}`);
    this.status.dataset.milliseconds = (performance.now() - start).toFixed(1);
    replace(this.empty, found.ids.length === 0 ? 'No asset matches.' : '');
    const narrowed = query.text !== '' || ['game', 'kind', 'status', 'world', 'archive', 'flags'].some((own) =>
      (query[own as keyof Query] as number[]).length > 0);
    replace(this.tools,
      narrowed ? button('Show all', () => { location.hash = router.browse(EVERYTHING, this.view); }, { class: 'quiet' }) : null,
      select('Order', [['order', 'worlds and models first'], ['stored', 'as stored'], ['name', 'name'], ['size', 'size']], query.sort, (sort) => {
        location.hash = router.browse({ ...this.query, sort: sort as Query['sort'] }, this.view);
      }),
      button(view === 'grid' ? 'List' : 'Grid', () => {
        location.hash = router.browse(this.query, this.view === 'grid' ? 'list' : 'grid');
      }, { 'aria-label': view === 'grid' ? 'Show as a list' : 'Show as a grid' }));
  }

  first(): void {
    this.list.focus(0);
  }
}
