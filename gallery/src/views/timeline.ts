// An animation definition as a timeline: a row for each sequence, a mark or a bar for each event.

import { button, h, replace, visible } from '../dom.ts';
import { leaf, tree, type FindLink } from './tree.ts';

interface Event { name: string; at: number; lasts: number; what: string; depth: number; data: any }
interface Row { title: string; starts: string; events: Event[] }

export class Timeline {
  readonly element: HTMLElement;
  readonly length: number;
  private readonly heads: HTMLElement[] = [];
  private readonly about = h('div', { class: 'event-facts', role: 'status' });

  constructor(definition: any, private readonly find: FindLink, jump: (time: number) => void) {
    const rows: Row[] = [['reset', definition.reset], ...list(definition.sequences).map((own) => [null, own])]
      .filter(([, own]) => own)
      .map(([title, own]) => {
        const events: Event[] = [];
        collect(Array.isArray(own) ? own : list(own.events ?? own.body), 0, 0, events);
        return { title: String(title ?? own.name ?? 'sequence'), starts: String(own.starts ?? ''), events };
      });
    const ends = rows.flatMap((row) => row.events.map((event) => event.at + event.lasts));
    const longest = list(definition.sequences).map((own) => Number(own.lasts) || 0);
    this.length = Math.max(...ends, ...longest, 0.5);
    const share = (time: number) => `${(time / this.length) * 100}%`;
    this.element = h('div', { class: 'timeline' }, ...rows.map((row) => {
      const head = h('span', { class: 'playhead' });
      this.heads.push(head);
      const lanes = lanesOf(row.events, this.length);
      const track = h('div', { class: 'track' }, head, ...row.events.map((event, place) => {
        const mark = button(event.name, () => {
          this.showEvent(event);
          jump(event.at);
        }, {
          class: `event ${color(event.name)}${event.lasts > 0 ? '' : ' moment'}`, title: `${event.at.toFixed(3)} s ${visible(event.what)}`,
          'aria-label': `${event.name} at ${event.at.toFixed(2)} seconds ${visible(event.what)}`,
        });
        mark.style.left = share(event.at);
        if (event.lasts > 0) mark.style.width = share(event.lasts);
        mark.style.top = `${lanes[place]! * 24}px`;
        return mark;
      }));
      track.style.height = `${(Math.max(...lanes, 0) + 1) * 24 + 4}px`;
      return h('div', { class: 'sequence' },
        h('div', { class: 'title' }, h('b', { dir: 'auto' }, visible(row.title)), h('span', { class: 'hint' }, ` ${row.starts.replace(/_/g, ' ')}`)), track);
    }), h('div', { class: 'scale' }, h('span', {}, '0 s'), h('span', {}, `${this.length.toFixed(2)} s`)), this.about);
  }

  at(time: number): void {
    for (const head of this.heads) {
      head.style.display = 'block';
      head.style.left = `${Math.min(time / this.length, 1) * 100}%`;
    }
  }

  private showEvent(event: Event): void {
    const { event: _, ...rest } = event.data;
    replace(this.about, h('h3', {}, event.name, h('span', { class: 'hint' }, ` at ${event.at.toFixed(3)} s`)),
      event.what ? h('p', {}, leaf(event.what, this.find)) : null, tree(rest, this.find, event.name));
  }
}

/** Flattens events, including those inside loops and conditions. */
function collect(events: any[], base: number, depth: number, found: Event[]): void {
  for (const data of events) {
    if (data === null || typeof data !== 'object') continue;
    const at = base + (Number.isFinite(data.starts) ? data.starts : 0);
    const named = ['sound', 'node', 'at_node', 'animation', 'light', 'effect', 'sequence', 'name'].map((key) => data[key])
      .map((own) => (typeof own === 'string' ? own : own?.name)).filter((own) => typeof own === 'string');
    const inner = ['body', 'then', 'otherwise', 'else', 'events'].flatMap((key) => (Array.isArray(data[key]) ? [data[key]] : []));
    const lasts = Number.isFinite(data.lasts) ? data.lasts : 0;
    found.push({ name: String(data.event ?? 'event'), at, lasts, what: named[0] ?? '', depth, data });
    const loop = data.event === 'LOOP';
    for (const own of inner) {
      // The body of a loop comes before its end.
      const length = own.reduce((most: number, event: any) => Math.max(most, (event.starts ?? 0) + (event.lasts ?? 0)), 0);
      collect(own, loop ? Math.max(at - length, 0) : base, depth + 1, found);
    }
    for (const branch of list(data.branches)) collect(list(branch.body ?? branch.events), base, depth + 1, found);
  }
}

function lanesOf(events: readonly Event[], length: number): number[] {
  const ends: number[] = [];
  return events.map((event) => {
    const end = Math.max(event.at + event.lasts, event.at + length * 0.14);
    let lane = ends.findIndex((own) => own <= event.at);
    if (lane < 0) lane = ends.length;
    ends[lane] = end;
    return lane;
  });
}

function color(name: string): string {
  if (/SOUND|MUSIC/.test(name)) return 'ev-sound';
  if (/MOTION|TRANSLATE|ROTATE|SCALE|OBJECT/.test(name)) return 'ev-motion';
  if (/LIGHT|FOG|OPACITY|CYCLE/.test(name)) return 'ev-light';
  if (/LOOP|IF|ELSE|CALL|SEQUENCE|WAIT|STOP/.test(name)) return 'ev-flow';
  return 'ev-other';
}

function list(value: any): any[] {
  return Array.isArray(value) ? value : [];
}
