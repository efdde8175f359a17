// Moving surfaces of the game: scrolling textures, changing pictures, additive surfaces, billboards, and the
// sky that follows the camera.

import * as THREE from 'three';
import { facade, isSky } from './frame.ts';
import type { EverquestMaterial, ZipperMaterial } from './extras.ts';
import { nodeFacts, numbers, type Json } from './facts.ts';
import type { Model } from './load.ts';

/** Finds the address of a picture of a surface, relative to another picture of it. */
export type FindPicture = (name: string, beside: string | null) => Promise<string | null>;

interface Cycle { material: THREE.MeshBasicMaterial; frames: (THREE.Texture | null)[]; rate: number; loop: boolean; start: number }
interface Scroll { texture: THREE.Texture; u: number; v: number }
interface Turner { object: THREE.Object3D; mode: string; rest: THREE.Quaternion }

export class Surfaces {
  moving = true;
  /** True: billboards turn to the camera. */
  facing = true;
  private readonly cycles: Cycle[] = [];
  private readonly scrolls: Scroll[] = [];
  private readonly turners: Turner[] = [];
  private readonly skies: { object: THREE.Object3D; axes: string }[] = [];
  private readonly done = new Set<THREE.Material>();

  constructor(private readonly model: Model, private readonly find: FindPicture) {}

  /** True if anything changes with time. */
  get alive(): boolean {
    return this.cycles.length > 0 || this.scrolls.length > 0;
  }

  get turning(): boolean {
    return this.turners.length > 0 || this.skies.length > 0;
  }

  /** Collects all surfaces below an object; to be repeated after a change of the variant. */
  adopt(root: THREE.Object3D): void {
    root.traverse((node) => {
      const mesh = node as THREE.Mesh;
      if (isSky(this.model, node) && !this.skies.some((sky) => sky.object === node)) {
        this.skies.push({ object: node, axes: String(nodeFacts(this.model, node).sky) });
        node.traverse((part) => {
          part.renderOrder = -1000;
          part.frustumCulled = false;
          const material = (part as THREE.Mesh).material as THREE.Material | undefined;
          if (material) {
            material.depthWrite = false;
            (material as Json).fog = false;
          }
        });
      }
      this.skyLayer(node);
      if (!mesh.isMesh) return;
      const mode = facade(this.model, node);
      if (mode && !this.turners.some((turner) => turner.object === node)) {
        this.turners.push({ object: node, mode, rest: node.quaternion.clone() });
      }
      for (const material of Array.isArray(mesh.material) ? mesh.material : [mesh.material]) this.material(material);
    });
  }

  /** A layer of EverQuest's sky: drawn in its order behind everything, with a moving picture. */
  private skyLayer(node: THREE.Object3D): void {
    const { layer } = nodeFacts(this.model, node);
    if (!layer || !Number.isFinite(layer.drawOrder)) return;
    const pace = Number.isFinite(layer.secondsPerUv) && layer.secondsPerUv > 0 ? 1 / layer.secondsPerUv : 0;
    const across = /east|west/.test(String(layer.direction ?? ''));
    node.traverse((part) => {
      part.renderOrder = -900 + layer.drawOrder;
      part.frustumCulled = false;
      const own = (part as THREE.Mesh).material as THREE.MeshBasicMaterial | undefined;
      if (!own || Array.isArray(own) || this.done.has(own)) return;
      own.depthWrite = false;
      own.fog = false;
      if (!own.map || pace === 0) return;
      own.map = own.map.clone();
      own.map.wrapS = own.map.wrapT = THREE.RepeatWrapping;
      this.scrolls.push({ texture: own.map, u: across ? pace : 0, v: across ? 0 : pace });
    });
  }

  private material(material: THREE.Material): void {
    if (this.done.has(material)) return;
    this.done.add(material);
    const own = material as THREE.MeshBasicMaterial;
    const zipper: ZipperMaterial = material.userData.zipper ?? {};
    const everquest: EverquestMaterial = material.userData.everquest ?? {};
    if ([everquest.eqBlend, everquest.blend, zipper.blend].includes('additive')) {
      material.blending = THREE.AdditiveBlending;
      material.transparent = true;
      material.depthWrite = false;
    }
    const { u, v } = zipper.scroll ?? {};
    if (own.map && Number.isFinite(u) && Number.isFinite(v)) {
      own.map = own.map.clone();
      own.map.wrapS = own.map.wrapT = THREE.RepeatWrapping;
      this.scrolls.push({ texture: own.map, u, v });
    }
    const cycle = zipper.cycle;
    if (cycle && Array.isArray(cycle.frames) && cycle.frames.length > 1 && cycle.fps > 0) {
      void this.cycle(own, cycle.frames, cycle.fps, cycle.loop !== false, cycle.start ?? 0);
    }
    const flips = everquest.textureAnimation;
    if (flips && Array.isArray(flips.frames) && flips.frames.length > 1 && flips.sleepMs > 0) {
      void this.cycle(own, flips.frames.map((one: Json) => one.image ?? one.file ?? one), 1000 / flips.sleepMs, true, 0);
    }
  }

