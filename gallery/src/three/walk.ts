// Walking through a world: W, A, S, D or the arrow keys, Shift to run, drag to look around. The ground and
// the walls are the world's triangles, in a bounding volume tree.

import * as THREE from 'three';
import { acceleratedRaycast, computeBoundsTree } from 'three-mesh-bvh';
import { nodeFacts, primitiveFacts } from './facts.ts';
import { isSky, facade } from './frame.ts';
import type { Model } from './load.ts';

const DOWN = new THREE.Vector3(0, -1, 0);
const KEYS: Record<string, string> = {
  KeyW: 'forward', ArrowUp: 'forward', KeyS: 'back', ArrowDown: 'back',
  KeyA: 'left', ArrowLeft: 'turnLeft', KeyD: 'right', ArrowRight: 'turnRight',
  ShiftLeft: 'run', ShiftRight: 'run', Space: 'rise',
};

/** Sizes of a person in units of the world. */
export interface Body { eye: number; step: number; radius: number; speed: number; gravity: number }
export const METERS: Body = { eye: 1.7, step: 0.6, radius: 0.4, speed: 5, gravity: 9.8 };
/** EverQuest's unit is about a foot. */
export const FEET: Body = { eye: 5.5, step: 2.2, radius: 1.3, speed: 18, gravity: 32 };

export class Walk {
  readonly feet = new THREE.Vector3();
  /** Height of the ground below, if any. */
  ground: number | null = null;
  private yaw = 0;
  private pitch = 0;
  private falling = 0;
  private readonly pressed = new Set<string>();
  private readonly solid: THREE.Mesh[] = [];
  private readonly ray = new THREE.Raycaster();
  private readonly stop = new AbortController();
  private readonly bounds = new THREE.Box3();

  constructor(
    model: Model, root: THREE.Object3D, private readonly camera: THREE.PerspectiveCamera,
    private readonly element: HTMLElement, readonly body: Body,
  ) {
    root.updateMatrixWorld(true);
    const visit = (node: THREE.Object3D) => {
      if (!node.visible || isSky(model, node) || node.userData.helper) return;
      const mesh = node as THREE.Mesh;
      const carries = mesh.isMesh && !(node as THREE.SkinnedMesh).isSkinnedMesh && !facade(model, node)
        && primitiveFacts(model, node).solid !== false && nodeFacts(model, node).hidden !== true;
      if (carries) {
        if (!mesh.geometry.boundsTree) computeBoundsTree.call(mesh.geometry);
        mesh.raycast = acceleratedRaycast;
        this.solid.push(mesh);
        if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
        this.bounds.union(mesh.geometry.boundingBox!.clone().applyMatrix4(mesh.matrixWorld));
      }
      node.children.forEach(visit);
    };
    visit(root);
    this.ray.firstHitOnly = true;
    this.listen();
  }

  /** Starts at the point that the camera looks at, or at the nearest ground. */
  start(near: THREE.Vector3): boolean {
    const size = this.bounds.getSize(new THREE.Vector3());
    for (let ring = 0; ring <= 8; ring += 1) {
      for (let turn = 0; turn < (ring === 0 ? 1 : 12); turn += 1) {
        const angle = (turn / 12) * Math.PI * 2;
        const x = near.x + Math.cos(angle) * (ring / 16) * size.x;
        const z = near.z + Math.sin(angle) * (ring / 16) * size.z;
        const height = this.below(new THREE.Vector3(x, this.bounds.max.y + 1, z));
        if (height !== null) {
          this.feet.set(x, height, z);
          const [fx, fz] = [near.x - x, near.z - z];
          this.yaw = ring === 0 ? this.camera.rotation.y : Math.atan2(-fx, -fz);
          this.falling = 0;
          this.update(0);
          return true;
        }
      }
    }
    return false;
  }

  get active(): boolean {
    return this.pressed.size > 0 || this.falling !== 0;
  }

  dispose(): void {
    this.stop.abort();
  }

