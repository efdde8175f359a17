// A sound: waveform, gapless loops, and cue points.

import { button, h, range, replace, toggle, visible } from '../dom.ts';
import type { Context, View } from '../context.ts';
import { decode, drawWave, marks, type Marks, type Sound } from '../media/wave.ts';
import { many, seconds } from '../text.ts';

export interface SoundOptions {
  path: string;
  /** Loops and cue points of the catalog, for files without such chunks. */
  facts: any;
}

export class SoundView implements View {
  readonly element = h('div', { class: 'sound' });
  private readonly canvas = h('canvas', { width: '1200', height: '220', role: 'img' });
  private readonly over = h('div', { class: 'over' });
  private readonly wave = h('div', { class: 'wave' }, this.canvas, this.over);
  private readonly tools = h('div', { class: 'panel' });
  private readonly status = h('p', { class: 'counts', role: 'status' }, 'Loading …');
  private readonly head = h('span', { class: 'playhead' });
  private readonly table = h('div', {});
  private audio: AudioContext | null = null;
  private gain: GainNode | null = null;
  private source: AudioBufferSourceNode | null = null;
  private sound: Sound | null = null;
  private found: Marks = { loops: [], cues: [] };
  private looping = false;
  private started = 0;
  private offset = 0;
  private frame = 0;
  private gone = false;
  private volume = 0.8;

  constructor(private readonly context: Context, private readonly own: SoundOptions) {
    replace(this.element, this.wave, this.status, this.tools, this.table);
    addEventListener('themechange', this.redraw);
    void this.open();
  }

  dispose(): void {
    this.gone = true;
    this.stop();
    removeEventListener('themechange', this.redraw);
    void this.audio?.close();
  }

  private async open(): Promise<void> {
    let bytes: ArrayBuffer;
    try {
      bytes = await this.context.files.bytes(this.own.path);
      this.sound = await decode(bytes);
    } catch (error) {
      if (this.gone) return;
      // The browser may still play a sound that cannot be decoded or read here.
      const fault = error as Error;
      replace(this.status, fault.name === 'EncodingError' ? 'This browser cannot decode this sound.' : fault.message);
      this.element.dataset.seconds = 'unknown';
      this.wave.replaceChildren(h('audio', { controls: true, src: this.context.files.link(this.own.path), 'aria-label': 'Sound' }));
      return;
    }
    if (this.gone) return;
    this.found = marks(bytes);
    const { facts } = this.own;
    if (this.found.loops.length === 0) {
      this.found.loops = list(facts?.loops).filter((loop) => loop.end > loop.start).map(({ start, end }) => ({ start, end }));
    }
    if (this.found.cues.length === 0) this.found.cues = list(facts?.cues).map((cue) => ({ at: cue.at, name: String(cue.name ?? '') }));
    const { sound } = this;
    this.found.loops = this.found.loops.filter((loop) => loop.end <= sound.seconds + 1e-3);
    this.looping = this.found.loops.length > 0 || facts?.looped === true || facts?.sound?.isLooped === true;
    this.element.dataset.seconds = String(sound.seconds);
    this.canvas.setAttribute('aria-label', `Waveform of ${seconds(sound.seconds)}`);
    replace(this.status, `${seconds(sound.seconds)} · ${sound.rate} Hz · ${many(sound.channels.length, 'channel')}`
      + ` · ${many(sound.channels[0]?.length ?? 0, 'sample')}`);
    this.redraw();
    this.build();
  }

  private readonly redraw = () => {
    if (this.sound) drawWave(this.canvas, this.sound, getComputedStyle(document.documentElement).getPropertyValue('--accent'));
    this.drawMarks();
  };

  private drawMarks(): void {
    const { sound } = this;
    if (!sound) return;
    const share = (at: number) => `${(Math.min(Math.max(at / sound.seconds, 0), 1) * 100).toFixed(3)}%`;
    replace(this.over,
      ...this.found.loops.map(({ start, end }) => h('span', {
        class: 'loop', title: `loop from ${seconds(start)} to ${seconds(end)}`,
        style: { left: share(start), width: share(end - start) },
      })),
      ...this.found.cues.map((cue) => h('span', { class: 'cue', title: `${cue.name} ${seconds(cue.at)}`, style: { left: share(cue.at) } })),
      this.head);
    this.wave.onpointerdown = (event) => {
      const box = this.wave.getBoundingClientRect();
      void this.play(((event.clientX - box.left) / box.width) * sound.seconds);
    };
  }

