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
        public static GameObject Build(ModelFacts told)
        {
            GameObject made = Package.Instantiate(told.file, told.scene);
            if (made == null)
            {
                return null;
            }
            made.name = told.name;
            string below = told.file.Substring(0, told.file.Length - Path.GetExtension(told.file).Length);
            string folder = Package.Folder(below);
            SurfaceBuilder.Move(made, told.surfaces);
            if (told.clips.Length > 0)
            {
                Clips(made, told, folder);
            }
            GameObject prefab = PrefabUtility.SaveAsPrefabAsset(made, folder + "/" + ClipBuilder.FileName(told.name) + ".prefab");
            Object.DestroyImmediate(made);
            return prefab;
        }

        static void Clips(GameObject made, ModelFacts told, string folder)
        {
            string path = folder + "/" + ClipBuilder.FileName(told.name) + ".controller";
            AnimatorController controller = AnimatorController.CreateAnimatorControllerAtPath(path);
            AnimatorStateMachine states = controller.layers[0].stateMachine;
            Dictionary<string, AnimationClip> clips = Package.Clips(told.file);
            Dictionary<string, Transform> nodes = Package.Nodes(made);
            foreach (ClipFile clip in told.clips)
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
