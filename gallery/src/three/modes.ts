// Display modes of surfaces.

import * as THREE from 'three';
import { nodeFacts, primitiveFacts } from './facts.ts';
import type { Model } from './load.ts';

export const MODES = [
  ['textured', 'As in the game'],
  ['wireframe', 'Wireframe'],
  ['normals', 'Normals'],
  ['uv', 'Texture coordinates'],
  ['plain', 'Without textures'],
  ['backs', 'Back faces marked'],
  ['collision', 'Solid surfaces'],
] as const;
export type Mode = (typeof MODES)[number][0];

const SOLID = 0x3fa34d;
const FLOOR = 0x3f7fd0;
const OPEN = 0xb0b0b0;

export class Modes {
  private readonly own = new Map<THREE.Mesh, THREE.Material | THREE.Material[]>();
  private readonly made = new Map<string, THREE.Material>();
  private readonly helpers: THREE.Object3D[] = [];
  private checker: THREE.Texture | null = null;

  constructor(private readonly model: Model) {}

  /** Restores the materials that `show` replaced. */
  reset(): void {
    this.own.forEach((material, mesh) => { mesh.material = material; });
    this.own.clear();
    this.helpers.forEach((helper) => helper.removeFromParent());
    this.helpers.length = 0;
  }

  show(root: THREE.Object3D, mode: Mode): void {
    this.reset();
    if (mode === 'textured') return;
    const meshes: THREE.Mesh[] = [];
    root.traverse((node) => {
      if ((node as THREE.Mesh).isMesh && !node.userData.helper) meshes.push(node as THREE.Mesh);
    });
    for (const mesh of meshes) {
      const side = Array.isArray(mesh.material) ? THREE.DoubleSide : mesh.material.side;
      if (mode === 'backs') {
        if (side === THREE.DoubleSide) continue;
        const back = new THREE.Mesh(mesh.geometry, this.material('backs', THREE.BackSide, mesh));
        back.userData.helper = true;
        mesh.add(back);
        this.helpers.push(back);
        continue;
      }
      this.own.set(mesh, mesh.material);
      mesh.material = this.material(mode === 'collision' ? this.solidity(mesh) : mode, side, mesh);
    }
  }

  private solidity(mesh: THREE.Mesh): string {
    if (primitiveFacts(this.model, mesh).solid === false) return 'open';
    let node: THREE.Object3D | null = mesh;
    while (node) {
      const flags = nodeFacts(this.model, node).flags;
      if (Array.isArray(flags)) {
        if (flags.includes('altitude_surface')) return 'floor';
        return flags.includes('intersect_surface') ? 'solid' : 'open';
      }
      node = node.parent;
    }
    return 'solid';
  }

  private material(what: string, side: THREE.Side, mesh: THREE.Mesh): THREE.Material {
    const colors = what === 'plain' && mesh.geometry.hasAttribute('color');
    const key = `${what} ${side} ${colors}`;
    let made = this.made.get(key);
    if (!made) {
      made = this.make(what, colors);
      made.side = side;
      this.made.set(key, made);
    }
    return made;
  }

  private make(what: string, colors: boolean): THREE.Material {
    switch (what) {
      case 'wireframe': return new THREE.MeshBasicMaterial({ color: 0x4aa3ff, wireframe: true });
      case 'normals': return new THREE.MeshNormalMaterial();
      case 'uv': return new THREE.MeshBasicMaterial({ map: this.checkerboard() });
      case 'plain': return new THREE.MeshLambertMaterial({ color: 0xd0d0d0, vertexColors: colors });
      case 'backs': return new THREE.MeshBasicMaterial({ color: 0xff00ff });
      case 'solid': return new THREE.MeshLambertMaterial({ color: SOLID });
      case 'floor': return new THREE.MeshLambertMaterial({ color: FLOOR });
      default: return new THREE.MeshLambertMaterial({ color: OPEN, transparent: true, opacity: 0.35, depthWrite: false });
    }
  }

  private checkerboard(): THREE.Texture {
    if (this.checker) return this.checker;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 256;
    const paper = canvas.getContext('2d')!;
    for (let row = 0; row < 8; row += 1) {
      for (let column = 0; column < 8; column += 1) {
        paper.fillStyle = `hsl(${column * 45} 65% ${(row + column) % 2 ? 72 : 38}%)`;
        paper.fillRect(column * 32, row * 32, 32, 32);
        paper.fillStyle = '#000';
        paper.font = '12px sans-serif';
        paper.fillText(`${String.fromCharCode(65 + row)}${column + 1}`, column * 32 + 8, row * 32 + 20);
      }
    }
    this.checker = new THREE.CanvasTexture(canvas);
    this.checker.flipY = false;
    this.checker.colorSpace = THREE.SRGBColorSpace;
    this.checker.wrapS = this.checker.wrapT = THREE.RepeatWrapping;
    return this.checker;
  }
}

/** Lines between the nodes of a model, including nodes that are not bones. */
export function skeleton(root: THREE.Object3D): THREE.LineSegments {
  const lines = new THREE.LineSegments(
    new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xffa000, depthTest: false, fog: false }),
  );
  lines.renderOrder = 1000;
  lines.frustumCulled = false;
  lines.userData.helper = true;
  const from = new THREE.Vector3();
  const to = new THREE.Vector3();
  lines.userData.update = () => {
    const places: number[] = [];
    root.traverse((node) => {
      if (node === root || !node.parent || node.parent === root || node.userData.helper) return;
      from.setFromMatrixPosition(node.parent.matrixWorld);
      to.setFromMatrixPosition(node.matrixWorld);
      places.push(...from.toArray(), ...to.toArray());
    });
    lines.geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  };
  lines.userData.update();
  return lines;
}
