// Skins and other variants of a model (KHR_materials_variants).

import type { Material, Mesh, Object3D } from 'three';
import type { Json } from './facts.ts';
import type { Model } from './load.ts';

export class Variants {
  readonly names: readonly string[];
  private readonly first = new Map<Mesh, Material>();

  constructor(private readonly model: Model) {
    const own: Json = model.json.extensions?.KHR_materials_variants?.variants ?? [];
    this.names = own.map((variant: Json, index: number) => String(variant.name ?? `variant ${index + 1}`));
  }

  /** Applies a variant, or the materials of the file if `which` is null. */
  async apply(root: Object3D, which: number | null): Promise<void> {
    const meshes: Mesh[] = [];
    root.traverse((node) => { if ((node as Mesh).isMesh) meshes.push(node as Mesh); });
    await Promise.all(meshes.map(async (mesh) => {
      if (!this.first.has(mesh)) this.first.set(mesh, mesh.material as Material);
      const place: Json = this.model.gltf.parser.associations.get(mesh);
      const primitive = this.model.json.meshes?.[place?.meshes]?.primitives?.[place?.primitives ?? 0];
      const mappings: Json[] = primitive?.extensions?.KHR_materials_variants?.mappings ?? [];
      const mapping = which === null ? undefined : mappings.find((own) => own.variants?.includes(which));
      if (!mapping) {
        mesh.material = this.first.get(mesh)!;
        return;
      }
      mesh.material = await this.model.gltf.parser.getDependency('material', mapping.material);
      this.model.gltf.parser.assignFinalMaterial(mesh);
    }));
  }
}
