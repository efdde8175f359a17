using System;
using UnityEngine;

namespace Relicast
{
    /// <summary>A sound that clips play by its name.</summary>
    [Serializable]
    public sealed class NamedSound
    {
        public string name;
        public AudioClip clip;
    }

    /// <summary>A mission: its state of the level, and its placements. Either may be missing.</summary>
    [Serializable]
    public sealed class MissionParts
    {
        public string name;
        public GameObject state;
        public GameObject placed;
    }

    /// <summary>Trigger of a clip, and its node.</summary>
    [Serializable]
    public sealed class ClipFacts
    {
        public string name;
        public string activation;
        public string root;
        public bool starts;
    }

    /// <summary>A level: environment, missions, hidden objects, and events of clips.</summary>
    public sealed class Level : MonoBehaviour
    {
        public Color background = Color.black;
        public Color ambient = Color.white;
        public bool fog;
        public Color fogColor;
        public float fogStart;
        public float fogEnd;
        public Transform start;
        public GameObject world;
        public GameObject[] hidden = new GameObject[0];
        public MissionParts[] missions = new MissionParts[0];
        public NamedSound[] sounds = new NamedSound[0];
        public ClipFacts[] clips = new ClipFacts[0];

        /// <summary>Event of a clip that a game decides: its kind, and its data as JSON.</summary>
        public event Action<string, string> Happened;

        void OnEnable()
        {
            SetEnvironment();
        }

        void Start()
        {
            foreach (ClipFacts clip in clips)
            {
                if (clip.starts)
                {
                    Play(clip.name);
                }
            }
        }

        /// <summary>Applies the fog, light and background of this level to the scene.</summary>
        public void SetEnvironment()
        {
            RenderSettings.ambientMode = UnityEngine.Rendering.AmbientMode.Flat;
            RenderSettings.ambientLight = ambient;
            RenderSettings.fog = fog;
            RenderSettings.fogMode = FogMode.Linear;
            RenderSettings.fogColor = fogColor;
            RenderSettings.fogStartDistance = fogStart;
            RenderSettings.fogEndDistance = fogEnd;
            Camera camera = Camera.main;
            if (camera != null)
            {
                camera.clearFlags = CameraClearFlags.SolidColor;
                camera.backgroundColor = background;
            }
        }

        /// <summary>Plays a clip in addition to the current ones.</summary>
        public bool Play(string clip)
        {
            Animation player = world == null ? null : world.GetComponent<Animation>();
            if (player == null || player[clip] == null)
            {
                return false;
            }
            player[clip].layer = Array.FindIndex(clips, other => other.name == clip) + 1;
            player[clip].time = 0f;
            return player.Play(clip, PlayMode.StopSameLayer);
        }

        /// <summary>Plays the clips that the game starts when this happens to a node; returns their number.</summary>
        public int Trigger(string what, string node)
        {
            int count = 0;
            foreach (ClipFacts clip in clips)
            {
                if (clip.root == node && clip.activation != null && clip.activation.Contains(what) && Play(clip.name))
                {
                    count++;
                }
            }
            return count;
        }

        /// <summary>Shows the level at the start of a mission; without a name, as stored.</summary>
        public void Show(string mission)
        {
            bool hasState = false;
            foreach (MissionParts parts in missions)
            {
                bool isIt = parts.name == mission;
                hasState = hasState || (isIt && parts.state != null);
                SetActive(parts.placed, isIt);
            }
            foreach (MissionParts parts in missions)
            {
                SetActive(parts.state, parts.name == mission);
            }
            SetActive(world, !hasState);
        }

        /// <summary>Shows or hides an initially hidden object.</summary>
        public bool Reveal(string called, bool shown = true)
        {
            GameObject found = Array.Find(hidden, thing => thing != null && thing.name == called);
            SetActive(found, shown);
            return found != null;
        }

        static void SetActive(GameObject thing, bool active)
        {
            if (thing != null)
            {
                thing.SetActive(active);
            }
        }

        /// <summary>Handles an event of a clip.</summary>
        public void Notify(Mark mark, Transform from)
        {
            NamedSound sound = Array.Find(sounds, other => other.name == mark.sound);
            if (sound != null && sound.clip != null)
            {
                AudioSource.PlayClipAtPoint(sound.clip, from.position);
            }
            else if (Happened != null)
            {
                Happened(mark.what, mark.facts);
            }
            else
            {
                Debug.Log("relicast: " + mark.what + " " + mark.facts, this);
            }
        }
    }
}
