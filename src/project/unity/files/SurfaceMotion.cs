using UnityEngine;

namespace Relicast
{
    /// <summary>A surface with a moving or changing picture.</summary>
    public sealed class SurfaceMotion : MonoBehaviour
    {
        /// <summary>Index of the renderer's material.</summary>
        public int slot;
        /// <summary>Speed in picture lengths per second.</summary>
        public Vector2 scroll;
        /// <summary>Pictures per second, and the pictures.</summary>
        public float rate;
        public Texture2D[] pictures = new Texture2D[0];

        Material material;

        void Start()
        {
            Renderer shown = GetComponent<Renderer>();
            if (shown == null || slot >= shown.sharedMaterials.Length)
            {
                enabled = false;
                return;
            }
            material = shown.materials[slot];
        }

        void Update()
        {
            if (scroll != Vector2.zero)
            {
                material.mainTextureOffset = scroll * Time.time;
            }
            if (rate > 0f && pictures.Length > 0)
            {
                material.mainTexture = pictures[(int)(Time.time * rate) % pictures.Length];
            }
        }
    }
}
