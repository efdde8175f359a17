using System;

namespace Relicast.Editor
{
    // Description of a level or model; see Levels/*.json. JsonUtility fills classes and lists by their names.

    [Serializable]
    public sealed class LevelFile
    {
        public string name;
        public string file;
        public string scene;
        public string sky;
        public string[] nodes;
        public AirFacts air;
        public float[] start;
        public MissionFacts[] missions;
        public string[] hidden;
        public string[] skies;
        public SolidFacts[] solids;
        public AreaFacts[] areas;
        public DetailFacts[] details;
        public ClipFile[] clips;
        public EmitterFacts[] emitters;
        public SoundFacts[] sounds;
        public SurfaceFacts[] surfaces;
    }

    [Serializable]
    public sealed class AirFacts
    {
        public float[] background;
        public float ambient;
        public bool fog;
        public float[] fogColor;
        public float fogStart;
        public float fogEnd;
    }

    [Serializable]
    public sealed class MissionFacts
    {
        public string name;
        public string scene;
        public string file;
    }

    [Serializable]
    public sealed class SolidFacts
    {
        public string node;
        public bool convex;
        public int[] surfaces;
        public bool invisible;
    }

    [Serializable]
    public sealed class AreaFacts
    {
        public string node;
        public string kind;
        public float[] center;
        public float[] size;
        public string facts;
    }

    [Serializable]
    public sealed class DetailFacts
    {
        public string[] nodes;
        public float[] far;
    }

    [Serializable]
    public sealed class ClipFile
    {
        public string name;
        public bool loops;
        public bool starts;
        public string activation;
        public string root;
        public Mark[] marks;
        public VisibilityFacts[] visibility;
    }

    [Serializable]
    public sealed class VisibilityFacts
    {
        public string node;
        public float[] times;
        public bool[] shown;
    }

    [Serializable]
    public sealed class EmitterFacts
    {
        public string file;
        public float[] place;
        public bool flat;
        public float full;
        public float radius;
        public float pause;
        public float chance;
        public float scatter;
    }

    [Serializable]
    public sealed class SoundFacts
    {
        public string name;
        public string file;
    }

    [Serializable]
    public sealed class SurfaceFacts
    {
        public string material;
        public float[] scroll;
        public float rate;
        public string[] pictures;
        public bool additive;
    }

    [Serializable]
    public sealed class ModelsFile
    {
        public ModelFacts[] models;
    }

    [Serializable]
    public sealed class ModelFacts
    {
        public string name;
        public string file;
        public string scene;
        public string[] nodes;
        public ClipFile[] clips;
        public SurfaceFacts[] surfaces;
    }
}
