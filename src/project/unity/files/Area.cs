using UnityEngine;

namespace Relicast
{
    /// <summary>A trigger for water, lava, a zone line or fog, with the game's data.</summary>
    public sealed class Area : MonoBehaviour
    {
        public string kind;
        [TextArea] public string facts;
    }
}
