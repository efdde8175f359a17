// The part of UnityEngine that the scripts of a package use, by its documented names and types, without an implementation:
// the C# compiler only resolves the calls.

using System;
using System.Collections;

namespace UnityEngine
{
    public class Object
    {
        public string name { get; set; }
        public static T Instantiate<T>(T original) where T : Object { throw new NotImplementedException(); }
        public static void DestroyImmediate(Object thing) { }
        public static bool operator ==(Object first, Object second) { return ReferenceEquals(first, second); }
        public static bool operator !=(Object first, Object second) { return !ReferenceEquals(first, second); }
        public override bool Equals(object other) { return ReferenceEquals(this, other); }
        public override int GetHashCode() { return 0; }
    }

    public class Component : Object
    {
        public Transform transform { get { return null; } }
        public GameObject gameObject { get { return null; } }
        public T GetComponent<T>() { return default(T); }
        public T[] GetComponents<T>() { return new T[0]; }
        public T[] GetComponentsInChildren<T>(bool includeInactive) { return new T[0]; }
    }

    public class Behaviour : Component
    {
        public bool enabled { get; set; }
    }

    public class MonoBehaviour : Behaviour
    {
        public Coroutine StartCoroutine(IEnumerator routine) { return null; }
    }

    public class Coroutine { }
    public class YieldInstruction { }
    public sealed class WaitForSeconds : YieldInstruction { public WaitForSeconds(float seconds) { } }

    public sealed class GameObject : Object
    {
        public GameObject() { }
        public GameObject(string name) { }
        public Transform transform { get { return null; } }
        public T AddComponent<T>() where T : Component { return null; }
        public T GetComponent<T>() { return default(T); }
        public T[] GetComponents<T>() { return new T[0]; }
        public T[] GetComponentsInChildren<T>(bool includeInactive) { return new T[0]; }
        public void SetActive(bool value) { }
    }

