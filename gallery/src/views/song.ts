// A song: a piano roll, played with simple tones (a MIDI file does not contain the game's instruments).

import { button, h, replace, visible } from '../dom.ts';
import type { Context, View } from '../context.ts';
import { song, type Song } from '../media/midi.ts';
import { many, seconds } from '../text.ts';

export class SongView implements View {
  readonly element = h('div', { class: 'sound' });
  private readonly canvas = h('canvas', { width: '1200', height: '260', role: 'img', 'aria-label': 'Notes of the song' });
  private readonly head = h('span', { class: 'playhead' });
  private readonly status = h('p', { class: 'counts', role: 'status' });
  private audio: AudioContext | null = null;
  private frame = 0;
  private readonly play: HTMLButtonElement;
  private song: Song | null = null;

  constructor(private readonly context: Context, private readonly path: string) {
    this.play = button('Play with simple tones', () => {
      if (this.audio) this.stop();
      else this.start();
    });
    replace(this.element, h('div', { class: 'wave' }, this.canvas, h('div', { class: 'over' }, this.head)), this.status,
      h('div', { class: 'panel' }, this.play), this.instruments());
    void this.open(path);
  }

  dispose(): void {
    this.stop();
  }

  /** A hint to render the song with a sound font, unless that was done. */
  private instruments(): HTMLElement | null {
    const { catalog } = this.context;
    const base = this.path.replace(/\.mid$/, '');
    if (['flac', 'wav', 'ogg'].some((ending) => catalog.find(`${base}.${ending}`) !== null)) return null;
    const fonts = catalog.keys.filter((key) => /\.(sf2|dls)$/i.test(key)).map((key) => key.slice(key.lastIndexOf('/') + 1));
    return h('p', { class: 'hint' }, 'A MIDI file has notes but no instruments. To hear the game\'s instruments, convert with ', h('code', {}, 'music.render = true'),
      fonts.length > 0 ? ` (sound fonts in this install: ${visible(fonts.join(', '))}).` : '; this install has no sound font, so set music.sound_font.');
  }

  private async open(path: string): Promise<void> {
    try {
      this.song = song(await this.context.files.bytes(path));
    } catch (error) {
      replace(this.status, (error as Error).message);
      return;
    }
    const own = this.song;
    if (!own) {
      replace(this.status, 'The file has no readable notes.');
      return;
    }
    this.element.dataset.seconds = String(own.seconds);
    replace(this.status, `${seconds(own.seconds)} · ${many(own.notes.length, 'note')}`
      + own.markers.map((marker) => ` · ${marker.text} ${seconds(marker.at)}`).join(''));
    const paper = this.canvas.getContext('2d')!;
    const keys = own.notes.map((note) => note.key);
    const [low, high] = [Math.min(...keys, 60) - 2, Math.max(...keys, 60) + 2];
    const row = this.canvas.height / (high - low + 1);
    for (const note of own.notes) {
      paper.fillStyle = `hsl(${(note.channel * 47) % 360} 65% 60%)`;
      const x = (note.at / Math.max(own.seconds, 0.01)) * this.canvas.width;
      const width = Math.max((note.lasts / Math.max(own.seconds, 0.01)) * this.canvas.width, 2);
      paper.fillRect(x, (high - note.key) * row, width, Math.max(row - 1, 1));
    }
  }

  private start(): void {
    const own = this.song;
    if (!own) return;
    const audio = new AudioContext();
    this.audio = audio;
    const out = audio.createGain();
    out.gain.value = 0.12;
    out.connect(audio.destination);
    for (const note of own.notes.slice(0, 5000)) {
      const tone = audio.createOscillator();
      const shape = audio.createGain();
      tone.type = note.channel === 9 ? 'square' : 'triangle';
      tone.frequency.value = 440 * 2 ** ((note.key - 69) / 12);
      const [from, to] = [audio.currentTime + 0.05 + note.at, audio.currentTime + 0.05 + note.at + Math.max(note.lasts, 0.05)];
      shape.gain.setValueAtTime(note.velocity / 127, from);
      shape.gain.linearRampToValueAtTime(0, to);
      tone.connect(shape).connect(out);
      tone.start(from);
      tone.stop(to);
    }
    this.play.textContent = 'Stop';
    const move = () => {
      if (this.audio !== audio) return;
      if (audio.currentTime > own.seconds + 0.3) {
        this.stop();
        return;
      }
      this.head.style.display = 'block';
      this.head.style.left = `${Math.min(audio.currentTime / own.seconds, 1) * 100}%`;
      this.frame = requestAnimationFrame(move);
    };
    move();
  }

  private stop(): void {
    cancelAnimationFrame(this.frame);
    void this.audio?.close();
    this.audio = null;
    this.head.style.display = 'none';
    this.play.textContent = 'Play with simple tones';
  }
}
