using UnityEngine;

namespace Relicast
{
    /// <summary>A surface whose picture moves or changes.</summary>
    public sealed class SurfaceMotion : MonoBehaviour
    {
        /// <summary>Which of the renderer's materials.</summary>
        public int slot;
        /// <summary>Lengths of the picture in a second.</summary>
        public Vector2 scroll;
        /// <summary>Pictures in a second, and the pictures.</summary>
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