    public class Transform : Component, IEnumerable
    {
        public Transform parent { get; set; }
        public Vector3 position { get; set; }
        public Vector3 localPosition { get; set; }
        public void SetParent(Transform parent, bool worldPositionStays) { }
        public IEnumerator GetEnumerator() { return null; }
    }

    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
        public static Vector2 zero { get { return new Vector2(); } }
        public static Vector2 operator *(Vector2 vector, float factor) { return vector; }
        public static bool operator ==(Vector2 first, Vector2 second) { return true; }
        public static bool operator !=(Vector2 first, Vector2 second) { return false; }
        public override bool Equals(object other) { return false; }
        public override int GetHashCode() { return 0; }
    }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 zero { get { return new Vector3(); } }
        public static float Distance(Vector3 first, Vector3 second) { return 0f; }
    }

    public struct Bounds { public Vector3 size { get; set; } }

    public struct Color
    {
        public float r, g, b, a;
        public Color(float r, float g, float b, float a) { this.r = r; this.g = g; this.b = b; this.a = a; }
        public static Color black { get { return new Color(); } }
        public static Color white { get { return new Color(); } }
    }

    public static class Mathf
    {
        public const float PI = 3.14159274f;
        public static float Max(float first, float second) { return first; }
        public static float Max(params float[] values) { return 0f; }
        public static float Min(float first, float second) { return first; }
        public static float Tan(float angle) { return 0f; }
    }

    public static class Random { public static float value { get { return 0f; } } }
    public static class Time { public static float time { get { return 0f; } } }

    public static class Debug
    {
        public static void Log(object message) { }
        public static void Log(object message, Object context) { }
        public static void LogWarning(object message) { }
    }

    public static class JsonUtility
    {
        public static T FromJson<T>(string json) { return default(T); }
        public static string ToJson(object thing) { return null; }
    }

    public sealed class Camera : Behaviour
    {
        public static Camera main { get { return null; } }
        public CameraClearFlags clearFlags { get; set; }
        public Color backgroundColor { get; set; }
    }

    public enum CameraClearFlags { Skybox = 1, SolidColor = 2 }
    public enum FogMode { Linear = 1, Exponential = 2 }

    public sealed class RenderSettings : Object
    {
        public static Rendering.AmbientMode ambientMode { get; set; }
        public static Color ambientLight { get; set; }
        public static bool fog { get; set; }
        public static FogMode fogMode { get; set; }
        public static Color fogColor { get; set; }
        public static float fogStartDistance { get; set; }
        public static float fogEndDistance { get; set; }
    }

    public class Renderer : Component
    {
        public bool enabled { get; set; }
        public Bounds bounds { get { return new Bounds(); } }
        public Material[] materials { get; set; }
        public Material[] sharedMaterials { get; set; }
    }

    public class Material : Object
    {
        public Texture mainTexture { get; set; }
        public Vector2 mainTextureOffset { get; set; }
    }

    public class Texture : Object { }
    public class Texture2D : Texture { }
    public enum TextureWrapMode { Repeat, Clamp }
    public enum FilterMode { Point, Bilinear, Trilinear }

    public sealed class Mesh : Object
    {
        public int subMeshCount { get; set; }
        public Rendering.IndexFormat indexFormat { get; set; }
        public void CombineMeshes(CombineInstance[] combine, bool mergeSubMeshes, bool useMatrices) { }
    }

    public struct CombineInstance
    {
        public Mesh mesh { get; set; }
        public int subMeshIndex { get; set; }
    }

    public sealed class MeshFilter : Component { public Mesh sharedMesh { get; set; } }
    public class Collider : Component { public bool isTrigger { get; set; } }

    public sealed class MeshCollider : Collider
    {
        public Mesh sharedMesh { get; set; }
        public bool convex { get; set; }
    }

    public sealed class BoxCollider : Collider
    {
        public Vector3 center { get; set; }
        public Vector3 size { get; set; }
    }

    public struct LOD { public LOD(float screenRelativeTransitionHeight, Renderer[] renderers) { } }

    public sealed class LODGroup : Component
    {
        public void SetLODs(LOD[] lods) { }
        public void RecalculateBounds() { }
    }

    public sealed class AudioClip : Object { public float length { get { return 0f; } } }
    public enum AudioRolloffMode { Logarithmic, Linear, Custom }

    public sealed class AudioSource : Behaviour
    {
        public AudioClip clip { get; set; }
        public bool isPlaying { get { return false; } }
        public bool playOnAwake { get; set; }
        public float spatialBlend { get; set; }
        public AudioRolloffMode rolloffMode { get; set; }
        public float minDistance { get; set; }
        public float maxDistance { get; set; }
        public void Play() { }
        public void Stop() { }
        public static void PlayClipAtPoint(AudioClip clip, Vector3 position) { }
    }

    public enum WrapMode { Default = 0, Once = 1, Loop = 2, ClampForever = 8 }
    public enum PlayMode { StopSameLayer = 0, StopAll = 4 }
    public enum SendMessageOptions { RequireReceiver, DontRequireReceiver }
    public class Motion : Object { }

    public sealed class AnimationClip : Motion
    {
        public bool legacy { get; set; }
        public WrapMode wrapMode { get; set; }
    }

    public sealed class AnimationState
    {
        public int layer { get; set; }
        public float time { get; set; }
    }

    public sealed class Animation : Behaviour
    {
        public bool playAutomatically { get; set; }
        public AnimationState this[string name] { get { return null; } }
        public void AddClip(AnimationClip clip, string newName) { }
        public bool Play(string animation, PlayMode mode) { return false; }
    }

    public class RuntimeAnimatorController : Object { }

    public sealed class Animator : Behaviour
    {
        public RuntimeAnimatorController runtimeAnimatorController { get; set; }
    }

    public sealed class AnimationEvent
    {
        public float time { get; set; }
        public string functionName { get; set; }
        public string stringParameter { get; set; }
        public SendMessageOptions messageOptions { get; set; }
    }

    public struct Keyframe { public Keyframe(float time, float value) { } }
    public class AnimationCurve { public int AddKey(Keyframe key) { return 0; } }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TextAreaAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RequireComponent : Attribute { public RequireComponent(Type required) { } }
}

namespace UnityEngine.Rendering
{
    public enum AmbientMode { Skybox = 0, Trilight = 1, Flat = 3 }
    public enum IndexFormat { UInt16, UInt32 }
}
