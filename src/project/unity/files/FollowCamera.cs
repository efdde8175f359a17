using UnityEngine;

namespace Relicast
{
    /// <summary>A sky: wherever one looks from, it is as far away.</summary>
    public sealed class FollowCamera : MonoBehaviour
    {
        void LateUpdate()
        {
            Camera camera = Camera.main;
            if (camera != null)
            {
                transform.position = camera.transform.position;
            }
        }
    }
}
