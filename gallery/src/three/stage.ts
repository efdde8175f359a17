// A model with camera, light, fog and animation. Draws only after changes.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { bakedLight, dispose, evenLight } from './bench.ts';
import { ClipPlayer } from './clips.ts';
import { facts, isBaked, nodeFacts, numbers, type SceneFacts } from './facts.ts';
import { frame, frontSide, hideHidden, isSky, triangles, visibleBox } from './frame.ts';
import type { Model } from './load.ts';
import { Modes, skeleton, type Mode } from './modes.ts';
import { pointsOf, Surfaces, type FindPicture } from './surfaces.ts';
import { Variants } from './variants.ts';
import { FEET, METERS, Walk } from './walk.ts';

export interface Looks {
  mode: Mode;
  lights: 'even' | 'own' | 'none';
  fog: boolean;
  background: boolean;
  skeleton: boolean;
  moving: boolean;
  sky: boolean;
  /** Number of the visible sky, if a file has several. */
  skyNumber: number;
  /** Factor of the stored brightness. */
  brightness: number;
  /** Visible level of detail, if a file has several. */
  level: number;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(45, 1, 0.1, 1000);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly variants: Variants;
  player: ClipPlayer;
  surfaces: Surfaces;
  walk: Walk | null = null;
  root: THREE.Object3D;
  looks: Looks;
  /** Called after each drawn picture. */
  drawn: () => void = () => undefined;
  private readonly modes: Modes;
  private readonly even = evenLight();
  private readonly baked = bakedLight();
  private readonly ambient = new THREE.AmbientLight(0xffffff, 0);
  private bones: THREE.LineSegments | null = null;
  private companions: { root: THREE.Object3D; model: Model }[] = [];
  private frameRequest = 0;
  private dirty = true;
  private last = 0;
  private clock = 0;
  private gone = false;
  private readonly resize: ResizeObserver;

