// A model, a world or an animated object, with all display settings.

import * as THREE from 'three';
import { button, h, range, replace, select, toggle, visible } from '../dom.ts';
import type { Context, View } from '../context.ts';
import * as router from '../router.ts';
import { count, folder, join, many, stem } from '../text.ts';
import { loadModel, type Model } from '../three/load.ts';
import { MODES, type Mode } from '../three/modes.ts';
import { restingClip } from '../three/clips.ts';
import { Stage } from '../three/stage.ts';
import type { FindPicture } from '../three/surfaces.ts';

export interface ModelOptions {
  path: string;
  world: boolean;
  game: number;
  /** Other files of the asset: hidden objects, levels of detail, scenes of missions. */
  hidden: readonly string[];
  levels: readonly string[];
  scenes: readonly string[];
  options: URLSearchParams;
  /** Called when the clip's time changes. */
  time?: (clip: string | null, time: number) => void;
}

export class ModelView implements View {
  readonly element = h('div', { class: 'model' });
  stage: Stage | null = null;
  /** Resolves when the model is loaded. */
  readonly ready: Promise<void>;
  private readonly holder = h('div', { class: 'stage' });
  private readonly tools = h('div', { class: 'panel' });
  private readonly clipTools = h('div', { class: 'clip' });
  private readonly status = h('p', { class: 'counts', role: 'status' });
  private readonly message = h('p', { class: 'note' });
  private slider: HTMLInputElement | null = null;
  private clock: HTMLElement | null = null;
  private gone = false;

  constructor(private readonly context: Context, private readonly own: ModelOptions) {
    replace(this.element, this.holder, this.clipTools, this.status, this.message, this.tools);
    this.ready = this.open(own.path);
  }

  dispose(): void {
    this.gone = true;
    this.stage?.dispose();
    this.stage = null;
  }

  private async open(path: string): Promise<void> {
    replace(this.message, 'Loading …');
    let model: Model;
    try {
      model = await loadModel(this.context.files, path);
    } catch (error) {
      if (!this.gone) replace(this.message, `This model cannot be shown: ${(error as Error).message}`);
      return;
    }
    if (this.gone) return;
    this.stage?.dispose();
    this.holder.replaceChildren();
    try {
      this.stage = new Stage(model, this.finder(), this.own.world, this.holder);
    } catch (error) {
      replace(this.message, `This browser cannot show 3D: ${(error as Error).message}`);
      return;
    }
    const stage = this.stage;
    stage.canvas.setAttribute('aria-label', `3D view of ${visible(stem(this.own.path))}`);
    stage.drawn = () => this.showStatus();
    replace(this.message, '');
    window.relicast.stage = stage;
    this.build(path);
    const { options } = this.own;
    const scene = options.get('scene');
    if (scene !== null && /^\d+$/.test(scene)) stage.show(Number(scene));
    const skin = stage.variants.names.indexOf(options.get('skin') ?? '');
    if (skin >= 0) await this.applyVariant(skin);
    const clip = options.get('clip');
    if (clip !== null) this.choose(clip, true);
    else if (!this.own.world) this.choose(restingClip(model)?.name ?? null, true);
    if (options.get('walk') === '1') this.walk(true);
    this.build(path);
  }

  /** Finds changing pictures of surfaces: an output by its path, else by its stored name in the folder of the first. */
  private finder(): FindPicture {
    const { catalog, files } = this.context;
    return async (name, beside) => {
      const places = [name, `${name}.png`, beside ? join(folder(beside), `${name.toLowerCase()}.png`) : null];
      for (const place of places) {
        if (place && (place === beside || catalog.find(place) !== null)) return files.address(place).catch(() => null);
      }
      if (/\.png$/i.test(name) && name.includes('/')) return files.address(name).catch(() => null);
      const id = catalog.named(name, this.own.game, beside ?? this.own.path);
      const path = id === null || catalog.typeOf(id) !== 'picture' ? null : catalog.path(id);
      return path ? files.address(path).catch(() => null) : null;
    };
  }

  private showStatus(): void {
    const { stage } = this;
    if (!stage) return;
    const counts = stage.counts;
    const walk = stage.walk;
    const place = walk ? ` · at ${walk.feet.toArray().map((own) => own.toFixed(1)).join(', ')}` : '';
    replace(this.status, `${many(counts.triangles, 'triangle')} · ${many(counts.calls, 'draw call')}${place}`);
    if (this.slider && document.activeElement !== this.slider) this.slider.value = String(stage.player.time);
    if (this.clock) replace(this.clock, `${stage.player.time.toFixed(2)} / ${stage.player.length.toFixed(2)} s`);
    this.own.time?.(stage.player.current?.name ?? null, stage.player.time);
  }

