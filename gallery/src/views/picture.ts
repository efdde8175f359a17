// A picture: zoom, tiles, alpha, palette, and companion pictures.

import { button, h, name, range, replace, select, toggle } from '../dom.ts';
import type { Context, View } from '../context.ts';
import { pngHead } from '../media/png.ts';
import { many, stem } from '../text.ts';

export interface PictureOptions {
  path: string;
  /** Companion pictures, with their roles. */
  others: readonly (readonly [path: string, role: string])[];
  /** Pictures of an animated surface. */
  frames: readonly string[];
}

export class PictureView implements View {
  readonly element = h('div', { class: 'picture' });
  private readonly canvas = h('canvas', { role: 'img', tabindex: '0' });
  private readonly stage = h('div', { class: 'stage checker', tabindex: '0', role: 'region', 'aria-label': 'Picture' }, this.canvas);
  private readonly tools = h('div', { class: 'panel' });
  private readonly facts = h('p', { class: 'counts', role: 'status' });
  private readonly paletteBox = h('div', { class: 'palette' });
  private bitmap: ImageBitmap | HTMLImageElement | null = null;
  private zoom = 0;
  private tiles = 1;
  private alphaOnly = false;
  private timer = 0;

  constructor(private readonly context: Context, private readonly own: PictureOptions) {
    replace(this.element, this.stage, this.facts, this.tools, this.paletteBox);
    this.stage.addEventListener('wheel', (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.scale(this.zoom * (event.deltaY < 0 ? 1.25 : 0.8));
    }, { passive: false });
    this.stage.addEventListener('keydown', (event) => {
      if (event.key === '+' || event.key === '=') this.scale(this.zoom * 1.25);
      if (event.key === '-') this.scale(this.zoom * 0.8);
    });
    void this.open(own.path, true);
  }

  dispose(): void {
    clearInterval(this.timer);
  }

  private async open(path: string, whole: boolean): Promise<void> {
    const { files } = this.context;
    this.canvas.setAttribute('aria-label', `Picture ${stem(path)}`);
    try {
      const bytes = await files.bytes(path);
      this.bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      if (whole) this.palette(bytes);
    } catch {
      const image = new Image();
      image.src = files.link(path);
      await image.decode().catch(() => undefined);
      if (image.naturalWidth === 0) {
        replace(this.facts, 'This picture cannot be shown.');
        return;
      }
      this.bitmap = image;
      if (whole) replace(this.facts, `${image.naturalWidth} × ${image.naturalHeight}`);
    }
    if (this.zoom === 0) {
      const room = Math.min(this.stage.clientWidth || 600, 900);
      const fit = Math.min(room / this.width, 560 / this.height);
      this.zoom = fit >= 1 ? Math.max(1, Math.min(Math.floor(fit), 16)) : fit;
    }
    if (whole) this.build(path);
    this.draw();
  }

  private get width(): number {
    return this.bitmap instanceof HTMLImageElement ? this.bitmap.naturalWidth : this.bitmap?.width ?? 1;
  }

  private get height(): number {
    return this.bitmap instanceof HTMLImageElement ? this.bitmap.naturalHeight : this.bitmap?.height ?? 1;
  }

  private palette(bytes: ArrayBuffer): void {
    const head = pngHead(bytes);
    if (!head) return;
    replace(this.facts, `${head.width} × ${head.height} · ${head.color} · ${head.bits} bits${
      head.palette.length ? ` · ${many(head.palette.length, 'color')}` : ''}`);
    if (head.palette.length === 0) {
      this.paletteBox.replaceChildren();
      return;
    }
    replace(this.paletteBox, h('h3', {}, 'Palette'), h('ul', { class: 'swatches' }, ...head.palette.map((color, place) => {
      const alpha = head.alphas[place] ?? 255;
      const text = `${place}: ${color}${alpha < 255 ? `, alpha ${alpha}` : ''}`;
      return h('li', { style: { background: color }, title: text, class: alpha === 0 ? 'clear' : '' }, h('span', { class: 'hidden' }, text));
    })));
  }

  private scale(zoom: number): void {
    this.zoom = Math.min(Math.max(zoom, 1 / 16), 32);
    this.draw();
  }

  private draw(): void {
    if (!this.bitmap) return;
    const { width, height, tiles } = this;
    this.canvas.width = width * tiles;
    this.canvas.height = height * tiles;
    const paper = this.canvas.getContext('2d', { willReadFrequently: this.alphaOnly })!;
    for (let row = 0; row < tiles; row += 1) {
      for (let column = 0; column < tiles; column += 1) paper.drawImage(this.bitmap, column * width, row * height);
    }
    if (this.alphaOnly) {
      try {
        const pixels = paper.getImageData(0, 0, this.canvas.width, this.canvas.height);
        for (let at = 0; at < pixels.data.length; at += 4) {
          const alpha = pixels.data[at + 3]!;
          pixels.data.fill(alpha, at, at + 3);
          pixels.data[at + 3] = 255;
        }
        paper.putImageData(pixels, 0, 0);
      } catch {
        replace(this.facts, 'Browsers do not let pages opened as files read pixels.');
      }
    }
    this.canvas.style.width = `${width * tiles * this.zoom}px`;
    this.canvas.style.height = `${height * tiles * this.zoom}px`;
    this.canvas.classList.toggle('pixels', this.zoom >= 2);
  }

  private build(path: string): void {
    const { own } = this;
    const backs = [['checker', 'checkered'], ['black', 'black'], ['white', 'white'], ['magenta', 'magenta']] as const;
    replace(this.tools,
      own.others.length > 0 ? select('Picture', [[own.path, 'main'], ...own.others], path, (other) => void this.open(other, true)) : null,
      h('span', { class: 'buttons', role: 'group', 'aria-label': 'Zoom' },
        button('−', () => this.scale(this.zoom * 0.5), { 'aria-label': 'Smaller' }),
        button('1:1', () => this.scale(1)),
        button('+', () => this.scale(this.zoom * 2), { 'aria-label': 'Larger' })),
      toggle('Tiled', this.tiles > 1, (on) => {
        this.tiles = on ? 3 : 1;
        this.draw();
      }),
      toggle('Alpha only', this.alphaOnly, (on) => {
        this.alphaOnly = on;
        this.draw();
      }),
      select('Background', backs, backs.find(([value]) => this.stage.classList.contains(value))?.[0] ?? 'checker', (back) => {
        this.stage.className = `stage ${back}`;
      }),
      this.strip());
  }

  private strip(): HTMLElement | null {
    const { frames } = this.own;
    if (frames.length < 2) return null;
    let at = 0;
    let rate = 8;
    const label = h('span', {}, `1 of ${frames.length}`);
    const show = (place: number) => {
      at = place % frames.length;
      replace(label, `${at + 1} of ${frames.length} `, name(stem(frames[at]!)));
      void this.open(frames[at]!, false);
    };
    const start = () => { this.timer = window.setInterval(() => show(at + 1), 1000 / rate); };
    const play = button('Play', () => {
      if (this.timer) {
        clearInterval(this.timer);
        this.timer = 0;
      } else {
        start();
      }
      play.textContent = this.timer ? 'Pause' : 'Play';
    });
    return h('span', { class: 'buttons', role: 'group', 'aria-label': 'Frames' },
      button('‹', () => show(at + frames.length - 1), { 'aria-label': 'Previous frame' }), play,
      button('›', () => show(at + 1), { 'aria-label': 'Next frame' }), label,
      range('Per second', rate, 1, 30, 1, (own) => {
        rate = own;
        if (this.timer) {
          clearInterval(this.timer);
          start();
        }
      }).label);
  }
}
