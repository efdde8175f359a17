using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEngine;

namespace Relicast.Editor
{
    /// <summary>Builds prefabs of levels: Assets/Relicast/NAME/NAME.prefab.</summary>
    public static class LevelBuilder
    {
        [MenuItem("Relicast/Build level …")]
        static void BuildOne()
        {
            string folder = Path.GetFullPath(Package.Root + "/Levels");
            string chosen = EditorUtility.OpenFilePanel("Level", folder, "json");
            if (!string.IsNullOrEmpty(chosen))
            {
                Build("Levels" + chosen.Replace('\\', '/').Substring(folder.Replace('\\', '/').Length));
            }
        }

        [MenuItem("Relicast/Build all levels")]
        static void BuildAll()
        {
            string folder = Path.GetFullPath(Package.Root + "/Levels");
            string[] found = Directory.GetFiles(folder, "*.json", SearchOption.AllDirectories);
            Array.Sort(found, StringComparer.Ordinal);
            foreach (string path in found)
            {
                string below = path.Substring(folder.Length).Replace('\\', '/');
                if (below != "/models.json")
                {
                    Build("Levels" + below);
                }
            }
        }

        /// <summary>Builds the prefab of a level from a document of the package.</summary>
        public static GameObject Build(string path)
        {
            LevelFile entry = Package.Read<LevelFile>(path);
            GameObject world = Package.Instantiate(entry.file, entry.scene);
            if (world == null)
            {
                return null;
            }
            string folder = Package.Folder(entry.name);
            var root = new GameObject(entry.name);
            Level level = root.AddComponent<Level>();
            world.name = "World";
            world.transform.SetParent(root.transform, false);
            level.world = world;
            SetEnvironment(level, entry);
            var known = new HashSet<string>(entry.nodes);
            AddComponents(world, entry, known, folder);
            level.hidden = Hide(world, entry).ToArray();
            Missions(level, entry, known, folder);
            Clips(level, entry, folder);
            Sounds(level, entry);
            GameObject sky = string.IsNullOrEmpty(entry.sky) ? null : Package.Instantiate(entry.sky, "");
            if (sky != null)
            {
                sky.name = "Sky";
                sky.transform.SetParent(root.transform, false);
                sky.AddComponent<FollowCamera>();
            }
            level.Show("");
            GameObject prefab = PrefabUtility.SaveAsPrefabAsset(root, folder + "/" + ClipBuilder.FileName(entry.name) + ".prefab");
            UnityEngine.Object.DestroyImmediate(root);
            Debug.Log("relicast: built " + entry.name, prefab);
            return prefab;
        }

        static Color Color(float[] channels)
        {
            return new Color(channels[0], channels[1], channels[2], 1f);
        }

        static void SetEnvironment(Level level, LevelFile entry)
        {
            level.background = Color(entry.air.background);
            level.ambient = new Color(entry.air.ambient, entry.air.ambient, entry.air.ambient, 1f);
            level.fog = entry.air.fog;
            level.fogColor = Color(entry.air.fogColor);
            level.fogStart = entry.air.fogStart;
            level.fogEnd = entry.air.fogEnd;
            var start = new GameObject("Start");
            start.transform.SetParent(level.transform, false);
            start.transform.localPosition = Package.Place(entry.start);
            level.start = start.transform;
        }

        /// <summary>Adds components to the nodes of a world: colliders, areas, levels of detail, skies, surfaces.</summary>
        static void AddComponents(GameObject made, LevelFile entry, HashSet<string> known, string folder)
        {
            Dictionary<string, Transform> nodes = Package.Nodes(made);
            Transform node;
            foreach (SolidFacts solid in entry.solids)
            {
                if (nodes.TryGetValue(solid.node, out node))
                {
                    MakeSolid(node, solid, known, folder);
                }
            }
            foreach (AreaFacts area in entry.areas)
            {
                if (nodes.TryGetValue(area.node, out node))
                {
                    MakeArea(node, area, known);
                }
            }
            foreach (DetailFacts detail in entry.details)
            {
                MakeDetail(nodes, detail);
            }
            foreach (string sky in entry.skies)
            {
                if (nodes.TryGetValue(sky, out node))
                {
                    node.gameObject.AddComponent<FollowCamera>();
                }
            }
            SurfaceBuilder.Move(made, entry.surfaces);
        }

