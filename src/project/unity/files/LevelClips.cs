using System;
using UnityEngine;

namespace Relicast
{
    /// <summary>An event at a time of a clip.</summary>
    [Serializable]
    public sealed class Mark
    {
        public float time;
        public string what;
        public string sound;
        public string node;
        public string facts;
    }

    /// <summary>Receives the events of clips, and passes them to the level.</summary>
    public sealed class LevelClips : MonoBehaviour
    {
        public Level level;

        /// <summary>Called by clips.</summary>
        public void OnMark(string entry)
        {
            Mark mark = JsonUtility.FromJson<Mark>(entry);
            Transform from = string.IsNullOrEmpty(mark.node) ? null : Find(transform, mark.node);
            if (level != null)
            {
                level.Notify(mark, from == null ? transform : from);
            }
        }

        static Transform Find(Transform below, string called)
        {
            foreach (Transform child in below.GetComponentsInChildren<Transform>(true))
            {
                if (child.name == called)
                {
                    return child;
                }
            }
            return null;
        }
    }
}
