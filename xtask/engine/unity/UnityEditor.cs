// The part of UnityEditor that the scripts of a package use, by its documented names and types.

using System;
using System.Reflection;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class MenuItem : Attribute { public MenuItem(string itemName) { } }

    public static class AssetDatabase
    {
        public static T LoadAssetAtPath<T>(string assetPath) where T : Object { return null; }
        public static Object[] LoadAllAssetsAtPath(string assetPath) { return new Object[0]; }
        public static bool IsValidFolder(string path) { return false; }
        public static string CreateFolder(string parentFolder, string newFolderName) { return null; }
        public static void CreateAsset(Object asset, string path) { }
        public static string GenerateUniqueAssetPath(string path) { return path; }
    }

    public static class EditorUtility
    {
        public static string OpenFilePanel(string title, string directory, string extension) { return null; }
    }

    public enum PrefabUnpackMode { OutermostRoot, Completely }
    public enum InteractionMode { AutomatedAction, UserAction }

    public static class PrefabUtility
    {
        public static Object InstantiatePrefab(Object prefab) { return null; }
        public static void UnpackPrefabInstance(GameObject instance, PrefabUnpackMode mode, InteractionMode action) { }
        public static GameObject SaveAsPrefabAsset(GameObject root, string assetPath) { return null; }
    }

    public class AssetImporter : Object { public bool importSettingsMissing { get { return false; } } }

    public class AssetPostprocessor
    {
        public string assetPath { get; set; }
        public AssetImporter assetImporter { get { return null; } }
    }

    public enum TextureImporterNPOTScale { None, ToNearest }
    public enum TextureImporterCompression { Uncompressed, Compressed }

    public sealed class TextureImporter : AssetImporter
    {
        public TextureWrapMode wrapMode { get; set; }
        public FilterMode filterMode { get; set; }
        public bool mipmapEnabled { get; set; }
        public TextureImporterNPOTScale npotScale { get; set; }
        public bool alphaIsTransparency { get; set; }
        public TextureImporterCompression textureCompression { get; set; }
    }

    public sealed class AnimationClipSettings { public bool loopTime { get; set; } }

    public struct EditorCurveBinding
    {
        public static EditorCurveBinding DiscreteCurve(string path, Type type, string property)
        {
            return new EditorCurveBinding();
        }
    }

    public static class AnimationUtility
    {
        public enum TangentMode { Free, Auto, Linear, Constant }
        public static AnimationClipSettings GetAnimationClipSettings(AnimationClip clip) { return null; }
        public static void SetAnimationClipSettings(AnimationClip clip, AnimationClipSettings settings) { }
        public static void SetAnimationEvents(AnimationClip clip, AnimationEvent[] events) { }
        public static void SetEditorCurve(AnimationClip clip, EditorCurveBinding binding, AnimationCurve curve) { }
        public static void SetKeyLeftTangentMode(AnimationCurve curve, int index, TangentMode mode) { }
        public static void SetKeyRightTangentMode(AnimationCurve curve, int index, TangentMode mode) { }
        public static string CalculateTransformPath(Transform target, Transform root) { return null; }
    }
}

namespace UnityEditor.PackageManager
{
    public sealed class PackageInfo
    {
        public string assetPath { get { return null; } }
        public static PackageInfo FindForAssembly(Assembly assembly) { return null; }
    }
}

namespace UnityEditor.Animations
{
    public sealed class AnimatorController : RuntimeAnimatorController
    {
        public AnimatorControllerLayer[] layers { get; set; }
        public static AnimatorController CreateAnimatorControllerAtPath(string path) { return null; }
    }

    public sealed class AnimatorControllerLayer
    {
        public AnimatorStateMachine stateMachine { get; set; }
    }

    public sealed class AnimatorStateMachine : Object
    {
        public AnimatorState defaultState { get; set; }
        public AnimatorState AddState(string name) { return null; }
    }

    public sealed class AnimatorState : Object
    {
        public Motion motion { get; set; }
    }
}
