using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Relicast.Editor
{
    /// <summary>Copies of clips that loop as in the game, hide and show nodes, and raise events for everything else.</summary>
    public static class ClipBuilder
    {
        /// <summary>Makes a clip for the component Animation, which runs several at once, or for an Animator.</summary>
        public static AnimationClip Build(
            AnimationClip from, ClipFile entry, GameObject root, Dictionary<string, Transform> nodes, string folder, bool legacy)
        {
            AnimationClip clip = from == null ? new AnimationClip() : Object.Instantiate(from);
            clip.name = entry.name;
            clip.legacy = legacy;
            clip.wrapMode = entry.loops ? WrapMode.Loop : WrapMode.ClampForever;
            if (!legacy)
            {
                AnimationClipSettings settings = AnimationUtility.GetAnimationClipSettings(clip);
                settings.loopTime = entry.loops;
                AnimationUtility.SetAnimationClipSettings(clip, settings);
            }
            foreach (VisibilityFacts track in entry.visibility)
            {
                Transform node;
                if (nodes.TryGetValue(track.node, out node))
                {
                    Show(clip, AnimationUtility.CalculateTransformPath(node, root.transform), track);
                }
            }
            var events = new List<AnimationEvent>();
            foreach (Mark mark in entry.marks)
            {
                events.Add(new AnimationEvent
                {
                    time = mark.time,
                    functionName = "OnMark",
                    stringParameter = JsonUtility.ToJson(mark),
                    messageOptions = SendMessageOptions.DontRequireReceiver,
                });
            }
            AnimationUtility.SetAnimationEvents(clip, events.ToArray());
            AssetDatabase.CreateAsset(clip, folder + "/" + FileName(entry.name) + ".anim");
            return clip;
        }

        static void Show(AnimationClip clip, string path, VisibilityFacts track)
        {
            var curve = new AnimationCurve();
            for (int key = 0; key < track.times.Length && key < track.shown.Length; key++)
            {
                int at = curve.AddKey(new Keyframe(track.times[key], track.shown[key] ? 1f : 0f));
                if (at >= 0)
                {
                    AnimationUtility.SetKeyLeftTangentMode(curve, at, AnimationUtility.TangentMode.Constant);
                    AnimationUtility.SetKeyRightTangentMode(curve, at, AnimationUtility.TangentMode.Constant);
                }
            }
            var binding = EditorCurveBinding.DiscreteCurve(path, typeof(GameObject), "m_IsActive");
            AnimationUtility.SetEditorCurve(clip, binding, curve);
        }

        /// <summary>Returns a valid file name.</summary>
        public static string FileName(string name)
        {
            foreach (char sign in System.IO.Path.GetInvalidFileNameChars())
            {
                name = name.Replace(sign, '_');
            }
            return name.Replace('/', '_').Replace('\\', '_').Replace(':', '_');
        }
    }
}
