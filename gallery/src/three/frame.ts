// Position of a camera so that a model fills the picture.

import * as THREE from 'three';
import { facts, meshFacts, nodeFacts, type SceneFacts, type Source } from './facts.ts';

/** Direction that models face: in the front view, the camera is on this side of Z. */
export function frontSide(scene: THREE.Object3D): 1 | -1 {
  const own = facts<SceneFacts>(scene.userData);
  return own.forward === '-Z' && !own.faceForward ? -1 : 1;
}

/** True for a sky, which follows the camera and does not count for the bounds. */
export function isSky(source: Source, object: THREE.Object3D): boolean {
  const own = nodeFacts(source, object);
  return own.sky !== undefined && own.sky !== false;
}

/** Hides initially hidden objects in files with other objects; a file with hidden objects alone is shown. */
export function hideHidden(source: Source, root: THREE.Object3D): void {
  const hidden: THREE.Object3D[] = [];
  let isShown = false;
  const visit = (node: THREE.Object3D) => {
    if (nodeFacts(source, node).hidden === true) {
      hidden.push(node);
      return;
    }
    isShown ||= (node as THREE.Mesh).geometry !== undefined && node.visible;
    node.children.forEach(visit);
  };
  visit(root);
  if (isShown) hidden.forEach((node) => { node.visible = false; });
}

/** Bounds of visible objects; `Box3.setFromObject` would include hidden ones and the sky. */
export function visibleBox(source: Source | null, root: THREE.Object3D): THREE.Box3 {
  const box = new THREE.Box3();
  const visit = (node: THREE.Object3D) => {
    if (!node.visible || (source && isSky(source, node))) return;
    const drawn = node as THREE.Mesh;
    if (drawn.geometry && !node.userData.helper) {
      const skinned = node as THREE.SkinnedMesh;
      let bounds: THREE.Box3 | null;
      if (skinned.isSkinnedMesh) {
        skinned.computeBoundingBox();
        bounds = skinned.boundingBox;
      } else {
        if (!drawn.geometry.boundingBox) drawn.geometry.computeBoundingBox();
        bounds = drawn.geometry.boundingBox;
      }
      if (bounds && !bounds.isEmpty()) box.union(bounds.clone().applyMatrix4(node.matrixWorld));
    }
    node.children.forEach(visit);
  };
  root.updateMatrixWorld(true);
  visit(root);
  return box;
}

/** Moves a camera as near as possible with all corners of the box in view. */
export function frame(camera: THREE.PerspectiveCamera, box: THREE.Box3, direction: THREE.Vector3): THREE.Vector3 {
  const middle = box.getCenter(new THREE.Vector3());
  const forward = direction.clone().normalize();
  const up = Math.abs(forward.y) > 0.99 ? new THREE.Vector3(0, 0, -1) : new THREE.Vector3(0, 1, 0);
  const right = new THREE.Vector3().crossVectors(up, forward).normalize();
  const above = new THREE.Vector3().crossVectors(forward, right);
  const slope = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)) / 1.08;
  const corner = new THREE.Vector3();
  let distance = 0;
  let depth = 0;
  for (let index = 0; index < 8; index += 1) {
    corner.set(
      index & 1 ? box.max.x : box.min.x,
      index & 2 ? box.max.y : box.min.y,
      index & 4 ? box.max.z : box.min.z,
    ).sub(middle);
    const across = Math.max(Math.abs(corner.dot(right)) / camera.aspect, Math.abs(corner.dot(above)));
    distance = Math.max(distance, corner.dot(forward) + across / slope);
    depth = Math.max(depth, corner.length());
  }
  distance = Math.max(distance, 1e-4);
  camera.position.copy(middle).addScaledVector(forward, distance);
  camera.near = Math.max(Math.min(distance, depth) * 2e-3, 1e-5);
  camera.far = distance + depth * 20 + camera.near;
  camera.up.set(0, 1, 0);
  camera.lookAt(middle);
  camera.updateProjectionMatrix();
  return middle;
}

/** Number of visible triangles of a scene. */
export function triangles(root: THREE.Object3D): number {
  let found = 0;
  root.traverseVisible((node) => {
    const mesh = node as THREE.Mesh;
    if (!mesh.isMesh || node.userData.helper) return;
    const points = mesh.geometry.index ?? mesh.geometry.attributes.position;
    found += Math.floor((points?.count ?? 0) / 3);
  });
  return found;
}

/** Axes about which a mesh turns to the camera, if it does. */
export function facade(source: Source, object: THREE.Object3D): string | null {
  const mode = meshFacts(source, object).facade?.mode;
  if (typeof mode === 'string') return mode;
  return nodeFacts(source, object).facesCamera === true ? 'spherical' : null;
}