        static void MakeSolid(Transform node, SolidFacts solid, HashSet<string> known, string folder)
        {
            List<SurfaceBuilder.Surface> surfaces = SurfaceBuilder.Of(node, known);
            var wanted = new List<SurfaceBuilder.Surface>();
            for (int number = 0; number < surfaces.Count; number++)
            {
                if (solid.surfaces.Length == 0 || Array.IndexOf(solid.surfaces, number) >= 0)
                {
                    wanted.Add(surfaces[number]);
                }
            }
            if (wanted.Count > 0)
            {
                MeshCollider body = node.gameObject.AddComponent<MeshCollider>();
                body.convex = solid.convex;
                body.sharedMesh = Joined(wanted, surfaces.Count, folder, node.name);
            }
            if (solid.invisible)
            {
                Undraw(node, known);
            }
        }

        /// <summary>Returns one mesh of some surfaces: the importer's mesh, if it has no others.</summary>
        static Mesh Joined(List<SurfaceBuilder.Surface> wanted, int all, string folder, string name)
        {
            if (wanted.Count == all && wanted[0].mesh.subMeshCount == all)
            {
                return wanted[0].mesh;
            }
            var parts = new CombineInstance[wanted.Count];
            for (int number = 0; number < parts.Length; number++)
            {
                parts[number] = new CombineInstance { mesh = wanted[number].mesh, subMeshIndex = wanted[number].part };
            }
            var mesh = new Mesh { name = name + " solid", indexFormat = UnityEngine.Rendering.IndexFormat.UInt32 };
            mesh.CombineMeshes(parts, true, false);
            string path = AssetDatabase.GenerateUniqueAssetPath(folder + "/" + ClipBuilder.FileName(mesh.name) + ".asset");
            AssetDatabase.CreateAsset(mesh, path);
            return mesh;
        }

        static void Undraw(Transform node, HashSet<string> known)
        {
            foreach (Renderer shown in node.GetComponents<Renderer>())
            {
                shown.enabled = false;
            }
            foreach (Transform child in node)
            {
                if (!known.Contains(child.name))
                {
                    Undraw(child, known);
                }
            }
        }

        static void MakeArea(Transform node, AreaFacts entry, HashSet<string> known)
        {
            Area area = node.gameObject.AddComponent<Area>();
            area.kind = entry.kind;
            area.facts = entry.facts;
            if (entry.size[0] > 0f || entry.size[1] > 0f || entry.size[2] > 0f)
            {
                BoxCollider box = node.gameObject.AddComponent<BoxCollider>();
                box.center = Package.Place(entry.center);
                box.size = new Vector3(entry.size[0], entry.size[1], entry.size[2]);
                box.isTrigger = true;
                return;
            }
            MeshFilter filter = node.GetComponent<MeshFilter>();
            MeshCollider shape = node.gameObject.AddComponent<MeshCollider>();
            shape.sharedMesh = filter == null ? null : filter.sharedMesh;
            shape.convex = true;
            shape.isTrigger = true;
            Undraw(node, known);
        }

        static void MakeDetail(Dictionary<string, Transform> nodes, DetailFacts entry)
        {
            var levels = new List<LOD>();
            Transform holder = null;
            float size = 0f;
            var shown = new List<Renderer[]>();
            foreach (string name in entry.nodes)
            {
                Transform node;
                nodes.TryGetValue(name, out node);
                Renderer[] renderers = node == null ? new Renderer[0] : node.GetComponentsInChildren<Renderer>(true);
                shown.Add(renderers);
                foreach (Renderer one in renderers)
                {
                    size = Mathf.Max(size, one.bounds.size.x, Mathf.Max(one.bounds.size.y, one.bounds.size.z));
                }
                holder = holder == null && node != null ? node : holder;
            }
            if (holder == null || holder.parent == null || size <= 0f)
            {
                return;
            }
            for (int number = 0; number < shown.Count; number++)
            {
                // Screen height at that distance, in a view of 60 degrees.
                float far = entry.far[number];
                float share = far > 0f ? size / (2f * far * Mathf.Tan(Mathf.PI / 6f)) : 0f;
                share = Mathf.Min(share, 0.999f - 0.001f * number);
                levels.Add(new LOD(share, shown[number]));
            }
            var group = new GameObject(entry.nodes[0] + " details").AddComponent<LODGroup>();
            group.transform.SetParent(holder.parent, false);
            group.transform.localPosition = holder.localPosition;
            group.SetLODs(levels.ToArray());
            group.RecalculateBounds();
        }

