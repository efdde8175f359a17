// The page of one asset: its viewer, data, relations to other assets, and provenance.

import { append, button, h, name, replace, visible, type Child } from '../dom.ts';
import type { Context, View } from '../context.ts';
import * as router from '../router.ts';
import { count, ending, many, seconds, size } from '../text.ts';
import type { Detail, Edge, Output } from '../types.ts';
import { DocumentView, TextView } from './document.ts';
import { MapView } from './map.ts';
import { ModelView } from './model.ts';
import { PictureView } from './picture.ts';
import { SongView } from './song.ts';
import { SoundView } from './sound.ts';
import { measure } from './tile.ts';

const EDGES_SHOWN = 24;

export class AssetView implements View {
  readonly element = h('article', { class: 'asset' });
  private viewer: View | null = null;
  private gone = false;

  constructor(private readonly context: Context, key: string, private readonly options: URLSearchParams) {
    const id = context.catalog.find(key);
    if (id === null) {
      replace(this.element, h('h1', {}, 'Not found'),
        h('p', {}, 'There is no ', name(key, 'code'), ' in this gallery.'), h('p', {}, h('a', { href: '#/browse' }, 'All assets')));
      return;
    }
    void this.open(id).catch((error) => append(this.element, [h('p', { class: 'note' }, `Details: ${(error as Error).message}`)]));
  }

  dispose(): void {
    this.gone = true;
    this.viewer?.dispose?.();
  }

  private async open(id: number): Promise<void> {
    const { catalog } = this.context;
    const label = catalog.label(id);
    const heading = h('header', {},
      h('nav', { 'aria-label': 'Location' }, ...this.crumbs(id)),
      h('h1', { dir: 'auto', tabindex: '-1' }, visible(label)),
      h('p', { class: 'badges' }, ...this.badges(id)));
    const viewer = h('div', { class: 'viewer' });
    const side = h('div', { class: 'facts' });
    replace(this.element, heading, h('div', { class: 'columns' }, viewer, side));
    document.title = `${visible(label)} · relicast`;
    const detail = await catalog.detail(id);
    if (this.gone) return;
    this.show(id, detail, viewer);
    replace(side, this.about(id, detail), this.edges('Uses', detail.uses), this.edges('Used by', detail.usedBy),
      this.remarks(detail), this.files(detail), this.provenance(detail));
  }

  private crumbs(id: number): Child[] {
    const { catalog } = this.context;
    const { index } = catalog;
    const [game, kind] = [catalog.game[id]!, catalog.kind[id]!];
    return [
      h('a', { href: '#/browse' }, 'All assets'),
      game >= 0 ? h('a', { href: router.browse({ game: [game] }) }, visible(index.games[game]!.title)) : null,
      kind >= 0 ? h('a', { href: router.browse({ game: game >= 0 ? [game] : [], kind: [kind] }) }, visible(index.kinds[kind]!.title)) : null,
    ].flatMap((own, place) => (own === null ? [] : place > 0 ? [' › ', own] : [own]));
  }

  private badges(id: number): HTMLElement[] {
    const { catalog } = this.context;
    const { index } = catalog;
    const status = index.statuses[catalog.status[id]!] ?? '';
    const flags = index.flags.filter((_, bit) => catalog.flags[id]! & (1 << bit)).map((own) => own.title);
    const texts = [measure(this.context, id), size(catalog.size[id]!), ...flags].filter(Boolean);
    return [h('span', { class: `badge ${status}` }, status), ...texts.map((own) => h('span', { class: 'badge' }, visible(own)))];
  }

  private outputs(detail: Detail, ...roles: string[]): string[] {
    return (detail.outputs ?? []).filter((own) => roles.includes(own.role)).map((own) => own.path);
  }

