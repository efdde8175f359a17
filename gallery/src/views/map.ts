// A map of a world from above: objects, actors of its missions, sounds and regions.

import { button, h, replace, select, toggle, visible } from '../dom.ts';
import type { Context, View } from '../context.ts';
import * as router from '../router.ts';
import { count, folder, stem } from '../text.ts';
import { above, dispose, type Above } from '../three/above.ts';
import { nodeFacts, numbers } from '../three/facts.ts';
import { loadModel, type Model } from '../three/load.ts';

interface Mark { layer: string; name: string; at: number[]; radius?: number; box?: [number[], number[]]; key?: string | null; more?: string }
const COLORS = ['#ff5d5d', '#4aa3ff', '#ffb52e', '#4fd07a', '#d68cff', '#5ce0d8', '#ff8fc4', '#c9d04f'];
const LISTED = 500;
/** Layers with more marks than this show no radius, and lights are hidden until they are switched on. */
const CIRCLED = 60;

export interface MapOptions { path: string; id: number; game: number; facts: readonly string[] }

export class MapView implements View {
  readonly element = h('div', { class: 'map' }, h('p', { class: 'note' }, 'Loading …'));
  private readonly canvas = h('canvas', { role: 'img', 'aria-label': 'Map from above; the positions are in the table below', tabindex: '0' });
  private readonly tools = h('div', { class: 'panel' });
  private readonly legend = h('div', { class: 'legend', role: 'group', 'aria-label': 'Layers' });
  private readonly table = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Positions' });
  private model: Model | null = null;
  private picture: Above | null = null;
  private marks: Mark[] = [];
  private readonly off = new Set<string>();
  private zoom = 1;
  private pan = { x: 0, y: 0 };
  private chosen: Mark | null = null;
  private gone = false;
  private seen = false;

  constructor(private readonly context: Context, private readonly own: MapOptions) {
    void this.open().catch((error) => replace(this.element, h('p', { class: 'note' }, (error as Error).message)));
  }

  dispose(): void {
    this.gone = true;
    if (this.model) this.model.gltf.scenes.forEach((scene) => dispose(scene));
  }

  private async open(): Promise<void> {
    const model = await loadModel(this.context.files, this.own.path);
    if (this.gone) return;
    this.model = model;
    await this.show(Math.max(model.gltf.scenes.indexOf(model.gltf.scene), 0));
    replace(this.element, this.tools, h('div', { class: 'stage' }, this.canvas), this.legend, this.table);
    this.listen();
    this.draw();
  }

  private async show(scene: number): Promise<void> {
    const model = this.model!;
    this.picture = above(model, scene, 1024);
    this.marks = this.picture ? [...this.things(), ...await this.sounds(), ...await this.regions(), ...await this.actors()] : [];
    const names = model.gltf.scenes.map((own, place) => [String(place), String(own.name || `scene ${place + 1}`)] as const);
    replace(this.tools,
      names.length > 1 ? select('Mission', names, String(scene), (own) => void this.show(Number(own)).then(() => this.draw())) : null,
      h('span', { class: 'buttons', role: 'group', 'aria-label': 'Zoom' },
        button('−', () => this.scale(1 / 1.5), { 'aria-label': 'Smaller' }), button('All', () => this.reset()),
        button('+', () => this.scale(1.5), { 'aria-label': 'Larger' })));
    const layers = [...new Set(this.marks.map((mark) => mark.layer))];
    if (this.marks.filter((mark) => mark.layer === 'lights').length > CIRCLED && !this.seen) this.off.add('lights');
    this.seen = true;
    replace(this.legend, ...layers.map((layer) => {
      const item = toggle(`${layer} (${count(this.marks.filter((mark) => mark.layer === layer).length)})`, !this.off.has(layer), (on) => {
        if (on) this.off.delete(layer);
        else this.off.add(layer);
        this.draw();
        this.rows();
      });
      const sign = h('span', { class: 'dot' });
      sign.style.background = this.color(layer);
      item.prepend(sign);
      return item;
    }));
    this.rows();
  }