        static List<GameObject> Hide(GameObject made, LevelFile entry)
        {
            var hidden = new List<GameObject>();
            Dictionary<string, Transform> nodes = Package.Nodes(made);
            foreach (string name in entry.hidden)
            {
                Transform node;
                if (nodes.TryGetValue(name, out node))
                {
                    node.gameObject.SetActive(false);
                    hidden.Add(node.gameObject);
                }
            }
            return hidden;
        }

        static void Missions(Level level, LevelFile entry, HashSet<string> known, string folder)
        {
            var missions = new List<MissionParts>();
            var states = new Dictionary<string, GameObject>();
            foreach (MissionFacts mission in entry.missions)
            {
                var parts = new MissionParts { name = mission.name };
                // Missions with the same start share their state.
                if (mission.scene != "" && !states.TryGetValue(mission.scene, out parts.state))
                {
                    parts.state = Package.Instantiate(entry.file, mission.scene);
                    states[mission.scene] = parts.state;
                    if (parts.state != null)
                    {
                        parts.state.name = mission.scene;
                        parts.state.transform.SetParent(level.transform, false);
                        AddComponents(parts.state, entry, known, folder);
                        Hide(parts.state, entry);
                    }
                }
                if (mission.file != "")
                {
                    parts.placed = Package.Instantiate(mission.file, "");
                    if (parts.placed != null)
                    {
                        parts.placed.name = "Placed " + mission.name;
                        parts.placed.transform.SetParent(level.transform, false);
                    }
                }
                missions.Add(parts);
            }
            level.missions = missions.ToArray();
        }

        static void Clips(Level level, LevelFile entry, string folder)
        {
            foreach (Animator animator in level.world.GetComponents<Animator>())
            {
                UnityEngine.Object.DestroyImmediate(animator);
            }
            foreach (Animation old in level.world.GetComponents<Animation>())
            {
                UnityEngine.Object.DestroyImmediate(old);
            }
            if (entry.clips.Length == 0)
            {
                return;
            }
            Animation player = level.world.AddComponent<Animation>();
            player.playAutomatically = false;
            level.world.AddComponent<LevelClips>().level = level;
            Dictionary<string, AnimationClip> clips = Package.Clips(entry.file);
            Dictionary<string, Transform> nodes = Package.Nodes(level.world);
            foreach (ClipFile clip in entry.clips)
            {
                AnimationClip from;
                clips.TryGetValue(clip.name, out from);
                player.AddClip(ClipBuilder.Build(from, clip, level.world, nodes, folder, true), clip.name);
            }
            level.clips = Array.ConvertAll(entry.clips, clip => new ClipFacts
            {
                name = clip.name,
                activation = clip.activation,
                root = clip.root,
                starts = clip.starts,
            });
        }

        static void Sounds(Level level, LevelFile entry)
        {
            level.sounds = Array.ConvertAll(entry.sounds, sound => new NamedSound
            {
                name = sound.name,
                clip = Package.Load<AudioClip>(sound.file),
            });
            if (entry.emitters.Length == 0)
            {
                return;
            }
            var holder = new GameObject("Sounds");
            holder.transform.SetParent(level.transform, false);
            foreach (EmitterFacts emitter in entry.emitters)
            {
                var thing = new GameObject(Path.GetFileNameWithoutExtension(emitter.file));
                thing.transform.SetParent(holder.transform, false);
                thing.transform.localPosition = Package.Place(emitter.place);
                AudioSource source = thing.AddComponent<AudioSource>();
                source.clip = Package.Load<AudioClip>(emitter.file);
                source.playOnAwake = false;
                source.spatialBlend = emitter.flat ? 0f : 1f;
                source.rolloffMode = AudioRolloffMode.Linear;
                source.minDistance = Mathf.Max(emitter.full, 0.1f);
                source.maxDistance = Mathf.Max(emitter.radius, source.minDistance);
                Emitter runs = thing.AddComponent<Emitter>();
                runs.flat = emitter.flat;
                runs.radius = emitter.radius;
                runs.pause = emitter.pause;
                runs.chance = emitter.chance;
                runs.scatter = emitter.scatter;
            }
        }
    }
}
