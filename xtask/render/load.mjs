// Times the loading of a glTF file: with its pictures, and with one texel instead of each.
// Runs in the browser; render.mjs calls `loadTimes`.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const TEXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCB2kWxIwAAAABJRU5ErkJggg==';

// The fastest of several rounds, in seconds.
async function fastest(url, rounds, manager) {
  let best = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await new GLTFLoader(manager).loadAsync(url);
    best = Math.min(best, (performance.now() - start) / 1000);
  }
  return best;
}

window.loadTimes = async ({ url, rounds }) => {
  const bare = new THREE.LoadingManager();
  bare.setURLModifier((path) => (path.endsWith('.png') ? TEXEL : path));
  return { all: await fastest(url, rounds, new THREE.LoadingManager()), bare: await fastest(url, rounds, bare) };
};
