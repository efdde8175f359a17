using UnityEngine;

namespace Relicast
{
    /// <summary>Water, lava, a line to another zone, fog: a trigger, with what the game knows of it.</summary>
    public sealed class Area : MonoBehaviour
    {
        public string kind;
        [TextArea] public string facts;
    }
}