  private async cycle(
    material: THREE.MeshBasicMaterial, names: unknown[], rate: number, loop: boolean, start: number,
  ): Promise<void> {
    const first = material.map;
    const beside = first ? this.pictureOf(first) : null;
    const loader = new THREE.TextureLoader();
    const frames = await Promise.all(names.map(async (name) => {
      const url = typeof name === 'string' ? await this.find(name, beside) : null;
      if (!url) return null;
      const texture = await loader.loadAsync(url).catch(() => null);
      if (texture) {
        texture.flipY = false;
        texture.colorSpace = THREE.SRGBColorSpace;
        if (first) {
          [texture.wrapS, texture.wrapT] = [first.wrapS, first.wrapT];
          [texture.minFilter, texture.magFilter] = [first.minFilter, first.magFilter];
        } else {
          texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
        }
      }
      return texture;
    }));
    if (frames.some(Boolean)) this.cycles.push({ material, frames, rate, loop, start });
  }

  /** Path of the picture of a texture, by its index in the file. */
  private pictureOf(texture: THREE.Texture): string | null {
    const place = this.model.gltf.parser.associations.get(texture)?.textures;
    const image = place === undefined ? undefined : this.model.json.textures?.[place]?.source;
    return image === undefined ? null : this.model.pictures[image] ?? null;
  }

  /** Moves everything to a time in seconds. */
  at(seconds: number, camera: THREE.Camera): void {
    if (this.moving) {
      for (const { texture, u, v } of this.scrolls) texture.offset.set((u * seconds) % 1, (v * seconds) % 1);
      for (const cycle of this.cycles) {
        const step = Math.floor(seconds * cycle.rate) + cycle.start;
        const last = cycle.frames.length - 1;
        const frame = cycle.frames[cycle.loop ? step % cycle.frames.length : Math.min(step, last)];
        if (frame && cycle.material.map !== frame) {
          if (!cycle.material.map) cycle.material.needsUpdate = true;
          cycle.material.map = frame;
        }
      }
    }
    for (const { object, axes } of this.skies) follow(object, camera, axes);
    if (this.facing) for (const turner of this.turners) turn(turner, camera);
  }

  /** Resets billboards to the orientation in the file. */
  rest(): void {
    this.facing = false;
    for (const { object, rest } of this.turners) object.quaternion.copy(rest);
  }
}

function follow(object: THREE.Object3D, camera: THREE.Camera, axes: string): void {
  const eye = camera.getWorldPosition(new THREE.Vector3());
  object.parent?.worldToLocal(eye);
  const all = axes === 'true';
  if (all || axes.includes('x')) object.position.x = eye.x;
  if (all || axes.includes('y')) object.position.y = eye.y;
  if (all || axes.includes('z')) object.position.z = eye.z;
}

/** Billboards turn parallel to the picture, about all axes or only the vertical one. */
function turn({ object, mode }: Turner, camera: THREE.Camera): void {
  camera.getWorldQuaternion(object.quaternion);
  if (/cylindrical/i.test(mode)) {
    const yaw = new THREE.Euler().setFromQuaternion(object.quaternion, 'YXZ').y;
    object.quaternion.setFromAxisAngle(new THREE.Vector3(0, 1, 0), yaw);
  }
  if (object.parent) {
    object.quaternion.premultiply(object.parent.getWorldQuaternion(new THREE.Quaternion()).invert());
  }
}

/** Lines and points in the extras of a node, which are not in a glTF mesh. */
export function pointsOf(model: Model, root: THREE.Object3D): THREE.Object3D[] {
  const made: THREE.Object3D[] = [];
  root.traverse((node) => {
    for (const group of nodeFacts(model, node).points ?? []) {
      const places = (group.positions ?? []).map((place: Json) => numbers(place, 3)).filter(Boolean);
      if (places.length === 0) continue;
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.Float32BufferAttribute(places.flat(), 3));
      const [red, green, blue] = numbers(group.color, 3) ?? [255, 255, 255];
      const color = new THREE.Color().setRGB(red! / 255, green! / 255, blue! / 255, THREE.SRGBColorSpace);
      const points = new THREE.Points(geometry, new THREE.PointsMaterial({
        color, size: Number.isFinite(group.size) ? Math.max(group.size * 2, 2) : 3, sizeAttenuation: false,
      }));
      points.userData.helper = true;
      node.add(points);
      made.push(points);
    }
  });
  return made;
}