  /** Marks from the scene itself. */
  private things(): Mark[] {
    const model = this.model!;
    const marks: Mark[] = [];
    const { catalog } = this.context;
    this.picture!.root.traverse((node) => {
      const own = nodeFacts(model, node);
      if (own.hidden === true || own.sky !== undefined) return;
      const at = node.getWorldPosition(node.position.clone()).toArray();
      const title = String(own.name ?? own.emitter?.Name ?? node.name);
      const mark = (layer: string, more: Partial<Mark> = {}) => marks.push({ layer, name: title, at, ...more });
      if (typeof own.model === 'string') {
        const id = catalog.named(own.model, this.own.game, this.own.path);
        mark('placements', { name: own.model, key: id === null ? null : catalog.keys[id]! });
      } else if (own.pickup) mark('pickups', { name: String(own.pickup.name ?? title) });
      else if (own.airship) mark('airships');
      else if (own.turret) mark('turrets');
      else if (own.mover) mark('movers');
      else if (own.particles || own.emitter) mark('particles');
      else if (own.light !== undefined || own.ofAnimation !== undefined || (node as any).isLight) {
        mark('lights', { radius: Number.isFinite(own.radius) ? own.radius : undefined } as Partial<Mark>);
      } else if (own.class === 'camera') mark('cameras');
      else if (own.class === 'object3d' && nodeFacts(model, node.parent ?? node).class === 'world') mark('objects');
      const box = own.fogVolume;
      if (box) {
        const [low, high] = [numbers(box.min, 3), numbers(box.max, 3)];
        if (low && high) marks.push({ layer: 'fog', name: title, at, box: [add(low, at), add(high, at)] });
      }
    });
    return marks;
  }

  /** Sounds of an EverQuest zone. */
  private async sounds(): Promise<Mark[]> {
    const { catalog } = this.context;
    const zone = stem(this.own.path);
    const area = folder(this.own.path).replace(/^worlds\/?/, '');
    const document = async (name: string) => {
      const path = ['sounds', area, name].filter(Boolean).join('/');
      return catalog.find(path) === null ? null : this.context.files.json(path).catch(() => null);
    };
    const [binary, text] = await Promise.all([document(`${zone}_sounds.json`), document(`${zone}.json`)]);
    const marks = list(text?.emitters).flatMap((emitter): Mark[] => {
      const at = numbers(emitter.scene_position, 3);
      if (!at || typeof emitter.file !== 'string') return [];
      const key = typeof emitter.path === 'string' && catalog.find(emitter.path) !== null ? emitter.path : null;
      const radius = emitter.max_distance > 0 ? emitter.max_distance : emitter.activation_range;
      const more = emitter.random_radius > 0 ? `random position within ${emitter.random_radius} units` : '';
      return [{ layer: 'sounds', name: emitter.file, at, radius, key, more }];
    });
    return marks.concat(list(binary?.emitters).flatMap((emitter): Mark[] => {
      const at = numbers(emitter.scene_position, 3);
      if (!at) return [];
      const heard = list(emitter.sounds).find((own) => own.name ?? own.path);
      const key = typeof heard?.path === 'string' && catalog.find(heard.path) !== null ? heard.path : null;
      return [{ layer: 'sounds', name: String(heard?.name ?? 'sound'), at, radius: emitter.radius, key, more: String(emitter.kind ?? '') }];
    }));
  }

  /** Water, zone lines and other volumes. */
  private async regions(): Promise<Mark[]> {
    const marks: Mark[] = [];
    for (const path of this.own.facts) {
      const facts = await this.context.files.json(path).catch(() => null);
      for (const volume of list(facts?.volumes)) {
        for (const box of list(volume.boxes)) {
          const [low, high] = [numbers(box?.[0], 3), numbers(box?.[1], 3)];
          if (!low || !high) continue;
          const line = volume.line ? 'zone lines' : `regions: ${volume.region_type ?? 'other'}`;
          marks.push({ layer: line, name: String(volume.name ?? 'region'), at: low.map((own, axis) => (own + high[axis]!) / 2), box: [low, high] });
        }
      }
    }
    return marks;
  }

