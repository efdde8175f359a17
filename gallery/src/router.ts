// Addresses: the part behind the hash has the whole state of the page, so that links and reloads show the
// same.

import { EVERYTHING, type Query } from './search.ts';
import { encodePath } from './text.ts';

export type Route =
  | { page: 'report' }
  | { page: 'browse'; query: Query; view: 'grid' | 'list' }
  | { page: 'asset'; key: string; options: URLSearchParams }
  | { page: 'help' };

const SORTS = ['stored', 'name', 'size'] as const;
const LISTS = ['game', 'kind', 'status', 'world', 'archive', 'flags'] as const;

export function read(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const options = new URLSearchParams(query);
  if (path.startsWith('asset/')) {
    const key = path.slice('asset/'.length).split('/').map(decode).join('/');
    return { page: 'asset', key, options };
  }
  if (path === 'browse') {
    const numbers = (name: string) => (options.get(name) ?? '').split(',').filter((one) => /^\d+$/.test(one)).map(Number);
    const sort = options.get('sort');
    const own: Query = { ...EVERYTHING, text: options.get('q') ?? '', sort: SORTS.find((own) => own === sort) ?? 'order' };
    for (const list of LISTS) own[list] = numbers(list);
    return { page: 'browse', query: own, view: options.get('view') === 'list' ? 'list' : 'grid' };
  }
  return path === 'help' ? { page: 'help' } : { page: 'report' };
}

export function browse(query: Partial<Query>, view: 'grid' | 'list' = 'grid'): string {
  const options = new URLSearchParams();
  if (query.text) options.set('q', query.text);
  for (const list of LISTS) if (query[list]?.length) options.set(list, query[list].join(','));
  if (query.sort && query.sort !== 'order') options.set('sort', query.sort);
  if (view === 'list') options.set('view', view);
  const text = options.toString();
  return `#/browse${text ? `?${text}` : ''}`;
}

export function asset(key: string, options: Record<string, string> = {}): string {
  const text = new URLSearchParams(options).toString();
  return `#/asset/${encodePath(key)}${text ? `?${text}` : ''}`;
}

/** Changes options of the current page without a step in the history. */
export function note(options: Record<string, string | null>): void {
  const [path = '', query = ''] = location.hash.split(/\?(.*)/s);
  const own = new URLSearchParams(query);
  for (const [name, value] of Object.entries(options)) {
    if (value === null) own.delete(name);
    else own.set(name, value);
  }
  const text = own.toString();
  history.replaceState(null, '', `${path || '#/'}${text ? `?${text}` : ''}`);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