  constructor(
    readonly model: Model, private readonly find: FindPicture, readonly world: boolean, private readonly holder: HTMLElement,
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    holder.append(this.canvas);
    this.root = model.gltf.scene;
    this.variants = new Variants(model);
    this.modes = new Modes(model);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.touch());
    this.looks = {
      mode: 'textured', lights: isBaked(model.path, model.gltf.scene) ? 'own' : 'even', fog: false, background: world, skeleton: false, moving: true, sky: true, level: 0, brightness: 1, skyNumber: 1,
    };
    this.surfaces = new Surfaces(model, find);
    this.player = new ClipPlayer(model, this.root);
    this.scene.add(...this.even, ...this.baked, this.ambient);
    this.show(model.gltf.scenes.indexOf(model.gltf.scene));
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(holder);
    this.fit();
    this.frameRequest = requestAnimationFrame(this.tick);
  }

  dispose(): void {
    this.gone = true;
    cancelAnimationFrame(this.frameRequest);
    this.resize.disconnect();
    this.walk?.dispose();
    this.controls.dispose();
    dispose(this.scene);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  /** Extras of the current scene. */
  get about(): SceneFacts {
    return facts<SceneFacts>(this.root.userData);
  }

  get front(): 1 | -1 {
    return frontSide(this.root);
  }

  /** Shows a scene of the file. */
  show(place: number): void {
    this.leaveWalk();
    this.modes.reset();
    this.root.removeFromParent();
    this.root = this.model.gltf.scenes[Math.max(place, 0)] ?? this.model.gltf.scene;
    this.scene.add(this.root);
    this.surfaces = new Surfaces(this.model, this.find);
    this.surfaces.adopt(this.root);
    pointsOf(this.model, this.root);
    hideHidden(this.model, this.root);
    this.player = new ClipPlayer(this.model, this.root);
    this.home();
    this.apply();
  }

  /** Moves the camera so that everything is in view; inside for a sky. */
  home(): void {
    this.leaveWalk();
    const front = this.front;
    let box = visibleBox(this.model, this.root);
    if (box.isEmpty()) box = visibleBox(null, this.root);
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const high = this.world ? 0.9 : 0.5;
    const middle = frame(this.camera, box, new THREE.Vector3(0.7 * front, high, front));
    if (this.about.sky?.centeredOnCamera === true) {
      this.camera.position.copy(middle);
      middle.z += front * 0.1;
      middle.y += 0.03;
    }
    this.controls.target.copy(middle);
    this.controls.update();
    this.touch();
  }

  /** Looks from a side. */
  look(direction: THREE.Vector3): void {
    this.leaveWalk();
    const box = visibleBox(this.model, this.root);
    if (box.isEmpty()) return;
    const turned = direction.clone();
    turned.x *= this.front;
    turned.z *= this.front;
    this.controls.target.copy(frame(this.camera, box, turned));
    this.controls.update();
    this.touch();
  }

  /** Adds a file of the model, such as its hidden objects; null removes it. */
  async accompany(models: readonly Model[]): Promise<void> {
    this.companions.forEach(({ root }) => root.removeFromParent());
    this.companions = models.map((model) => ({ model, root: model.gltf.scene }));
    this.companions.forEach(({ root }) => this.scene.add(root));
    this.apply();
  }

  /** Applies a variant, or the original materials with null. */
  async applyVariant(which: number | null): Promise<void> {
    this.modes.reset();
    await this.variants.apply(this.root, which);
    this.surfaces.adopt(this.root);
    this.apply();
  }

  /** Applies all settings. */
  apply(): void {
    const { looks, about, levels, skies } = this;
    const baked = isBaked(this.model.path, this.root);
    this.modes.show(this.root, looks.mode);
    this.root.traverse((node) => {
      if ((node as THREE.Light).isLight) node.visible = looks.lights === 'own' && (!baked || this.isAdded(node));
      if (isSky(this.model, node)) node.visible = looks.sky;
      const { layer } = nodeFacts(this.model, node);
      if (Number.isInteger(layer?.sky) && skies.length > 1) node.visible = layer?.sky === looks.skyNumber;
      const { level, of } = nodeFacts(this.model, node).lod ?? {};
      if (Number.isInteger(level) && levels.length > 1) node.visible = level === Math.min(looks.level, (of ?? Infinity) - 1);
    });
    this.even.forEach((light) => { light.visible = looks.lights === 'even'; });
    this.baked.forEach((light) => { light.visible = looks.lights === 'own' && baked; });
    this.ambient.visible = looks.lights === 'none' || (looks.lights === 'own' && !baked);
    const own = Number.isFinite(about.ambientLight) ? about.ambientLight : 0.3;
    this.ambient.intensity = looks.lights === 'own' ? own * Math.PI : 0.05;
    const fog = about.fog ?? {};
    const color = numbers(fog.color, 3);
    this.scene.fog = looks.fog && color && Number.isFinite(fog.far) && fog.far > 0
      ? new THREE.Fog(rgb(color), Math.max(fog.near ?? 0, 0), fog.far) : null;
    const clear = numbers(about.clearColor, 3) ?? (looks.fog ? color : null);
    this.scene.background = looks.background && clear ? rgb(clear) : null;
    this.surfaces.moving = looks.moving;
    this.renderer.toneMapping = looks.brightness === 1 ? THREE.NoToneMapping : THREE.LinearToneMapping;
    this.renderer.toneMappingExposure = looks.brightness;
    this.bones?.removeFromParent();
    this.bones = looks.skeleton ? skeleton(this.root) : null;
    if (this.bones) this.scene.add(this.bones);
    this.touch();
  }

  /** True if there are lights besides those baked into the vertices. */
  private isAdded(light: THREE.Object3D): boolean {
    const nodes = [light, light.parent].filter((node) => node !== null);
    return nodes.some((node) => nodeFacts(this.model, node).lightsTerrain === true);
  }

  /** True if the light of the current scene is baked into its vertices. */
  get isBaked(): boolean {
    return isBaked(this.model.path, this.root);
  }

  /** Numbers of the skies in a file of EverQuest's skies. */
  get skies(): number[] {
    const found = new Set<number>();
    this.root.traverse((node) => {
      const number = nodeFacts(this.model, node).layer?.sky;
      if (Number.isInteger(number)) found.add(number);
    });
    return [...found].sort((x, y) => x - y);
  }

  /** Levels of detail in the scene. */
  get levels(): number[] {
    const found = new Set<number>();
    this.root.traverse((node) => {
      const level = nodeFacts(this.model, node).lod?.level;
      if (Number.isInteger(level) && node.children.length + Number((node as THREE.Mesh).isMesh === true) > 0) found.add(level);
    });
    return [...found].sort((x, y) => x - y);
  }

  /** Shows if the scene has fog, a background color, or lights. */
  get has(): { fog: boolean; background: boolean; lights: boolean; sky: boolean } {
    let lights = false;
    let sky = false;
    this.root.traverse((node) => {
      lights ||= (node as THREE.Light).isLight === true;
      sky ||= isSky(this.model, node);
    });
    return { fog: numbers(this.about.fog?.color, 3) !== null, background: numbers(this.about.clearColor, 3) !== null, lights, sky };
  }

  get counts(): { triangles: number; calls: number; drawn: number } {
    const { render } = this.renderer.info;
    return { triangles: triangles(this.root), calls: render.calls, drawn: render.triangles };
  }

  startWalk(): boolean {
    this.leaveWalk();
    const unit = this.about.space?.unit;
    const body = typeof unit === 'string' && unit.includes('foot') ? FEET : METERS;
    const walk = new Walk(this.model, this.root, this.camera, this.canvas, body);
    const near = this.controls.target.clone();
    if (!walk.start(near)) {
      walk.dispose();
      return false;
    }
    this.walk = walk;
    this.controls.enabled = false;
    this.camera.near = body.radius * 0.2;
    this.camera.updateProjectionMatrix();
    this.canvas.focus();
    this.touch();
    return true;
  }

  leaveWalk(): void {
    if (!this.walk) return;
    const ahead = new THREE.Vector3();
    this.camera.getWorldDirection(ahead);
    this.controls.target.copy(this.camera.position).addScaledVector(ahead, this.walk.body.eye * 4);
    this.walk.dispose();
    this.walk = null;
    this.controls.enabled = true;
    this.controls.update();
  }

  /** Sets the time of the clip and draws. */
  pose(time: number): void {
    this.player.pose(time);
    this.touch();
  }

  touch(): void {
    this.dirty = true;
  }

  /** Draws now. */
  draw(): void {
    this.dirty = false;
    this.root.updateMatrixWorld(true);
    this.bones?.userData.update();
    this.camera.updateMatrixWorld();
    this.surfaces.at(this.clock, this.camera);
    this.renderer.render(this.scene, this.camera);
    this.drawn();
  }

  async picture(): Promise<Blob | null> {
    this.draw();
    return new Promise((done) => this.canvas.toBlob(done, 'image/png'));
  }

  private fit(): void {
    const width = Math.max(this.holder.clientWidth, 1);
    const height = Math.max(this.holder.clientHeight, 1);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.touch();
  }

  private readonly tick = (now: number) => {
    if (this.gone) return;
    const step = this.last === 0 ? 0 : Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (this.walk) {
      this.walk.update(step);
      this.dirty = true;
    }
    if (this.player.advance(step)) this.dirty = true;
    if (this.looks.moving && this.surfaces.alive) {
      this.clock += step;
      this.dirty = true;
    }
    if (this.dirty) this.draw();
    this.frameRequest = requestAnimationFrame(this.tick);
  };

  /** Nodes with names, for the list of nodes. */
  parts(): { object: THREE.Object3D; name: string; hidden: boolean }[] {
    const found: { object: THREE.Object3D; name: string; hidden: boolean }[] = [];
    this.root.traverse((object) => {
      if (object === this.root || object.userData.helper || !object.name) return;
      const own = nodeFacts(this.model, object);
      found.push({ object, name: String(own.name ?? object.name), hidden: own.hidden === true });
    });
    return found;
  }
}

function rgb([red, green, blue]: number[]): THREE.Color {
  return new THREE.Color().setRGB(red!, green!, blue!, THREE.SRGBColorSpace);
}
