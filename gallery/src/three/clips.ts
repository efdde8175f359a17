// Plays one clip of a model, or shows one time of it. Visibility and opacity of nodes, which glTF lacks, come
// from the clip's extras.

import * as THREE from 'three';
import { facts, nodeFacts, type ClipFacts, type Json } from './facts.ts';
import type { Model } from './load.ts';

interface Shown { objects: THREE.Object3D[]; times: number[]; shown: boolean[] }
interface Faded { objects: THREE.Object3D[]; times: number[]; opacity: number[]; step: boolean }

/** Initial clips of creatures, in order of preference. */
const RESTING = ['stand', 'idle'];

/** The rest clip of a model, if it has one. */
export function restingClip(model: Model): THREE.AnimationClip | null {
  const clips = model.gltf.animations;
  const named = RESTING.map((name) => clips.find((clip) => clip.name.toLowerCase() === name));
  return named.find((clip) => clip !== undefined) ?? clips.find((clip) => RESTING.some((name) =>
    new RegExp(`(^|[^a-z])${name}([^a-z]|$)`, 'i').test(clip.name))) ?? null;
}

export class ClipPlayer {
  readonly clips: readonly THREE.AnimationClip[];
  current: THREE.AnimationClip | null = null;
  time = 0;
  speed = 1;
  loop = true;
  playing = false;
  private readonly mixer: THREE.AnimationMixer;
  private action: THREE.AnimationAction | null = null;
  private shown: Shown[] = [];
  private faded: Faded[] = [];
  private readonly restVisible = new Map<THREE.Object3D, boolean>();
  private readonly restMaterial = new Map<THREE.Mesh, THREE.Material | THREE.Material[]>();

  constructor(private readonly model: Model, private readonly root: THREE.Object3D) {
    this.clips = model.gltf.animations;
    this.mixer = new THREE.AnimationMixer(root);
  }

  /** Extras of a clip. */
  about(clip: THREE.AnimationClip): ClipFacts {
    const place = this.clips.indexOf(clip);
    return facts<ClipFacts>(this.model.json.animations?.[place]?.extras);
  }

  get length(): number {
    const own = this.current;
    if (!own) return 0;
    const length = this.about(own).length;
    return Math.max(own.duration, Number.isFinite(length) ? length : 0, 1e-3);
  }

  choose(clip: THREE.AnimationClip | null): void {
    this.mixer.stopAllAction();
    this.restore();
    this.action = null;
    this.current = clip;
    this.time = 0;
    if (!clip) {
      this.playing = false;
      return;
    }
    this.action = this.mixer.clipAction(clip);
    this.action.setLoop(THREE.LoopOnce, 1);
    this.action.clampWhenFinished = true;
    const about = this.about(clip);
    this.loop = about.loop !== false;
    this.shown = list(about.visibility).map((track) => ({
      objects: this.objects(track), times: list(track.times), shown: list(track.shown),
    }));
    this.faded = list(about.opacity).map((track) => ({
      objects: this.objects(track), times: list(track.times), opacity: list(track.opacity), step: track.interpolation === 'STEP',
    }));
    this.pose(0);
  }

  /** Sets the pose of the model to a time of the clip. */
  pose(time: number): void {
    if (!this.action || !this.current) return;
    this.time = Math.min(Math.max(time, 0), this.length);
    this.action.reset().play();
    this.action.time = Math.min(this.time, this.current.duration);
    this.mixer.update(0);
    for (const { objects, times, shown } of this.shown) {
      const state = shown[before(times, this.time)];
      for (const object of objects) {
        if (!this.restVisible.has(object)) this.restVisible.set(object, object.visible);
        object.visible = state ?? true;
      }
    }
    for (const track of this.faded) this.fade(track);
  }

  /** Advances by some seconds; returns true if anything moved. */
  advance(seconds: number): boolean {
    if (!this.playing || !this.current) return false;
    let next = this.time + seconds * this.speed;
    const length = this.length;
    if (next > length || next < 0) {
      if (this.loop) {
        next = ((next % length) + length) % length;
      } else {
        next = next < 0 ? 0 : length;
        this.playing = false;
      }
    }
    this.pose(next);
    return true;
  }

  private fade({ objects, times, opacity, step }: Faded): void {
    const at = before(times, this.time);
    let value = opacity[at] ?? 1;
    const [from, to] = [times[at] ?? 0, times[at + 1]];
    if (!step && to !== undefined && to > from) {
      const share = Math.min(Math.max((this.time - from) / (to - from), 0), 1);
      value += ((opacity[at + 1] ?? value) - value) * share;
    }
    for (const object of objects) {
      object.traverse((part) => {
        const mesh = part as THREE.Mesh;
        if (!mesh.isMesh || Array.isArray(mesh.material)) return;
        if (!this.restMaterial.has(mesh)) {
          this.restMaterial.set(mesh, mesh.material);
          mesh.material = mesh.material.clone();
          mesh.material.transparent = true;
        }
        (mesh.material as THREE.Material).opacity = value;
      });
    }
  }

  private objects(track: Json): THREE.Object3D[] {
    const found: THREE.Object3D[] = [];
    this.root.traverse((node) => {
      const own = nodeFacts(this.model, node);
      const same = track.index === undefined ? own.name === track.node || node.name === track.node : own.index === track.index;
      if (same) found.push(node);
    });
    return found;
  }

  private restore(): void {
    this.restVisible.forEach((visible, object) => { object.visible = visible; });
    this.restMaterial.forEach((material, mesh) => { mesh.material = material; });
    this.restVisible.clear();
    this.restMaterial.clear();
    this.shown = [];
    this.faded = [];
  }
}

function list(value: Json): Json[] {
  return Array.isArray(value) ? value : [];
}

function before(times: readonly number[], time: number): number {
  let at = 0;
  while (at + 1 < times.length && times[at + 1]! <= time) at += 1;
  return at;
}