  private show(id: number, detail: Detail, box: HTMLElement): void {
    const { context, options } = this;
    const { catalog } = context;
    const path = catalog.path(id);
    const type = catalog.typeOf(id);
    if (path === null || type === 'none') {
      replace(box, h('p', { class: 'note' }, detail.reason ? visible(detail.reason) : 'This source has no outputs.'));
      return;
    }
    const mount = (make: () => View) => {
      this.viewer?.dispose?.();
      this.viewer = make();
      box.replaceChildren(...(this.tabs.length > 1 ? [this.tabRow] : []), this.viewer.element);
    };
    const world = /^worlds\//.test(path);
    const makers: Record<string, () => View> = {};
    if (type === 'model') {
      const models = (roles: string[]) => this.outputs(detail, ...roles).filter((own) => /\.(gltf|glb)$/i.test(own));
      makers['3D'] = () => new ModelView(context, {
        path, world, game: catalog.game[id]!, hidden: models(['hidden']), levels: models(['lod']), scenes: models(['scene']), options,
      });
      if (world) {
        const facts = this.outputs(detail, 'facts', 'tables').filter((own) => /everquest\.json$/.test(own));
        makers['Map'] = () => new MapView(context, { path, id, game: catalog.game[id]!, facts });
      }
    } else if (type === 'picture') {
      const roles = ['additive', 'normal', 'glow', 'base', 'mask', 'overlay', 'alpha', 'other'];
      const others = (detail.outputs ?? []).filter((own) => roles.includes(own.role) && ending(own.path) === 'png')
        .map((own) => [own.path, own.role === 'other' ? own.path.split('/').pop()! : own.role] as const);
      makers['Picture'] = () => new PictureView(context, { path, others, frames: Array.isArray(detail.facts?.frames) ? detail.facts.frames : [] });
    } else if (type === 'sound') {
      makers['Sound'] = () => new SoundView(context, { path, facts: detail.facts });
    } else if (type === 'song') {
      makers['Song'] = () => (/\.midi?$/i.test(path) ? new SongView(context, path) : new SoundView(context, { path, facts: detail.facts }));
    } else if (type === 'video') {
      makers['Video'] = () => this.video(path, catalog.thumbs.get(id) ?? this.outputs(detail, 'poster')[0]);
    } else if (type === 'document') {
      makers['Document'] = () => new DocumentView(context, id, path, detail);
    } else if (type === 'text') {
      makers['Text'] = () => new TextView(context, path);
    } else {
      makers['File'] = () => ({ element: h('p', { class: 'note' }, 'There is no viewer for this kind of file. ', h('a', { href: context.files.link(path), download: true }, 'Save it'), '.') });
    }
    for (const table of this.outputs(detail, 'facts', 'tables', 'font').filter((own) => ending(own) === 'json' && own !== path)) {
      makers[Object.hasOwn(makers, 'Table') ? `Table ${Object.keys(makers).length}` : 'Table'] = () => new DocumentView(context, id, table, detail);
    }
    this.tabs = Object.keys(makers);
    const first = this.tabs.find((own) => own.toLowerCase() === options.get('tab')) ?? this.tabs[0]!;
    const choose = (tab: string) => {
      replace(this.tabRow, ...this.tabs.map((own) => button(own, () => {
        router.note({ tab: own === this.tabs[0] ? null : own.toLowerCase(), walk: null });
        choose(own);
      }, { 'aria-pressed': String(own === tab), class: own === tab ? 'tab on' : 'tab' })));
      mount(makers[tab]!);
    };
    choose(first);
  }

  private tabs: string[] = [];
  private readonly tabRow = h('div', { class: 'tabs', role: 'group', 'aria-label': 'Views' });

  private video(path: string, poster: string | undefined): View {
    const { files } = this.context;
    const video = h('video', { controls: true, preload: 'metadata', src: files.link(path), 'aria-label': 'Video' });
    if (poster) video.poster = files.link(poster);
    const status = h('p', { class: 'counts', role: 'status' });
    video.addEventListener('loadedmetadata', () => replace(status, `${video.videoWidth} × ${video.videoHeight} · ${seconds(video.duration)}`));
    video.addEventListener('error', () => replace(status, 'This browser cannot play this video.'));
    const step = (by: number) => {
      video.pause();
      video.currentTime = Math.max(video.currentTime + by, 0);
    };
    const element = h('div', { class: 'video' }, video, status, h('div', { class: 'panel' },
      button('‹', () => step(-1 / 15), { 'aria-label': 'One step back' }), button('›', () => step(1 / 15), { 'aria-label': 'One step forward' })));
    return { element, dispose: () => { video.pause(); video.removeAttribute('src'); video.load(); } };
  }

  private about(id: number, detail: Detail): HTMLElement {
    const { catalog } = this.context;
    const rows: [string, Child][] = [['Stored name', name(catalog.names[id]!, 'code')]];
    const names = (detail.names ?? []).filter((own) => own.text !== catalog.names[id]);
    if (names.length > 0) {
      rows.push(['Names', h('span', {}, ...names.flatMap((own, place) => [place > 0 ? ', ' : '', name(own.text), own.language ? ` (${own.language})` : '']))]);
    }
    const world = catalog.index.worlds[catalog.world[id] ?? -1];
    if (world) rows.push(['World', h('a', { href: router.browse({ world: [catalog.world[id]!] }) }, visible(world.title || world.name))]);
    const archive = catalog.index.archives[catalog.archive[id] ?? -1];
    if (archive) rows.push(['Archive', h('a', { href: router.browse({ archive: [catalog.archive[id]!] }), dir: 'auto' }, visible(archive.path))]);
    for (const [key, value] of Object.entries(detail.facts ?? {})) {
      const text = fact(value);
      if (text !== null) rows.push([words(key), text]);
    }
    return section('About', h('dl', {}, ...rows.flatMap(([title, value]) => [h('dt', {}, title), h('dd', {}, value)])));
  }

