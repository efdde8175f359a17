// Thumbnails of assets, made when they come into view, and cached: models by one shared renderer, sounds as
// waveforms. One at a time, the newest first, so that scrolling stays smooth.

import type { Context } from './context.ts';
import { Bench } from './three/bench.ts';
import { decode, drawWave } from './media/wave.ts';

export const EDGE = 192;
const KEPT = 300;
const LARGEST = 48 * 1024 * 1024;

export class Thumbs {
  private readonly kept = new Map<number, HTMLCanvasElement>();
  private queue: { id: number; place: HTMLElement }[] = [];
  private busy = false;
  private bench: Bench | null = null;
  private hovering = 0;

  constructor(private readonly context: Context) {}

  /** Shows the thumbnail of an asset in an element, now or when it is ready. */
  want(id: number, place: HTMLElement): void {
    const made = this.kept.get(id);
    if (made) {
      this.put(id, place, made);
      return;
    }
    this.queue.push({ id, place });
    void this.work();
  }

  drop(id: number): void {
    this.queue = this.queue.filter((own) => own.id !== id);
  }

  private put(id: number, place: HTMLElement, canvas: HTMLCanvasElement): void {
    this.kept.delete(id);
    this.kept.set(id, canvas);
    place.replaceChildren(canvas);
  }

  private async work(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (let job = this.next(); job; job = this.next()) {
      try {
        const canvas = await this.make(job.id);
        if (canvas) {
          this.put(job.id, job.place, canvas);
          const oldest = this.kept.keys().next();
          if (this.kept.size > KEPT && !oldest.done) this.kept.delete(oldest.value);
        } else {
          job.place.classList.add('unseen');
        }
      } catch {
        job.place.classList.add('unseen');
      }
      await new Promise((done) => setTimeout(done, 4));
    }
    this.busy = false;
  }

  /** Sorts visible assets first, from the top; then those near. */
  private next(): { id: number; place: HTMLElement } | undefined {
    this.queue = this.queue.filter(({ place }) => place.isConnected);
    let best = -1;
    let least = Infinity;
    this.queue.forEach(({ place }, at) => {
      const { top, bottom, left } = place.getBoundingClientRect();
      const outside = Math.max(0, -bottom, top - innerHeight);
      const cost = outside * 1e4 + Math.max(top, 0) * 10 + left / 1000;
      if (cost < least) {
        least = cost;
        best = at;
      }
    });
    return best < 0 ? undefined : this.queue.splice(best, 1)[0];
  }

  private async make(id: number): Promise<HTMLCanvasElement | null> {
    const { catalog, files } = this.context;
    const path = catalog.path(id);
    if (!path || catalog.size[id]! > LARGEST) return null;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = EDGE;
    if (catalog.typeOf(id) === 'model') {
      this.bench ??= new Bench(files);
      return await this.bench.draw(path, canvas) ? canvas : null;
    }
    canvas.height = EDGE * 0.75;
    drawWave(canvas, await decode(await files.bytes(path)), getComputedStyle(document.documentElement).getPropertyValue('--accent'));
    return canvas;
  }

  /** Plays the first clip of a model, or rotates it, while the pointer is over its tile. */
  async hover(id: number, place: HTMLElement): Promise<void> {
    const path = this.context.catalog.path(id);
    const canvas = place.querySelector('canvas');
    if (!path || !canvas || this.context.catalog.size[id]! > LARGEST) return;
    this.hovering += 1;
    const mine = this.hovering;
    this.bench ??= new Bench(this.context.files);
    await this.bench.play(path, canvas, () => mine === this.hovering && canvas.isConnected);
  }

  leave(): void {
    this.hovering += 1;
  }
}