  /** Names with positions in the readers of this world's missions. */
  private async actors(): Promise<Mark[]> {
    const { catalog } = this.context;
    const world = catalog.world[this.own.id] ?? -1;
    if (world < 0) return [];
    const marks: Mark[] = [];
    for (let id = 0; id < catalog.count; id += 1) {
      if (catalog.world[id] !== world || !/(^|\/)(aiv|net|ai_?vehicles)[^/]*\.json$/.test(catalog.keys[id]!)) continue;
      const path = catalog.path(id);
      const document = path ? await this.context.files.json(path).catch(() => null) : null;
      const mission = /m(\d+)/i.exec(folder(catalog.keys[id]!).split('/').slice(-2).join(' '))?.[0] ?? stem(folder(catalog.keys[id]!));
      placed(document, (name, at) => {
        const model = catalog.named(name.replace(/_?\d+$/, ''), this.own.game, this.own.path);
        marks.push({ layer: `mission ${mission}`, name, at, key: model === null ? catalog.keys[id]! : catalog.keys[model]! });
      });
    }
    return marks;
  }

  private color(layer: string): string {
    const layers = [...new Set(this.marks.map((mark) => mark.layer))];
    return COLORS[layers.indexOf(layer) % COLORS.length]!;
  }

  private scale(by: number): void {
    this.zoom = Math.min(Math.max(this.zoom * by, 1), 40);
    if (this.zoom === 1) this.pan = { x: 0, y: 0 };
    this.draw();
  }

  private reset(): void {
    this.zoom = 1;
    this.pan = { x: 0, y: 0 };
    this.chosen = null;
    this.draw();
  }

