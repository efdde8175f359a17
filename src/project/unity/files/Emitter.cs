using System.Collections;
using UnityEngine;

namespace Relicast
{
    /// <summary>A sound with a position and pauses, which may have full volume in all of its radius.</summary>
    [RequireComponent(typeof(AudioSource))]
    public sealed class Emitter : MonoBehaviour
    {
        public bool flat;
        public float radius;
        /// <summary>Pause in seconds, and the maximum random addition.</summary>
        public float pause;
        public float chance;
        /// <summary>Radius in which the position varies.</summary>
        public float scatter;

        AudioSource source;
        Vector3 home;

        void OnEnable()
        {
            source = GetComponent<AudioSource>();
            home = transform.localPosition;
            StartCoroutine(Run());
        }

        void OnDisable()
        {
            transform.localPosition = home;
        }

        bool IsNear()
        {
            Camera camera = Camera.main;
            return camera != null && Vector3.Distance(camera.transform.position, transform.position) <= radius;
        }

        IEnumerator Run()
        {
            while (true)
            {
                if (flat && !IsNear())
                {
                    source.Stop();
                }
                else if (!source.isPlaying)
                {
                    if (scatter > 0f)
                    {
                        Vector2 away = Random.insideUnitCircle * scatter;
                        transform.localPosition = home + new Vector3(away.x, 0f, away.y);
                    }
                    source.Play();
                    float length = source.clip == null ? 1f : source.clip.length;
                    float wait = flat ? 0f : pause + Random.value * chance;
                    if (wait > 0f)
                    {
                        yield return new WaitForSeconds(length + wait);
                    }
                }
                yield return new WaitForSeconds(0.1f);
            }
        }
    }
}