  /** Selects a clip by its name. */
  choose(clipName: string | null, play: boolean): void {
    const { stage } = this;
    if (!stage) return;
    const clip = stage.player.clips.find((own) => own.name === clipName) ?? null;
    stage.player.choose(clip);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    stage.player.playing = play && clip !== null && !still;
    stage.touch();
    this.buildClips();
  }

  private async applyVariant(which: number | null): Promise<void> {
    await this.stage?.applyVariant(which);
  }

  private walk(on: boolean): void {
    const { stage } = this;
    if (!stage) return;
    if (on && !stage.startWalk()) {
      replace(this.message, 'There is no ground here.');
    } else {
      replace(this.message, on ? 'W A S D or arrow keys walk, Shift runs, drag looks around, Esc leaves.' : '');
    }
    if (!on) stage.leaveWalk();
    stage.looks.fog = on && stage.has.fog;
    stage.apply();
    router.note({ walk: stage.walk ? '1' : null });
    this.build(stage.model.path);
  }

  private build(path: string): void {
    const { stage } = this;
    if (!stage) return;
    const { looks, has, model } = stage;
    const apply = (change: () => void) => () => {
      change();
      stage.apply();
    };
    const files = [this.own.path, ...this.own.scenes, ...this.own.levels];
    const sceneNames = model.gltf.scenes.map((scene, place) =>
      [String(place), String(scene.name || `scene ${place + 1}`)] as const);
    const current = model.gltf.scenes.indexOf(stage.root as THREE.Group);
    const skins = stage.variants.names;
    const skinNow = this.own.options.get('skin') ?? '';
    const sides: readonly (readonly [string, string, THREE.Vector3])[] = [
      ['front', 'Front', new THREE.Vector3(0, 0, 1)], ['left', 'Left', new THREE.Vector3(1, 0, 0)],
      ['back', 'Back', new THREE.Vector3(0, 0, -1)], ['top', 'Top', new THREE.Vector3(0, 1, 0)],
    ];
    replace(this.tools,
      files.length > 1 ? select('File', files.map((own) => [own, fileTitle(own, this.own)] as const), path,
        (own) => void this.open(own)) : null,
      sceneNames.length > 1 ? select('Scene', sceneNames, String(current), (place) => {
        stage.show(Number(place));
        router.note({ scene: place });
        this.build(path);
      }) : null,
      skins.length > 0 ? select('Variant', [['', 'as stored'], ...skins.map((own) => [own, own] as const)], skinNow, (own) => {
        const place = skins.indexOf(own);
        void this.applyVariant(place < 0 ? null : place);
        this.own.options.set('skin', own);
        router.note({ skin: own || null });
      }) : null,
      stage.levels.length > 1 ? select('Detail', stage.levels.map((own) => [String(own), own === 0 ? 'finest' : `level ${own}`] as const),
        String(looks.level), (level) => apply(() => { looks.level = Number(level); })()) : null,
      stage.skies.length > 1 ? select('Sky', stage.skies.map((own) => [String(own), `sky ${own}`] as const), String(looks.skyNumber),
        (own) => apply(() => { looks.skyNumber = Number(own); })()) : null,
      select('Show', MODES, looks.mode, (mode) => apply(() => { looks.mode = mode as Mode; })()),
      select('Light', [['even', 'even'], ['own', has.lights || stage.isBaked ? 'of the game' : 'ambient only'], ['none', 'off']], looks.lights,
        (light) => apply(() => { looks.lights = light as typeof looks.lights; })()),
      select('Brightness', [['0.5', '½ ×'], ['1', 'as stored'], ['2', '2 ×'], ['4', '4 ×']], String(looks.brightness),
        (own) => apply(() => { looks.brightness = Number(own); })()),
      toggle('Skeleton', looks.skeleton, (on) => apply(() => { looks.skeleton = on; })()),
      toggle('Moving surfaces', looks.moving, (on) => apply(() => { looks.moving = on; })()),
      has.fog ? toggle('Fog', looks.fog, (on) => apply(() => { looks.fog = on; })()) : null,
      has.background ? toggle('Background of the game', looks.background, (on) => apply(() => { looks.background = on; })()) : null,
      has.sky ? toggle('Sky', looks.sky, (on) => apply(() => { looks.sky = on; })()) : null,
      this.own.hidden.length > 0 ? toggle('Hidden objects', this.hiddenShown, (on) => void this.hidden(on)) : null,
      h('span', { class: 'buttons', role: 'group', 'aria-label': 'Camera' },
        button('Reset', () => stage.home()),
        ...sides.map(([, title, side]) => button(title, () => stage.look(side))),
        button(stage.walk ? 'Leave walk' : 'Walk', () => this.walk(!stage.walk), { 'aria-pressed': String(stage.walk !== null) }),
        button('Screenshot', () => void this.screenshot()),
        document.fullscreenEnabled ? button('Full screen', () => void this.holder.requestFullscreen().catch(() => undefined)) : null),
      this.partList());
    stage.canvas.onkeydown = (event) => { if (event.code === 'Escape' && stage.walk) this.walk(false); };
    this.buildClips();
  }