  private listen(): void {
    this.canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && document.activeElement !== this.canvas) return;
      event.preventDefault();
      this.scale(event.deltaY < 0 ? 1.2 : 1 / 1.2);
    }, { passive: false });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons === 0) return;
      const ratio = this.canvas.width / Math.max(this.canvas.clientWidth, 1);
      this.pan.x += event.movementX * ratio;
      this.pan.y += event.movementY * ratio;
      this.draw();
    });
    this.canvas.addEventListener('keydown', (event) => {
      const steps: Record<string, [number, number]> = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
      const step = steps[event.key];
      if (step) {
        event.preventDefault();
        this.pan.x += step[0];
        this.pan.y += step[1];
        this.draw();
      } else if (event.key === '+' || event.key === '-') {
        this.scale(event.key === '+' ? 1.3 : 1 / 1.3);
      }
    });
  }

  private draw(): void {
    const { picture, canvas } = this;
    if (!picture) return;
    [canvas.width, canvas.height] = [picture.canvas.width, picture.canvas.height];
    const paper = canvas.getContext('2d')!;
    const { zoom, pan } = this;
    const [x0, y0] = [canvas.width / 2 + pan.x - (canvas.width / 2) * zoom, canvas.height / 2 + pan.y - (canvas.height / 2) * zoom];
    paper.drawImage(picture.canvas, x0, y0, canvas.width * zoom, canvas.height * zoom);
    const place = (at: readonly number[]) => {
      const [x, y] = picture.project(at);
      return [x0 + x * zoom, y0 + y * zoom] as const;
    };
    paper.font = '13px system-ui, sans-serif';
    const shown = this.marks.filter((mark) => !this.off.has(mark.layer));
    const taken: [number, number, number][] = [];
    const counts = new Map<string, number>();
    for (const mark of shown) counts.set(mark.layer, (counts.get(mark.layer) ?? 0) + 1);
    for (const mark of shown) {
      const [x, y] = place(mark.at);
      paper.strokeStyle = paper.fillStyle = this.color(mark.layer);
      paper.lineWidth = mark === this.chosen ? 3 : 1.5;
      if (mark.box) {
        const [ax, ay] = place(mark.box[0]);
        const [bx, by] = place(mark.box[1]);
        paper.globalAlpha = 0.15;
        paper.fillRect(Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx), Math.abs(ay - by));
        paper.globalAlpha = 1;
        paper.strokeRect(Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx), Math.abs(ay - by));
        continue;
      }
      if (mark.radius && mark.radius > 0 && (mark === this.chosen || (counts.get(mark.layer) ?? 0) <= CIRCLED)) {
        paper.globalAlpha = 0.5;
        paper.beginPath();
        paper.arc(x, y, mark.radius * picture.scale * zoom, 0, Math.PI * 2);
        paper.stroke();
        paper.globalAlpha = 1;
      }
      paper.beginPath();
      paper.arc(x, y, mark === this.chosen ? 8 : 5, 0, Math.PI * 2);
      paper.fill();
      paper.strokeStyle = '#000';
      paper.lineWidth = 1;
      paper.stroke();
      const label = visible(mark.name).slice(0, 24);
      const wide = paper.measureText(label).width;
      const free = mark === this.chosen || !taken.some(([ox, oy, own]) => Math.abs(oy - y) < 14 && x < ox + own && ox < x + wide);
      if (free && shown.length < 3000) {
        taken.push([x, y, wide]);
        paper.strokeStyle = '#000';
        paper.lineWidth = 3;
        paper.strokeText(label, x + 8, y + 4);
        paper.fillStyle = '#fff';
        paper.fillText(label, x + 8, y + 4);
      }
    }
  }

  private rows(): void {
    const shown = this.marks.filter((mark) => !this.off.has(mark.layer));
    replace(this.table, shown.length === 0 ? h('p', { class: 'note' }, 'No positions are known.') : h('table', { class: 'plain' },
      h('thead', {}, h('tr', {}, ...['Layer', 'Name', 'Position', ''].map((own) => h('th', { scope: 'col' }, own || h('span', { class: 'hidden' }, 'Show'))))),
      h('tbody', {}, ...shown.slice(0, LISTED).map((mark) => h('tr', {},
        h('td', {}, mark.layer),
        h('td', { dir: 'auto' }, mark.key ? h('a', { href: router.asset(mark.key) }, visible(mark.name)) : visible(mark.name), mark.more ? ` (${mark.more})` : ''),
        h('td', { class: 'code' }, mark.at.map((own) => own.toFixed(1)).join(', ')),
        h('td', {}, button('Show', () => this.center(mark), { class: 'quiet', 'aria-label': `Show ${visible(mark.name)} on the map` })))))),
    shown.length > LISTED ? h('p', { class: 'note' }, `and ${count(shown.length - LISTED)} more on the map`) : null);
  }

  private center(mark: Mark): void {
    if (!this.picture) return;
    this.chosen = mark;
    this.zoom = Math.max(this.zoom, 3);
    const [x, y] = this.picture.project(mark.at);
    this.pan = { x: (this.canvas.width / 2 - x) * this.zoom, y: (this.canvas.height / 2 - y) * this.zoom };
    this.draw();
    this.canvas.scrollIntoView({ block: 'center' });
  }
}

/** Calls back for each name in nested lists that is followed by a position of three numbers. */
function placed(value: any, found: (name: string, at: number[]) => void, depth = 0): void {
  if (!Array.isArray(value) || depth > 12) return;
  value.forEach((own, place) => {
    const next = value[place + 1];
    if (typeof own === 'string' && Array.isArray(next)) {
      const at = next.map((part: any) => (Array.isArray(part) && part.length === 3 ? numbers(part, 3) : null)).find(Boolean);
      if (at) found(own, at);
    }
    placed(own, found, depth + 1);
  });
}

function add(a: number[], b: number[]): number[] {
  return a.map((own, axis) => own + b[axis]!);
}

function list(value: any): any[] {
  return Array.isArray(value) ? value : [];
}
