// Extras of our glTF files, with checks: a file may be of another version, or damaged.

import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { Object3D } from 'three';
import type * as extras from './extras.ts';

export type Json = any;

export type SceneFacts = extras.ZipperScene & extras.EverquestScene;
export type NodeFacts = extras.ZipperNode & extras.EverquestNode;
export type MeshFacts = extras.ZipperMesh & extras.EverquestMesh;
export type PrimitiveFacts = extras.ZipperPrimitive & extras.EverquestPrimitive;
export type ClipFacts = extras.ZipperClip & extras.EverquestClip;

/** Extras of an object of the file, of either family of games. */
export function facts<Facts extends object>(extras: Json): Partial<Facts> {
  if (extras === null || typeof extras !== 'object') return {};
  return { ...extras.everquest, ...extras.zipper };
}

/** True if all light of a scene is in its vertex colors, as in EverQuest's zones. */
export function isBaked(path: string, root: Object3D): boolean {
  return /(^|\/)worlds\//.test(path) && root.userData.everquest !== undefined;
}

export interface Source {
  readonly gltf: GLTF;
  readonly json: Json;
}

/** Extras of the node of an object. */
export function nodeFacts(source: Source, object: Object3D): NodeFacts {
  const place = source.gltf.parser.associations.get(object)?.nodes;
  return place === undefined ? {} : facts<NodeFacts>(source.json.nodes?.[place]?.extras);
}

/** Extras of the mesh of an object. */
export function meshFacts(source: Source, object: Object3D): MeshFacts {
  const place = source.gltf.parser.associations.get(object)?.meshes;
  return place === undefined ? {} : facts<MeshFacts>(source.json.meshes?.[place]?.extras);
}

/** Extras of the primitive of an object. */
export function primitiveFacts(source: Source, object: Object3D): PrimitiveFacts {
  const place = source.gltf.parser.associations.get(object);
  if (place?.meshes === undefined) return {};
  return facts<PrimitiveFacts>(source.json.meshes?.[place.meshes]?.primitives?.[(place as Json).primitives ?? 0]?.extras);
}

export function numbers(value: Json, length: number): number[] | null {
  const good = Array.isArray(value) && value.length >= length && value.slice(0, length).every(Number.isFinite);
  return good ? value.slice(0, length) : null;
}
