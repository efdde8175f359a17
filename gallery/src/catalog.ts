// All assets in columns, for lists, facets and search. Details are loaded in chunks.

import type { Files } from './files.ts';
import { fold, stem } from './text.ts';
import type { Detail, Index, ListChunk, Type } from './types.ts';

/** Columns of facets. */
export type Column = 'game' | 'kind' | 'type' | 'status' | 'world' | 'archive';

/** Number of folders that two outputs share below the folders of their kinds. */
function shared(one: string, other: string): number {
  const [a, b] = [one.split('/').slice(1, -1), other.split('/').slice(1)];
  const end = a.findIndex((part, place) => part !== b[place]);
  return end < 0 ? a.length : end;
}

export class Catalog {
  readonly count: number;
  readonly game: Int16Array;
  readonly kind: Int16Array;
  readonly type: Int16Array;
  readonly status: Int16Array;
  readonly world: Int32Array;
  readonly archive: Int32Array;
  readonly flags: Int32Array;
  readonly size: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly names: string[];
  readonly titles: string[];
  readonly keys: string[];
  readonly terms: string[];
  readonly thumbs = new Map<number, string>();
  loaded = 0;
  private readonly details = new Map<number, Promise<Detail[]>>();
  private byKey: Map<string, number> | null = null;
  private byName: Map<string, number[]> | null = null;

  constructor(readonly index: Index, private readonly files: Files) {
    const count = index.assets;
    this.count = count;
    [this.game, this.kind, this.type, this.status] = [0, 1, 2, 3].map(() => new Int16Array(count)) as
      [Int16Array, Int16Array, Int16Array, Int16Array];
    [this.world, this.archive, this.flags] = [0, 1, 2].map(() => new Int32Array(count)) as
      [Int32Array, Int32Array, Int32Array];
    [this.size, this.a, this.b] = [0, 1, 2].map(() => new Float64Array(count)) as
      [Float64Array, Float64Array, Float64Array];
    this.names = new Array(count).fill('');
    this.titles = new Array(count).fill('');
    this.keys = new Array(count).fill('');
    this.terms = new Array(count).fill('');
  }

  /** Loads all chunks, several at a time, and calls back after each. */
  async load(arrived: () => void): Promise<void> {
    let next = 0;
    const worker = async () => {
      while (next < this.index.list.count) {
        const chunk = next;
        next += 1;
        this.take(await this.files.data(`data/list/${chunk}.json`));
        arrived();
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    this.byKey = null;
    this.byName = null;
  }

  private take(chunk: ListChunk): void {
    const { first, count } = chunk;
    for (const column of ['game', 'kind', 'type', 'status', 'world', 'archive', 'flags', 'size', 'a', 'b'] as const) {
      this[column].set(chunk[column], first);
    }
    for (let place = 0; place < count; place += 1) {
      const id = first + place;
      this.names[id] = chunk.name[place] ?? '';
      this.titles[id] = chunk.title[place] ?? '';
      this.terms[id] = chunk.terms[place] ?? '';
      this.keys[id] = (chunk.dirs[chunk.dir[place] ?? 0] ?? '') + (chunk.file[place] ?? '');
    }
    for (const [place, path] of Object.entries(chunk.thumb ?? {})) this.thumbs.set(first + Number(place), path);
    this.loaded += count;
  }

  label(id: number): string {
    const stored = this.names[id] ?? '';
    return this.titles[id] || stored.slice(stored.lastIndexOf('/') + 1) || stem(this.keys[id] ?? '') || `asset ${id}`;
  }

  typeOf(id: number): Type {
    return this.index.types[this.type[id] ?? -1] ?? 'none';
  }

  gameTitle(id: number): string {
    return this.index.games[this.game[id] ?? -1]?.title ?? '';
  }

  /** Path of the main output, if any. */
  path(id: number): string | null {
    const key = this.keys[id];
    return key === undefined || key === '' || key.startsWith(':') ? null : key;
  }

  /** The asset with a key. */
  find(key: string): number | null {
    if (!this.byKey) {
      this.byKey = new Map();
      for (let id = 0; id < this.count; id += 1) this.byKey.set(this.keys[id]!, id);
    }
    return this.byKey.get(key) ?? null;
  }

  /** Finds the asset of a game by a name; of several, the one with the nearest path to the file that has the name. */
  named(name: string, game: number, by: string): number | null {
    if (!this.byName) {
      this.byName = new Map();
      for (let id = 0; id < this.count; id += 1) {
        const stored = fold(this.names[id]!);
        for (const own of new Set([stored, stem(stored), fold(stem(this.keys[id]!))])) {
          const list = this.byName.get(own);
          if (list) list.push(id);
          else this.byName.set(own, [id]);
        }
      }
    }
    const found = this.byName.get(fold(name));
    if (!found) return null;
    const fit = found.filter((id) => this.game[id] === game && !['none', 'file'].includes(this.typeOf(id)));
    let best: number | null = null;
    let most = -1;
    for (const id of fit) {
      const near = shared(this.keys[id]!, by);
      if (near > most) [best, most] = [id, near];
    }
    return best;
  }

  async detail(id: number): Promise<Detail> {
    const chunk = Math.floor(id / this.index.detail.size);
    let own = this.details.get(chunk);
    if (!own) {
      own = this.files.data(`data/detail/${chunk}.json`).then((data) => data.assets as Detail[]);
      this.details.set(chunk, own);
      own.catch(() => this.details.delete(chunk));
    }
    const detail = (await own).find((one) => one.id === id);
    if (!detail) throw new Error(`the catalog has no details of asset ${id}`);
    return detail;
  }
}