  private hiddenShown = false;

  private async hidden(on: boolean): Promise<void> {
    this.hiddenShown = on;
    const models = on ? await Promise.all(this.own.hidden.map((path) => loadModel(this.context.files, path))) : [];
    await this.stage?.accompany(models);
  }

  private partList(): HTMLElement | null {
    const { stage } = this;
    if (!stage) return null;
    const parts = stage.parts();
    if (parts.length < 2) return null;
    const box = h('div', { class: 'parts' });
    const details = h('details', {
      on: {
        toggle: () => {
          if (!details.open || box.childElementCount > 0) return;
          replace(box, ...parts.slice(0, 500).map(({ object, name, hidden }) =>
            toggle(`${visible(name)}${hidden ? ' (hidden)' : ''}`, object.visible, (on) => {
              object.visible = on;
              stage.touch();
            })), parts.length > 500 ? h('p', {}, `and ${count(parts.length - 500)} more`) : null);
        },
      },
    }, h('summary', {}, many(parts.length, 'part')), box);
    return details;
  }

  private buildClips(): void {
    const { stage } = this;
    this.slider = null;
    this.clock = null;
    if (!stage || stage.player.clips.length === 0) {
      this.clipTools.replaceChildren();
      return;
    }
    const { player } = stage;
    const names = player.clips.map((clip) => {
      const { meaning, code } = player.about(clip);
      const more = [meaning !== clip.name ? meaning : null, code].filter(Boolean).join(', ');
      return [clip.name, more ? `${clip.name} (${more})` : clip.name] as const;
    });
    const play = button(player.playing ? 'Pause' : 'Play', () => {
      if (!player.current) this.choose(player.clips[0]!.name, false);
      if (!player.playing && player.time >= player.length) player.time = 0;
      player.playing = !player.playing;
      this.buildClips();
    });
    const slider = range('Time', player.time, 0, player.length, 0.001, (time) => {
      player.playing = false;
      play.textContent = 'Play';
      stage.pose(time);
    });
    this.slider = slider.input;
    this.clock = h('span', { class: 'clock' });
    replace(this.clipTools,
      select('Clip', [['', 'rest pose'], ...names], player.current?.name ?? '', (own) => {
        this.choose(own || null, true);
        router.note({ clip: own || null });
      }),
      play,
      player.current ? slider.label : null,
      player.current ? this.clock : null,
      select('Speed', [['0.1', '0.1 ×'], ['0.25', '¼ ×'], ['0.5', '½ ×'], ['1', '1 ×'], ['2', '2 ×'], ['-1', 'backward']], String(player.speed),
        (speed) => { player.speed = Number(speed); }),
      toggle('Loop', player.loop, (on) => { player.loop = on; }));
  }

  private async screenshot(): Promise<void> {
    const blob = await this.stage?.picture();
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    const link = h('a', { href: url, download: `${stem(this.own.path).replace(/[^\w.-]+/g, '_')}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }
}

function fileTitle(path: string, own: ModelOptions): string {
  const base = stem(own.path);
  const name = stem(path);
  if (path === own.path) return 'main file';
  const part = name.startsWith(`${base}.`) ? name.slice(base.length + 1) : name;
  return own.levels.includes(path) ? `level of detail ${part.replace(/^lod/, '')}` : `mission ${part}`;
}
