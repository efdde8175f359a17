using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEditor.Animations;
using UnityEngine;

namespace Relicast.Editor
{
    /// <summary>Builds prefabs of models: Assets/Relicast/models/NAME/NAME.prefab, with an Animator of their clips.</summary>
    public static class ModelBuilder
    {
        static readonly string[] AtRest = { "stand", "idle", "passive" };

        [MenuItem("Relicast/Build all models")]
        static void BuildAll()
        {
            if (!File.Exists(Path.GetFullPath(Package.Root + "/Levels/models.json")))
            {
                return;
            }
            foreach (ModelFacts model in Package.Read<ModelsFile>("Levels/models.json").models)
            {
                Build(model);
            }
        }

        /// <summary>Builds the prefab of a model.</summary>
        public static GameObject Build(ModelFacts entry)
        {
            GameObject made = Package.Instantiate(entry.file, entry.scene);
            if (made == null)
            {
                return null;
            }
            made.name = entry.name;
            string below = entry.file.Substring(0, entry.file.Length - Path.GetExtension(entry.file).Length);
            string folder = Package.Folder(below);
            SurfaceBuilder.Move(made, entry.surfaces);
            if (entry.clips.Length > 0)
            {
                Clips(made, entry, folder);
            }
            GameObject prefab = PrefabUtility.SaveAsPrefabAsset(made, folder + "/" + ClipBuilder.FileName(entry.name) + ".prefab");
            Object.DestroyImmediate(made);
            return prefab;
        }

        static void Clips(GameObject made, ModelFacts entry, string folder)
        {
            string path = folder + "/" + ClipBuilder.FileName(entry.name) + ".controller";
            AnimatorController controller = AnimatorController.CreateAnimatorControllerAtPath(path);
            AnimatorStateMachine states = controller.layers[0].stateMachine;
            Dictionary<string, AnimationClip> clips = Package.Clips(entry.file);
            Dictionary<string, Transform> nodes = Package.Nodes(made);
            foreach (ClipFile clip in entry.clips)
            {
                AnimationClip from;
                if (!clips.TryGetValue(clip.name, out from))
                {
                    continue;
                }
                AnimatorState state = states.AddState(clip.name);
                state.motion = ClipBuilder.Build(from, clip, made, nodes, folder, false);
                foreach (string word in AtRest)
                {
                    if (clip.name.ToLowerInvariant().Contains(word))
                    {
                        states.defaultState = state;
                    }
                }
            }
            Animator animator = made.GetComponent<Animator>();
            if (animator == null)
            {
                animator = made.AddComponent<Animator>();
            }
            animator.runtimeAnimatorController = controller;
        }
    }
}