  private edges(title: string, edges: readonly Edge[] | undefined): HTMLElement | null {
    const { catalog } = this.context;
    if (!edges || edges.length === 0) return null;
    const list = h('ul', { class: 'edges' });
    const row = ([id, what]: Edge) => h('li', {}, h('span', { class: 'hint' }, `${what} `),
      h('a', { href: router.asset(catalog.keys[id] ?? ''), dir: 'auto' }, visible(catalog.label(id))));
    append(list, edges.slice(0, EDGES_SHOWN).map(row));
    if (edges.length > EDGES_SHOWN) {
      const more = h('li', {}, button(`${count(edges.length - EDGES_SHOWN)} more`, () => {
        more.remove();
        append(list, edges.slice(EDGES_SHOWN).map(row));
      }, { class: 'quiet' }));
      list.append(more);
    }
    return section(`${title} (${count(edges.length)})`, list);
  }

  private remarks(detail: Detail): HTMLElement | null {
    const missing = new Set(detail.missing ?? []);
    const notes = (detail.notes ?? []).map((text, place) => h('li', { class: missing.has(place) ? 'missing' : '' }, visible(text)));
    const { total = 0, first = [] } = detail.deviations ?? {};
    if (notes.length + total === 0 && !detail.reason) return null;
    return section('Remarks',
      detail.reason ? h('p', { class: 'note' }, visible(detail.reason)) : null,
      total > 0 ? h('p', {}, `${many(total, 'deviation')} from the format, preserved as stored:`) : null,
      first.length > 0 ? h('ul', {}, ...first.map((text) => h('li', {}, visible(text)))) : null,
      notes.length > 0 ? h('ul', {}, ...notes) : null);
  }

  private files(detail: Detail): HTMLElement | null {
    const outputs = detail.outputs ?? [];
    if (outputs.length === 0) return null;
    return section(`Files (${count(outputs.length)})`, h('ul', { class: 'files' }, ...outputs.map((own: Output) => h('li', {},
      h('a', { href: this.context.files.link(own.path), dir: 'auto', title: visible(own.path), download: own.path.split('/').pop()! }, visible(own.path.split('/').pop()!)),
      h('span', { class: 'hint' }, ` ${own.role}, ${size(own.size)}`)))));
  }

  private provenance(detail: Detail): HTMLElement {
    const { source } = detail;
    const rows: [string, Child][] = [];
    if (source) rows.push(['Source', name(source.path, 'code')]);
    if (detail.member) rows.push(['Member', name(detail.member, 'code')]);
    if (detail.range) rows.push(['Bytes', `${count(detail.range[0])} to ${count(detail.range[1])} (0x${detail.range[0].toString(16)} to 0x${detail.range[1].toString(16)})`]);
    if (detail.packing) rows.push(['Packing', detail.packing]);
    for (const [part, own] of [['Disc', detail.disc], ['Cabinet', detail.cabinet]] as const) {
      if (own) rows.push([part, Object.entries(own).map(([key, value]) => `${words(key)} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(' · ')]);
    }
    if (source?.blake3) rows.push(['BLAKE3 of the source', h('code', {}, source.blake3)]);
    for (const own of detail.outputs ?? []) rows.push([`BLAKE3 of ${visible(own.path.split('/').pop()!)}`, h('code', {}, own.blake3)]);
    if (detail.converter) rows.push(['Program', detail.converter]);
    if (detail.settings) rows.push(['Settings', h('code', {}, detail.settings)]);
    const commands = (detail.commands ?? []).map((own) => h('li', {}, h('span', { class: 'hint' }, `${own.what} `),
      h('code', {}, visible(own.command)), ' ', button('Copy', () => void navigator.clipboard?.writeText(own.command).catch(() => undefined), {
        class: 'quiet', 'aria-label': `Copy the command for ${own.what}`,
      })));
    const made = detail.madeFrom ?? [];
    return h('details', { class: 'provenance', open: this.options.get('provenance') === '1' },
      h('summary', {}, 'Provenance'),
      h('dl', {}, ...rows.flatMap(([title, value]) => [h('dt', {}, title), h('dd', {}, value)])),
      made.length > 0 ? h('details', {}, h('summary', {}, `Made from ${many(made.length, 'file')}`), h('ul', {}, ...made.map((own) => h('li', {}, name(own, 'code'))))) : null,
      commands.length > 0 ? h('h3', {}, 'Commands') : null,
      commands.length > 0 ? h('ul', { class: 'commands' }, ...commands) : null);
  }
}

function section(title: string, ...children: Child[]): HTMLElement {
  return h('section', {}, h('h2', {}, title), ...children);
}

function words(key: string): string {
  const text = key.replace(/_/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value as one line, or null if it is shown in another section. */
function fact(value: unknown): Child {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number') return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));
  if (typeof value === 'string') return visible(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    const parts = value.slice(0, 12).map(one);
    return visible(parts.join(', ')) + (value.length > 12 ? `, and ${count(value.length - 12)} more` : '');
  }
  return visible(one(value));
}

function one(value: unknown): string {
  if (value === null || typeof value !== 'object') return typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value);
  if (Array.isArray(value)) return `(${value.map(one).join(', ')})`;
  const own = value as Record<string, unknown>;
  if (typeof own.name === 'string' && typeof own.seconds === 'number') return `${own.name} ${seconds(own.seconds)}`;
  return Object.entries(own).map(([key, part]) => `${words(key).toLowerCase()} ${one(part)}`).join(' · ');
}