  /** Advances by some seconds. */
  update(seconds: number): void {
    const { body, pressed } = this;
    if (pressed.has('turnLeft')) this.yaw += seconds * 1.8;
    if (pressed.has('turnRight')) this.yaw -= seconds * 1.8;
    const ahead = Number(pressed.has('forward')) - Number(pressed.has('back'));
    const aside = Number(pressed.has('right')) - Number(pressed.has('left'));
    const move = new THREE.Vector3(aside, 0, -ahead);
    if (move.lengthSq() > 0) {
      move.normalize().applyAxisAngle(new THREE.Vector3(0, 1, 0), this.yaw);
      this.slide(move, seconds * body.speed * (pressed.has('run') ? 4 : 1));
    }
    const height = this.below(this.feet.clone().setY(this.feet.y + body.step));
    this.ground = height;
    if (height !== null && this.feet.y <= height + 1e-4) {
      this.feet.y = height;
      this.falling = 0;
    } else if (height !== null) {
      const small = this.feet.y - height <= body.step && this.falling === 0;
      this.falling -= body.gravity * seconds;
      this.feet.y = small ? height : Math.max(this.feet.y + this.falling * seconds, height);
      if (this.feet.y === height) this.falling = 0;
    } else {
      this.falling = 0;
    }
    this.camera.position.copy(this.feet).y += body.eye;
    this.camera.rotation.set(this.pitch, this.yaw, 0, 'YXZ');
    this.camera.updateMatrixWorld();
  }

  /** Moves a distance, and slides along walls. */
  private slide(direction: THREE.Vector3, length: number): void {
    let left = length;
    let way = direction.clone();
    for (let turn = 0; turn < 3 && left > 1e-5; turn += 1) {
      const hit = this.wall(way, left + this.body.radius);
      const free = hit ? Math.max(Math.min(hit.distance - this.body.radius, left), 0) : left;
      this.feet.addScaledVector(way, free);
      left -= free;
      if (!hit || left <= 1e-5) break;
      const normal = hit.normal.setY(0).normalize();
      if (normal.dot(way) > 0) normal.negate();
      const along = way.clone().addScaledVector(normal, -way.dot(normal));
      left *= along.length();
      way = along.normalize();
      if (!Number.isFinite(way.x) || way.dot(direction) < 0) break;
    }
  }

  private wall(way: THREE.Vector3, reach: number): { distance: number; normal: THREE.Vector3 } | null {
    let found: { distance: number; normal: THREE.Vector3 } | null = null;
    for (const height of [this.body.step * 1.05, this.body.eye * 0.6, this.body.eye]) {
      this.ray.set(this.feet.clone().setY(this.feet.y + height), way);
      this.ray.near = 0;
      this.ray.far = reach;
      const hit = this.first();
      if (hit?.face && (!found || hit.distance < found.distance)) {
        const normal = hit.face.normal.clone().transformDirection(hit.object.matrixWorld);
        if (Math.abs(normal.y) < 0.7) found = { distance: hit.distance, normal };
      }
    }
    return found;
  }

  private below(from: THREE.Vector3): number | null {
    this.ray.set(from, DOWN);
    this.ray.near = 0;
    this.ray.far = Infinity;
    return this.first()?.point.y ?? null;
  }

  /** The first hit, including back faces, because one-sided floors are solid from both sides. */
  private first(): THREE.Intersection | undefined {
    const sides = this.solid.map((mesh) => (mesh.material as THREE.Material).side);
    this.solid.forEach((mesh) => { (mesh.material as THREE.Material).side = THREE.DoubleSide; });
    const hit = this.ray.intersectObjects(this.solid, false)[0];
    this.solid.forEach((mesh, index) => { (mesh.material as THREE.Material).side = sides[index]!; });
    return hit;
  }

  private listen(): void {
    const { signal } = this.stop;
    this.element.addEventListener('keydown', (event) => {
      const action = KEYS[event.code];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.pressed.add(action);
    }, { signal });
    this.element.addEventListener('keyup', (event) => {
      const action = KEYS[event.code];
      if (action) this.pressed.delete(action);
    }, { signal });
    this.element.addEventListener('blur', () => this.pressed.clear(), { signal });
    this.element.addEventListener('pointermove', (event) => {
      if (event.buttons === 0) return;
      this.yaw -= event.movementX * 0.004;
      this.pitch = Math.min(Math.max(this.pitch - event.movementY * 0.004, -1.5), 1.5);
    }, { signal });
  }
}
