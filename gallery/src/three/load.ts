// Loads a glTF file. Every file that it refers to is resolved below the output folder; paths outside are
// refused.

import { LoadingManager, MeshLambertMaterial, type MeshStandardMaterialParameters } from 'three';
import { GLTFLoader, type GLTFLoaderPlugin, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { Files } from '../files.ts';
import { ending, folder, join } from '../text.ts';
import type { Json, Source } from './facts.ts';

export interface Model extends Source {
  readonly path: string;
  /** Paths of the pictures, by their index in the file. */
  readonly pictures: readonly (string | null)[];
}

const EMPTY_PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==';

export async function loadModel(files: Files, path: string): Promise<Model> {
  const bytes = await files.bytes(path);
  const manager = new LoadingManager();
  manager.setURLModifier((url) => (allowed(url) ? url : EMPTY_PICTURE));
  const loader = new GLTFLoader(manager);
  loader.register(keepAssociations);
  loader.register(plainNames);
  loader.register(matte);
  if (ending(path) === 'glb') {
    const gltf = await loader.parseAsync(bytes, '');
    return { gltf, json: gltf.parser.json, path, pictures: [] };
  }
  const json: Json = JSON.parse(new TextDecoder().decode(bytes));
  const pictures = (json.images ?? []).map((image: Json) => target(path, image.uri));
  await Promise.all([...(json.images ?? []), ...(json.buffers ?? [])].map(async (part: Json) => {
    if (typeof part.uri !== 'string' || part.uri.startsWith('data:')) return;
    part.uri = await address(files, path, part.uri) ?? EMPTY_PICTURE;
  }));
  const gltf = await loader.parseAsync(JSON.stringify(json), '');
  return { gltf, json, path, pictures };
}

/** Stores the file's objects for all scenes; three.js has them only for the last scene. */
function keepAssociations(parser: GLTFParser): GLTFLoaderPlugin {
  const all = parser.associations;
  Object.defineProperty(parser, 'associations', {
    get: () => all,
    set: (some: typeof all) => some.forEach((place, object) => all.set(object, place)),
  });
  return { name: 'relicast_associations' };
}

/** three.js writes names of materials into its shaders; a name from a game must not become code. */
function plainNames(parser: GLTFParser): GLTFLoaderPlugin {
  for (const material of parser.json.materials ?? []) {
    if (material.name !== undefined) material.name = String(material.name).replace(/[^\w .-]/g, '_').slice(0, 80);
  }
  return { name: 'relicast_names' };
}

/** Surfaces without specular light, as in the games: in even light each is as bright as its picture. */
function matte(): GLTFLoaderPlugin {
  return {
    name: 'relicast_matte',
    getMaterialType: () => MeshLambertMaterial,
    extendMaterialParams: async (_, params: MeshStandardMaterialParameters) => {
      delete params.metalness;
      delete params.roughness;
      delete params.metalnessMap;
      delete params.roughnessMap;
    },
  };
}

function allowed(url: string): boolean {
  return url.startsWith('blob:') || url.startsWith('data:') || url.startsWith(`${location.origin}/`);
}

function target(path: string, uri: unknown): string | null {
  if (typeof uri !== 'string' || uri.startsWith('data:')) return null;
  let name = uri;
  try {
    name = decodeURIComponent(uri);
  } catch {
    // Not encoded: the name itself.
  }
  return join(folder(path), name);
}

async function address(files: Files, path: string, uri: string): Promise<string | null> {
  const place = target(path, uri);
  if (place === null) return null;
  const url = await files.address(place).catch(() => null);
  return url === null ? null : new URL(url, document.baseURI).href;
}
