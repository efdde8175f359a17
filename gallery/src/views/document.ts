// Documents: animation definitions, messages, tables and other JSON; plain text.

import { h, replace, visible } from '../dom.ts';
import type { Context, View } from '../context.ts';
import type { Detail } from '../types.ts';
import { ending, folder, size, stem } from '../text.ts';
import { messages, type Language } from './messages.ts';
import { ModelView } from './model.ts';
import { Timeline } from './timeline.ts';
import { tree, type FindLink } from './tree.ts';

const LARGEST_TEXT = 2 * 1024 * 1024;

export class DocumentView implements View {
  readonly element = h('div', { class: 'document' }, h('p', { class: 'note' }, 'Loading …'));
  private player: ModelView | null = null;
  private gone = false;

  constructor(private readonly context: Context, private readonly id: number, private readonly path: string, private readonly detail: Detail) {
    void this.open().catch((error) => replace(this.element, h('p', { class: 'note' }, `${(error as Error).message}`)));
  }

  dispose(): void {
    this.gone = true;
    this.player?.dispose();
  }

  private async open(): Promise<void> {
    const value = await this.context.files.json(this.path);
    if (this.gone) return;
    const find = links(this.context, this.id, this.detail);
    const parts: HTMLElement[] = [];
    if (value && typeof value.language === 'string' && Array.isArray(value.entries)) {
      parts.push(messages(await this.languages(value)));
    } else if (value && Array.isArray(value.sequences) && typeof value.animation === 'string') {
      parts.push(await this.animation(value, find));
    }
    const whole = tree(value, find, stem(this.path));
    parts.push(parts.length === 0 ? whole : h('details', {}, h('summary', {}, 'The whole document'), whole));
    replace(this.element, ...parts);
  }

  /** The same library in other languages: files in the same folder whose names differ only in the language. */
  private async languages(own: Language): Promise<Language[]> {
    const { catalog, files } = this.context;
    const base = stem(this.path).replace(/\.[a-z]{2,3}(-[a-z0-9]+)?$/i, '');
    const all = [own];
    for (let id = 0; id < catalog.count; id += 1) {
      const path = catalog.path(id);
      if (!path || path === this.path || ending(path) !== 'json' || folder(path) !== folder(this.path)) continue;
      if (stem(path).replace(/\.[a-z]{2,3}(-[a-z0-9]+)?$/i, '') !== base) continue;
      const other = await files.json(path).catch(() => null);
      if (other && Array.isArray(other.entries) && typeof other.language === 'string') all.push(other);
    }
    return all;
  }

  /** A timeline, and the animated model if its clip was converted. */
  private async animation(definition: any, find: FindLink): Promise<HTMLElement> {
    const { catalog } = this.context;
    const root = String(definition.root ?? definition.name ?? '').toLowerCase();
    const uses = (this.detail.uses ?? []).concat(this.detail.usedBy ?? []).map(([id]) => id);
    const beside = catalog.find(`${folder(this.path)}/${root}.gltf`) ?? catalog.find(`${folder(this.path)}/${root}.glb`);
    const model = beside ?? uses.find((id) => catalog.typeOf(id) === 'model' && /^animations\//.test(catalog.keys[id]!)) ?? null;
    const box = h('div', { class: 'definition' });
    let line: Timeline;
    const jump = (time: number) => {
      const { stage } = this.player ?? {};
      if (!stage?.player.current) return;
      stage.player.playing = false;
      stage.pose(time);
    };
    line = new Timeline(definition, find, jump);
    if (model !== null) {
      this.player = new ModelView(this.context, {
        path: catalog.keys[model]!, world: false, game: catalog.game[model]!, hidden: [], levels: [], scenes: [],
        options: new URLSearchParams({ clip: definition.animation }),
        time: (clip, time) => { if (clip === definition.animation) line.at(time); },
      });
      box.append(this.player.element);
    }
    box.append(h('h2', {}, 'Events'), line.element);
    return box;
  }
}

/** Finds the asset that a text in a document names. Common words are ignored. */
export function links(context: Context, id: number, detail: Detail): FindLink {
  const { catalog } = context;
  const near = new Map<string, number>();
  for (const [other] of [...(detail.uses ?? []), ...(detail.usedBy ?? [])]) {
    near.set((catalog.names[other] ?? '').toLowerCase(), other);
    near.set(stem(catalog.names[other] ?? '').toLowerCase(), other);
  }
  const links = detail.links ?? {};
  return (text) => {
    if (Object.hasOwn(links, text)) return catalog.keys[links[text]!] ?? null;
    const own = near.get(text.toLowerCase());
    if (own !== undefined) return catalog.keys[own] ?? null;
    const exact = text.includes('/') ? catalog.find(text) : null;
    const found = exact ?? (/^[\w .&-]+\.\w{2,5}$|_/.test(text) && text.length > 3 ? catalog.named(text, catalog.game[id]!, catalog.keys[id]!) : null);
    return found === null || found === id ? null : catalog.keys[found]!;
  };
}

export class TextView implements View {
  readonly element = h('div', { class: 'document' }, h('p', { class: 'note' }, 'Loading …'));

  constructor(context: Context, path: string) {
    void context.files.bytes(path).then((bytes) => {
      const cut = bytes.byteLength > LARGEST_TEXT ? bytes.slice(0, LARGEST_TEXT) : bytes;
      const note = cut === bytes ? null : h('p', { class: 'note' }, `The first ${size(LARGEST_TEXT)} of ${size(bytes.byteLength)}.`);
      if (ending(path) === 'csv') replace(this.element, note, table(decode(cut)));
      else replace(this.element, note, h('pre', { class: 'text', dir: 'auto', tabindex: '0' }, visible(decode(cut))));
    }, (error) => replace(this.element, h('p', { class: 'note' }, (error as Error).message)));
  }
}

/** UTF-8, else the Windows code page. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function table(text: string): HTMLElement {
  const rows = text.split(/\r?\n/).filter(Boolean).slice(0, 2000).map((line) => {
    const cells: string[] = [];
    for (const match of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    return cells;
  });
  const [head = [], ...body] = rows;
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table' }, h('table', { class: 'plain' },
    h('thead', {}, h('tr', {}, ...head.map((cell) => h('th', { scope: 'col' }, visible(cell))))),
    h('tbody', {}, ...body.map((row) => h('tr', {}, ...row.map((cell) => h('td', { dir: 'auto' }, visible(cell))))))));
}
