using System;
using System.Collections.Generic;
using UnityEngine;

namespace Relicast.Editor
{
    /// <summary>Moving, changing or additive surfaces; the surfaces of a node, one for each primitive of its mesh.</summary>
    public static class SurfaceBuilder
    {
        /// <summary>A surface: the submesh of one primitive.</summary>
        public struct Surface
        {
            public Mesh mesh;
            public int part;
        }

        /// <summary>
        /// Returns the surfaces of a node in the order of its primitives. Importers make one mesh with submeshes, or
        /// objects below the node that are not nodes of the file.
        /// </summary>
        public static List<Surface> Of(Transform node, HashSet<string> known)
        {
            var found = new List<Surface>();
            Add(node, found);
            foreach (Transform child in node)
            {
                if (!known.Contains(child.name))
                {
                    Add(child, found);
                }
            }
            return found;
        }

        static void Add(Transform thing, List<Surface> found)
        {
            MeshFilter filter = thing.GetComponent<MeshFilter>();
            for (int part = 0; filter != null && filter.sharedMesh != null && part < filter.sharedMesh.subMeshCount; part++)
            {
                found.Add(new Surface { mesh = filter.sharedMesh, part = part });
            }
        }

        /// <summary>Adds the motion of surfaces to the renderers below an object.</summary>
        public static void Move(GameObject made, SurfaceFacts[] surfaces)
        {
            foreach (Renderer shown in made.GetComponentsInChildren<Renderer>(true))
            {
                Material[] materials = shown.sharedMaterials;
                for (int slot = 0; slot < materials.Length; slot++)
                {
                    Material material = materials[slot];
                    SurfaceFacts entry = material == null ? null : Array.Find(surfaces, other => other.material == material.name);
                    if (entry == null || (entry.rate <= 0f && entry.scroll[0] == 0f && entry.scroll[1] == 0f))
                    {
                        continue;
                    }
                    SurfaceMotion motion = shown.gameObject.AddComponent<SurfaceMotion>();
                    motion.slot = slot;
                    motion.scroll = new Vector2(entry.scroll[0], entry.scroll[1]);
                    motion.rate = entry.rate;
                    motion.pictures = Array.ConvertAll(entry.pictures, path => Package.Load<Texture2D>(path));
                }
            }
        }
    }
}