  private build(): void {
    const { sound } = this;
    if (!sound) return;
    const play = button('Play', () => {
      if (this.source) this.stop();
      else void this.play(0);
    });
    this.playButton = play;
    replace(this.tools, play,
      toggle(this.found.loops.length > 0 ? 'Loop as stored' : 'Loop all', this.looping, (on) => {
        this.looping = on;
        if (this.source) this.setLoop(this.source);
      }),
      range('Volume', this.volume, 0, 1, 0.01, (volume) => {
        this.volume = volume;
        if (this.gain) this.gain.gain.value = volume;
      }).label);
    const rows = [
      ...this.found.loops.map((loop, place) => [`loop ${place + 1}`, loop.start, loop.end] as const),
      ...this.found.cues.map((cue) => [`cue ${cue.name}`, cue.at, null] as const),
    ];
    replace(this.table, rows.length === 0 ? null : h('table', { class: 'plain' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Mark'), h('th', { scope: 'col' }, 'From'), h('th', { scope: 'col' }, 'To'))),
      h('tbody', {}, ...rows.map(([label, from, to]) => h('tr', {}, h('td', {}, visible(label)),
        h('td', {}, button(seconds(from), () => void this.play(from), { class: 'quiet', 'aria-label': `Play from ${seconds(from)}` })),
        h('td', {}, to === null ? '' : seconds(to)))))));
  }

  private playButton: HTMLButtonElement | null = null;

  private setLoop(source: AudioBufferSourceNode): void {
    const loop = this.found.loops[0];
    source.loop = this.looping;
    source.loopStart = loop?.start ?? 0;
    source.loopEnd = loop?.end ?? 0;
  }

  private async play(from: number): Promise<void> {
    const { sound } = this;
    if (!sound) return;
    this.stop();
    if (!this.audio) {
      this.audio = new AudioContext();
      this.gain = this.audio.createGain();
      this.gain.connect(this.audio.destination);
    }
    await this.audio.resume();
    this.gain!.gain.value = this.volume;
    // Buffers support rates from 3 kHz; lower rates are played with a lower speed.
    const rate = Math.min(Math.max(sound.rate, 3000), 768000);
    const buffer = this.audio.createBuffer(sound.channels.length, Math.max(sound.channels[0]?.length ?? 1, 1), rate);
    sound.channels.forEach((samples, channel) => buffer.copyToChannel(samples as Float32Array<ArrayBuffer>, channel));
    const source = this.audio.createBufferSource();
    source.buffer = buffer;
    source.playbackRate.value = sound.rate / rate;
    this.setLoop(source);
    source.connect(this.gain!);
    source.onended = () => { if (this.source === source) this.stop(); };
    source.start(0, from);
    this.source = source;
    this.started = this.audio.currentTime;
    this.offset = from;
    if (this.playButton) this.playButton.textContent = 'Stop';
    this.move();
  }

  private stop(): void {
    const source = this.source;
    this.source = null;
    source?.stop();
    cancelAnimationFrame(this.frame);
    this.head.style.display = 'none';
    if (this.playButton) this.playButton.textContent = 'Play';
  }

  private readonly move = () => {
    if (!this.source || !this.audio || !this.sound) return;
    let at = this.offset + this.audio.currentTime - this.started;
    if (this.source.loop) {
      const start = this.source.loopStart;
      const end = this.source.loopEnd || this.sound.seconds;
      if (at > end) at = start + ((at - start) % (end - start));
    }
    this.head.style.display = 'block';
    this.head.style.left = `${Math.min(at / this.sound.seconds, 1) * 100}%`;
    this.frame = requestAnimationFrame(this.move);
  };
}

function list(value: any): any[] {
  return Array.isArray(value) ? value : [];
}
