// A picture of a world from above, and positions in it.

import * as THREE from 'three';
import { dispose, lightsFor } from './bench.ts';
import { frontSide, isSky, visibleBox } from './frame.ts';
import type { Model } from './load.ts';

export interface Above {
  canvas: HTMLCanvasElement;
  /** Converts positions of the scene to pixels of the picture. */
  project: (place: readonly number[]) => [number, number];
  /** Pixels for one unit of the scene. */
  scale: number;
  root: THREE.Object3D;
}

/** Dark worlds such as caves are brightened. */
const BRIGHT = 80;
const BRIGHTEST = 12;

/** Draws the scene `which` of a model from above, the front of the world upward (north in EverQuest). */
export function above(model: Model, which: number, edge: number): Above | null {
  const root = model.gltf.scenes[which] ?? model.gltf.scene;
  const front = frontSide(root);
  const scene = new THREE.Scene();
  scene.add(root, ...lightsFor(model.path, root));
  root.traverse((node) => {
    if (isSky(model, node)) node.visible = false;
    if ((node as THREE.Light).isLight) node.visible = false;
  });
  const box = visibleBox(model, root);
  if (box.isEmpty()) return null;
  const size = box.getSize(new THREE.Vector3());
  const middle = box.getCenter(new THREE.Vector3());
  const half = { x: Math.max(size.x, 1e-3) * 0.52, z: Math.max(size.z, 1e-3) * 0.52 };
  const camera = new THREE.OrthographicCamera(-half.x, half.x, half.z, -half.z, 0.1, size.y + 20);
  camera.up.set(0, 0, front);
  camera.position.set(middle.x, box.max.y + 10, middle.z);
  camera.lookAt(middle.x, box.min.y, middle.z);
  const scale = edge / (2 * Math.max(half.x, half.z));
  const width = Math.max(Math.round(half.x * 2 * scale), 16);
  const height = Math.max(Math.round(half.z * 2 * scale), 16);
  const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  renderer.setSize(width, height, false);
  scene.updateMatrixWorld(true);
  renderer.render(scene, camera);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const paper = canvas.getContext('2d', { willReadFrequently: true })!;
  paper.drawImage(renderer.domElement, 0, 0);
  const light = brightness(paper.getImageData(0, 0, width, height).data);
  if (light < BRIGHT) {
    renderer.toneMapping = THREE.LinearToneMapping;
    renderer.toneMappingExposure = Math.min((BRIGHT / Math.max(light, 1)) ** 2, BRIGHTEST);
    renderer.render(scene, camera);
    paper.clearRect(0, 0, width, height);
    paper.drawImage(renderer.domElement, 0, 0);
  }
  renderer.dispose();
  renderer.forceContextLoss();
  return {
    canvas, scale, root,
    project: ([x = 0, , z = 0]) => [width / 2 + (middle.x - x) * front * scale, height / 2 + (middle.z - z) * front * scale],
  };
}

/** Mean of all channels of drawn pixels, from 0 to 255. */
function brightness(pixels: Uint8ClampedArray): number {
  let [sum, count] = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3]! < 128) continue;
    sum += pixels[at]! + pixels[at + 1]! + pixels[at + 2]!;
    count += 3;
  }
  return count === 0 ? 255 : sum / count;
}

export { dispose };
