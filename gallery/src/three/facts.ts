// What the extras of our glTF files say, read with care: a file may be of another version, or damaged.

import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { Object3D } from 'three';

export type Json = any;

/** The extras of one object of the file, those of both families of games together. */
export function facts(extras: Json): Json {
  if (extras === null || typeof extras !== 'object') return {};
  return { ...extras.everquest, ...extras.zipper };
}

/** Whether all light of a scene is in the colors of its vertices: so it is in EverQuest's zones. */
export function isBaked(path: string, root: Object3D): boolean {
  return /(^|\/)worlds\//.test(path) && root.userData.everquest !== undefined;
}

export interface Source {
  readonly gltf: GLTF;
  readonly json: Json;
}

/** Extras of the node that an object was made from. */
export function nodeFacts(source: Source, object: Object3D): Json {
  const place = source.gltf.parser.associations.get(object)?.nodes;
  return place === undefined ? {} : facts(source.json.nodes?.[place]?.extras);
}

/** Extras of the mesh that an object shows. */
export function meshFacts(source: Source, object: Object3D): Json {
  const place = source.gltf.parser.associations.get(object)?.meshes;
  return place === undefined ? {} : facts(source.json.meshes?.[place]?.extras);
}

/** Extras of the part of a mesh that an object shows. */
export function primitiveFacts(source: Source, object: Object3D): Json {
  const place = source.gltf.parser.associations.get(object);
  if (place?.meshes === undefined) return {};
  return facts(source.json.meshes?.[place.meshes]?.primitives?.[(place as Json).primitives ?? 0]?.extras);
}

export function numbers(value: Json, length: number): number[] | null {
  const good = Array.isArray(value) && value.length >= length && value.slice(0, length).every(Number.isFinite);
  return good ? value.slice(0, length) : null;
}
