// The one renderer that draws all small pictures of models.

import * as THREE from 'three';
import type { Files } from '../files.ts';
import { ClipPlayer, restingClip } from './clips.ts';
import { isBaked } from './facts.ts';
import { frame, frontSide, hideHidden, visibleBox } from './frame.ts';
import { loadModel, type Model } from './load.ts';
import { Surfaces } from './surfaces.ts';

interface Set { model: Model; scene: THREE.Scene; camera: THREE.PerspectiveCamera; surfaces: Surfaces }

export class Bench {
  private renderer: THREE.WebGLRenderer | null = null;
  private before: Set | null = null;
  private chain: Promise<unknown> = Promise.resolve();

  constructor(private readonly files: Files) {}

  /** Draws a model into a canvas; returns true if anything is visible. */
  draw(path: string, canvas: HTMLCanvasElement): Promise<boolean> {
    return this.alone(async () => {
      const set = await this.set(path);
      if (!set) return false;
      this.render(set, canvas);
      if (blank(canvas)) {
        // One-sided surfaces that face the other way.
        set.camera.position.set(-set.camera.position.x, set.camera.position.y, -set.camera.position.z);
        const middle = visibleBox(set.model, set.model.gltf.scene).getCenter(new THREE.Vector3());
        set.camera.position.x += 2 * middle.x;
        set.camera.position.z += 2 * middle.z;
        set.camera.lookAt(middle);
        set.surfaces.at(0, set.camera);
        this.render(set, canvas);
      }
      this.retire(set);
      return true;
    });
  }

  /** Plays a model in a canvas while `going` returns true. */
  play(path: string, canvas: HTMLCanvasElement, going: () => boolean): Promise<void> {
    return this.alone(async () => {
      if (!going()) return;
      const set = await this.set(path);
      if (!set) return;
      const player = new ClipPlayer(set.model, set.model.gltf.scene);
      const clip = player.clips.find((own) => /walk/i.test(own.name)) ?? player.clips[0] ?? null;
      player.choose(clip);
      player.loop = true;
      player.playing = clip !== null;
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const turned = set.model.gltf.scene.rotation.y;
      let last = performance.now();
      const start = last;
      while (going() && !still) {
        const now = await new Promise<number>((done) => requestAnimationFrame(done));
        const step = Math.min((now - last) / 1000, 0.1);
        last = now;
        if (!player.advance(step)) set.model.gltf.scene.rotation.y = turned + (now - start) / 1500;
        set.surfaces.at((now - start) / 1000, set.camera);
        this.render(set, canvas);
      }
      player.choose(restingClip(set.model));
      set.model.gltf.scene.rotation.y = turned;
      this.render(set, canvas);
      this.retire(set);
    });
  }

  /** Disposes of the previous model after this one is drawn, so that their common shaders are reused. */
  private retire(set: Set): void {
    if (this.before) dispose(this.before.scene);
    this.before = set;
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const next = this.chain.then(work, work);
    this.chain = next.catch(() => undefined);
    return next;
  }

  private async set(path: string): Promise<Set | null> {
    const model = await loadModel(this.files, path);
    const root = model.gltf.scene;
    const scene = new THREE.Scene();
    scene.add(root, ...lightsFor(path, root));
    new ClipPlayer(model, root).choose(restingClip(model));
    root.traverse((node) => { if ((node as THREE.Light).isLight) node.visible = false; });
    hideHidden(model, root);
    const camera = new THREE.PerspectiveCamera(30, 1, 0.1, 1000);
    const front = frontSide(root);
    const box = visibleBox(model, root);
    if (box.isEmpty()) {
      dispose(scene);
      return null;
    }
    frame(camera, box, new THREE.Vector3(0.7 * front, 0.5, front));
    const surfaces = new Surfaces(model, async () => null);
    surfaces.adopt(root);
    surfaces.at(0, camera);
    return { model, scene, camera, surfaces };
  }

  private render(set: Set, canvas: HTMLCanvasElement): void {
    if (!this.renderer) {
      this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
      this.renderer.setSize(canvas.width, canvas.height, false);
    }
    this.renderer.render(set.scene, set.camera);
    const paper = canvas.getContext('2d')!;
    paper.clearRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(this.renderer.domElement, 0, 0, canvas.width, canvas.height);
  }
}

let probe: CanvasRenderingContext2D | null = null;

/** True if nothing was drawn, judged by a small copy of the picture. */
function blank(canvas: HTMLCanvasElement): boolean {
  if (!probe) {
    const small = document.createElement('canvas');
    small.width = small.height = 48;
    probe = small.getContext('2d', { willReadFrequently: true })!;
  }
  probe.clearRect(0, 0, 48, 48);
  probe.drawImage(canvas, 0, 0, 48, 48);
  const pixels = probe.getImageData(0, 0, 48, 48).data;
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at]! > 0) return false;
  return true;
}

/** Light that shows every face. */
export function evenLight(): THREE.Light[] {
  const sun = new THREE.DirectionalLight(0xffffff, 1.5);
  sun.position.set(0.5, 1, 0.8);
  return [new THREE.HemisphereLight(0xffffff, 0x777777, 2), sun];
}

/** Light that shows vertex colors as stored: a surface is its picture times the color of the vertex, as the game drew it. */
export function bakedLight(): THREE.Light[] {
  return [new THREE.AmbientLight(0xffffff, Math.PI)];
}

/** Light for a scene; no lights if all light is baked into the vertices. */
export function lightsFor(path: string, root: THREE.Object3D): THREE.Light[] {
  return isBaked(path, root) ? bakedLight() : evenLight();
}

/** Frees the graphics memory of a scene. */
export function dispose(root: THREE.Object3D): void {
  root.traverse((node) => {
    const mesh = node as THREE.Mesh;
    mesh.geometry?.dispose();
    const materials = mesh.material === undefined ? [] : Array.isArray(mesh.material) ? mesh.material : [mesh.material];
    for (const material of materials) {
      for (const value of Object.values(material)) if (value instanceof THREE.Texture) {
        value.dispose();
        if (value.image instanceof ImageBitmap) value.image.close();
      }
      material.dispose();
    }
  });
}
