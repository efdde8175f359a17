// Finds assets by words: every word must occur in one of the names, at the start of a word or inside it.
// "madcat walk" finds "Mad Cat" with a clip called walk.

import type { Catalog, Column } from './catalog.ts';
import { fold } from './text.ts';

export interface Query {
  text: string;
  game: number[];
  kind: number[];
  status: number[];
  world: number[];
  archive: number[];
  flags: number[];
  /** `order`: worlds first, then models, then everything else; `stored`: the order of the sources. */
  sort: 'order' | 'stored' | 'name' | 'size';
}

export const EVERYTHING: Query = {
  text: '', game: [], kind: [], status: [], world: [], archive: [], flags: [], sort: 'order',
};

const FACETS: readonly Column[] = ['game', 'kind', 'status', 'world', 'archive'];
export type Facet = 'game' | 'kind' | 'status' | 'world' | 'archive' | 'flags';
/** Number of assets for each value of a facet. */
export type Counts = Record<Facet, Int32Array>;
export interface Found { ids: Int32Array; counts: Counts }

export class Search {
  private readonly texts: string[] = [];
  private made = 0;

  constructor(private readonly catalog: Catalog) {}

  /** Words of an asset: names with and without spaces, so that "madcat" finds "Mad Cat". */
  private text(id: number): string {
    let text = this.texts[id];
    if (text === undefined) {
      const { titles, names, terms, keys, index, game } = this.catalog;
      const title = titles[id]!;
      const squeezed = /[\s_'’-]/.test(title) ? ` ${title.replace(/[\s_'’-]+/g, '')}` : '';
      const own = index.games[game[id]!];
      text = fold(` ${title} ${names[id]} ${terms[id]}${squeezed} ${keys[id]} ${own?.id ?? ''} ${own?.title ?? ''}`);
      text = text.replace(/[_/\\.,:;()[\]-]+/g, ' ');
      this.texts[id] = text;
      this.made += 1;
    }
    return text;
  }

  /** Prepares the words of all assets in short steps, so that the first search is fast too. */
  async prepare(): Promise<void> {
    for (let id = 0; id < this.catalog.count; id += 1) {
      this.text(id);
      if (id % 4000 === 3999) await new Promise((done) => setTimeout(done));
    }
  }

  run(query: Query): Found {
    const { catalog } = this;
    const words = fold(query.text).split(/[\s_/\\.,:;()[\]-]+/).filter(Boolean).map((word) => [word, ` ${word}`] as const);
    const chosen = FACETS.map((facet) => (query[facet as Facet] as number[]).length
      ? { facet, values: new Set(query[facet as Facet]) } : null);
    const mask = query.flags.reduce((bits, flag) => bits | (1 << flag), 0);
    const { index } = catalog;
    const counts: Counts = {
      game: new Int32Array(index.games.length), kind: new Int32Array(index.kinds.length), status: new Int32Array(index.statuses.length),
      world: new Int32Array(index.worlds.length), archive: new Int32Array(index.archives.length), flags: new Int32Array(index.flags.length),
    };
    const columns = FACETS.map((facet) => ({ values: catalog[facet], counts: counts[facet as Facet] }));
    const ids: number[] = [];
    const ranks: number[] = [];
    const flagCount = catalog.index.flags.length;
    for (let id = 0; id < catalog.count; id += 1) {
      if (catalog.keys[id] === '') continue;
      let rank = 0;
      if (words.length > 0) {
        const text = this.text(id);
        rank = score(text, words);
        if (rank < 0) continue;
      }
      // An asset counts for a facet if it matches all other facets.
      let misses = 0;
      let missed = -1;
      for (let place = 0; place < FACETS.length; place += 1) {
        const own = chosen[place];
        if (own && !own.values.has(catalog[own.facet][id]!)) {
          misses += 1;
          missed = place;
        }
      }
      const flags = catalog.flags[id]!;
      const flagged = (flags & mask) === mask;
      if (misses > 1 || (misses === 1 && !flagged)) continue;
      if (flagged) {
        for (let place = 0; place < FACETS.length; place += 1) {
          if (misses === 0 || missed === place) {
            const column = columns[place]!;
            const value = column.values[id]!;
            if (value >= 0) column.counts[value]! += 1;
          }
        }
      }
      if (misses > 0 || !flagged) continue;
      for (let flag = 0; flag < flagCount; flag += 1) if (flags & (1 << flag)) counts.flags[flag]! += 1;
      ids.push(id);
      ranks.push(rank);
    }
    return { ids: this.sorted(ids, ranks, words.length > 0, query.sort), counts };
  }

  /** Rank of an asset: a world 2, a model 1, everything else 0. */
  private weight(id: number): number {
    if (this.catalog.typeOf(id) !== 'model') return 0;
    return this.catalog.index.kinds[this.catalog.kind[id]!]?.id === 'worlds' ? 2 : 1;
  }

  private sorted(ids: number[], ranks: number[], ranked: boolean, sort: Query['sort']): Int32Array {
    const { catalog } = this;
    if (sort === 'order') return byRank(ids, ids.map((id, place) => ranks[place]! * 3 + this.weight(id)));
    if (sort === 'stored') return ranked ? byRank(ids, ranks) : Int32Array.from(ids);
    const places = ids.map((_, place) => place);
    if (sort === 'size') {
      places.sort((x, y) => catalog.size[ids[y]!]! - catalog.size[ids[x]!]! || ids[x]! - ids[y]!);
    } else {
      const labels = ids.map((id) => fold(catalog.label(id)));
      places.sort((x, y) => (labels[x]! < labels[y]! ? -1 : labels[x]! > labels[y]! ? 1 : ids[x]! - ids[y]!));
    }
    return Int32Array.from(places, (place) => ids[place]!);
  }
}

/** Sorts assets by rank, those of one rank as stored. */
function byRank(ids: readonly number[], ranks: readonly number[]): Int32Array {
  const buckets: number[][] = [];
  ids.forEach((id, place) => (buckets[ranks[place]!] ??= []).push(id));
  return Int32Array.from(buckets.reverse().flatMap((own) => own ?? []));
}

/** Score of a text: higher for words that begin with a searched word; -1 if one is missing. */
function score(text: string, words: readonly (readonly [inside: string, start: string])[]): number {
  let total = 0;
  for (const [word, atStart] of words) {
    const start = text.indexOf(atStart);
    if (start < 0 && !text.includes(word)) return -1;
    if (start >= 0) {
      const end = text[start + 1 + word.length];
      total += end === ' ' || end === undefined ? 3 : 2;
      if (start < 2) total += 2;
    }
  }
  return total;
}
