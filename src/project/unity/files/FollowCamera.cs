using UnityEngine;

namespace Relicast
{
    /// <summary>A sky: it follows the camera.</summary>
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
