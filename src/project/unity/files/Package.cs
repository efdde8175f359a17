using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEngine;

namespace Relicast.Editor
{
    /// <summary>The generated package, and its assets.</summary>
    public static class Package
    {
        static string root;

        /// <summary>Asset path of the package: Packages/com.relicast.NAME.</summary>
        public static string Root
        {
            get
            {
                if (root == null)
                {
                    var package = UnityEditor.PackageManager.PackageInfo.FindForAssembly(typeof(Package).Assembly);
                    root = package == null ? "Packages/com.relicast" : package.assetPath;
                }
                return root;
            }
        }

        /// <summary>An asset of the package.</summary>
        public static T Load<T>(string path) where T : Object
        {
            return string.IsNullOrEmpty(path) ? null : AssetDatabase.LoadAssetAtPath<T>(Root + "/" + path);
        }

        /// <summary>A document of the package.</summary>
        public static T Read<T>(string path)
        {
            return JsonUtility.FromJson<T>(File.ReadAllText(Path.GetFullPath(Root + "/" + path)));
        }

        /// <summary>Instantiates a scene of a glTF file in the open scene. Importers make a prefab for each.</summary>
        public static GameObject Instantiate(string path, string scene)
        {
            GameObject found = null;
            foreach (Object part in AssetDatabase.LoadAllAssetsAtPath(Root + "/" + path))
            {
                GameObject prefab = part as GameObject;
                if (prefab != null && prefab.transform.parent == null && (found == null || prefab.name == scene))
                {
                    found = prefab;
                }
            }
            if (found == null)
            {
                Debug.LogWarning("relicast: " + path + " was not imported; is glTFast installed?");
                return null;
            }
            GameObject made = (GameObject)PrefabUtility.InstantiatePrefab(found);
            PrefabUtility.UnpackPrefabInstance(made, PrefabUnpackMode.Completely, InteractionMode.AutomatedAction);
            return made;
        }

        /// <summary>All clips of a glTF file by name.</summary>
        public static Dictionary<string, AnimationClip> Clips(string path)
        {
            var clips = new Dictionary<string, AnimationClip>();
            foreach (Object part in AssetDatabase.LoadAllAssetsAtPath(Root + "/" + path))
            {
                AnimationClip clip = part as AnimationClip;
                if (clip != null)
                {
                    clips[clip.name] = clip;
                }
            }
            return clips;
        }

        /// <summary>The folder of built prefabs, created if missing.</summary>
        public static string Folder(string below)
        {
            string folder = "Assets";
            foreach (string part in ("Relicast/" + below).Split('/'))
            {
                if (part.Length > 0 && !AssetDatabase.IsValidFolder(folder + "/" + part))
                {
                    AssetDatabase.CreateFolder(folder, part);
                }
                folder = part.Length > 0 ? folder + "/" + part : folder;
            }
            return folder;
        }

        /// <summary>Nodes by name, below an instance of a glTF file.</summary>
        public static Dictionary<string, Transform> Nodes(GameObject made)
        {
            var nodes = new Dictionary<string, Transform>();
            foreach (Transform node in made.GetComponentsInChildren<Transform>(true))
            {
                if (!nodes.ContainsKey(node.name))
                {
                    nodes[node.name] = node;
                }
            }
            return nodes;
        }

        /// <summary>Converts a position of a glTF file as Unity's importers do: x is mirrored.</summary>
        public static Vector3 Place(float[] place)
        {
            return place == null || place.Length < 3 ? Vector3.zero : new Vector3(-place[0], place[1], place[2]);
        }
    }
}
