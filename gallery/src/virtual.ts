// A list of any length that makes only its visible cells. All cells have the same height.

import { h } from './dom.ts';

export interface Layout { cellWidth: number; cellHeight: number; gap: number; minimum: number }

export class VirtualList {
  readonly element: HTMLElement;
  private ids: Int32Array = new Int32Array(0);
  private readonly cells = new Map<number, HTMLElement>();
  private columns = 1;
  private width = 0;
  private layout: Layout;
  private current = -1;
  private readonly observer: ResizeObserver;
  private frame = 0;

  constructor(
    label: string, layout: Layout, private readonly make: (id: number, place: number) => HTMLElement,
    private readonly gone: (id: number, cell: HTMLElement) => void,
  ) {
    this.layout = layout;
    this.element = h('div', {
      class: 'virtual', role: 'list', 'aria-label': label,
      on: { keydown: (event: KeyboardEvent) => this.key(event) },
    });
    this.observer = new ResizeObserver(() => this.relayout());
    this.observer.observe(this.element);
    addEventListener('scroll', this.later, { passive: true });
  }

  dispose(): void {
    this.observer.disconnect();
    removeEventListener('scroll', this.later);
    cancelAnimationFrame(this.frame);
    this.clear();
  }

  show(ids: Int32Array): void {
    this.ids = ids;
    this.current = -1;
    this.clear();
    this.relayout();
  }

  arrange(layout: Layout): void {
    this.layout = layout;
    this.clear();
    this.relayout();
  }

  private clear(): void {
    this.cells.forEach((cell, place) => this.drop(place, cell));
    this.cells.clear();
  }

  private drop(place: number, cell: HTMLElement): void {
    this.gone(this.ids[place] ?? -1, cell);
    cell.remove();
  }

  private relayout(): void {
    const { cellWidth, gap, minimum } = this.layout;
    const width = this.element.clientWidth;
    if (width === 0) return;
    const columns = cellWidth === 0 ? 1 : Math.max(minimum, Math.floor((width + gap) / (cellWidth + gap)));
    if (columns !== this.columns || width !== this.width) this.clear();
    [this.columns, this.width] = [columns, width];
    this.element.style.height = `${Math.ceil(this.ids.length / columns) * this.pitch}px`;
    this.draw();
  }

  private get pitch(): number {
    return this.layout.cellHeight + this.layout.gap;
  }

  private readonly later = () => {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  };

  /** Makes the visible cells, and a screen more on either side; removes others. */
  private draw(): void {
    const top = this.element.getBoundingClientRect().top;
    const before = innerHeight * 0.5;
    const first = Math.max(0, Math.floor((-top - before) / this.pitch)) * this.columns;
    const rows = Math.ceil((innerHeight + before * 2) / this.pitch) + 1;
    const last = Math.min(this.ids.length, first + rows * this.columns);
    this.cells.forEach((cell, place) => {
      if ((place < first || place >= last) && place !== this.focused()) {
        this.drop(place, cell);
        this.cells.delete(place);
      }
    });
    const width = (this.element.clientWidth - (this.columns - 1) * this.layout.gap) / this.columns;
    for (let place = first; place < last; place += 1) {
      if (this.cells.has(place)) continue;
      const cell = this.make(this.ids[place]!, place);
      cell.setAttribute('role', 'listitem');
      cell.setAttribute('aria-posinset', String(place + 1));
      cell.setAttribute('aria-setsize', String(this.ids.length));
      cell.classList.add('cell');
      const column = place % this.columns;
      const row = (place - column) / this.columns;
      cell.style.width = `${width}px`;
      cell.style.height = `${this.layout.cellHeight}px`;
      cell.style.transform = `translate(${column * (width + this.layout.gap)}px, ${row * this.pitch}px)`;
      this.cells.set(place, cell);
      this.insert(place, cell);
    }
  }

  /** Keeps the cells in order in the page, for screen readers and the Tab key. */
  private insert(place: number, cell: HTMLElement): void {
    let next: HTMLElement | null = null;
    let best = Infinity;
    this.cells.forEach((own, at) => {
      if (at > place && at < best && own !== cell) {
        best = at;
        next = own;
      }
    });
    this.element.insertBefore(cell, next);
  }

  private focused(): number {
    return document.activeElement && this.element.contains(document.activeElement) ? this.current : -1;
  }

  private key(event: KeyboardEvent): void {
    const at = [...this.cells].find(([, cell]) => cell.contains(document.activeElement))?.[0] ?? -1;
    if (at < 0) return;
    const page = Math.max(1, Math.floor(innerHeight / this.pitch) - 1) * this.columns;
    const steps: Record<string, number> = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.columns, ArrowUp: -this.columns, PageDown: page, PageUp: -page,
      Home: -this.ids.length, End: this.ids.length,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.focus(Math.min(Math.max(at + step, 0), this.ids.length - 1));
  }

  focus(place: number): void {
    if (place < 0 || place >= this.ids.length) return;
    this.current = place;
    const row = Math.floor(place / this.columns);
    const top = this.element.getBoundingClientRect().top + scrollY + row * this.pitch;
    const bar = 130;
    if (top < scrollY + bar) scrollTo({ top: top - bar });
    else if (top + this.pitch > scrollY + innerHeight) scrollTo({ top: top + this.pitch - innerHeight + 8 });
    this.draw();
    this.cells.get(place)?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }
}
