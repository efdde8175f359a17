// What the extras of our glTF files say, read with care: a file may be of another version, or damaged.

import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { Object3D } from 'three';
import type * as extras from './extras.ts';

export type Json = any;

export type SceneFacts = extras.ZipperScene & extras.EverquestScene;
export type NodeFacts = extras.ZipperNode & extras.EverquestNode;
export type MeshFacts = extras.ZipperMesh & extras.EverquestMesh;
export type PrimitiveFacts = extras.ZipperPrimitive & extras.EverquestPrimitive;
export type ClipFacts = extras.ZipperClip & extras.EverquestClip;

/** The extras of one object of the file, those of both families of games together. */
export function facts<Facts extends object>(extras: Json): Partial<Facts> {
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
export function nodeFacts(source: Source, object: Object3D): NodeFacts {
  const place = source.gltf.parser.associations.get(object)?.nodes;
  return place === undefined ? {} : facts<NodeFacts>(source.json.nodes?.[place]?.extras);
}

/** Extras of the mesh that an object shows. */
export function meshFacts(source: Source, object: Object3D): MeshFacts {
  const place = source.gltf.parser.associations.get(object)?.meshes;
  return place === undefined ? {} : facts<MeshFacts>(source.json.meshes?.[place]?.extras);
}

/** Extras of the part of a mesh that an object shows. */
export function primitiveFacts(source: Source, object: Object3D): PrimitiveFacts {
  const place = source.gltf.parser.associations.get(object);
  if (place?.meshes === undefined) return {};
  return facts<PrimitiveFacts>(source.json.meshes?.[place.meshes]?.primitives?.[(place as Json).primitives ?? 0]?.extras);
}

export function numbers(value: Json, length: number): number[] | null {
  const good = Array.isArray(value) && value.length >= length && value.slice(0, length).every(Number.isFinite);
  return good ? value.slice(0, length) : null;
}
