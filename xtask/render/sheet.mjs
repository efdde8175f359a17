// Draws a glTF file into cells of one picture: a row for each time of the clip, a column for each view.
// Runs in the browser; render.mjs calls `drawSheet`.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

// Direction of the camera, from the middle of a model that faces +Z with +Y up.
const DIRECTIONS = {
  front: [0, 0, 1],
  back: [0, 0, -1],
  left: [1, 0, 0],
  right: [-1, 0, 0],
  top: [0, 1, 0],
  bottom: [0, -1, 0],
  corner: [0.7, 0.5, 1],
  low: [0.7, 0.12, 1],
};
const FIELD_OF_VIEW = 30;
const MARGIN = 1.06;
const LABEL_HEIGHT = 20;
const BACKGROUND = 0x8f9aa5;
const BACK_FACES = 0xff00ff;

window.drawSheet = async ({ url, which, views, times, clip, size, backs, lights, hide, focus }) => {
  const gltf = await new GLTFLoader().loadAsync(url);
  if (which !== null) {
    if (gltf.scenes[which] === undefined) {
      throw new Error(`the file has ${gltf.scenes.length} scenes`);
    }
    gltf.scene = gltf.scenes[which];
  }
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(BACKGROUND);
  scene.add(gltf.scene);
  hideNodes(gltf.scene, hide);
  if (!lights) {
    lightEvenly(scene, gltf.scene);
  }
  if (backs) {
    paintBackFaces(gltf.scene);
  }
  const pose = clipPoser(gltf, clip);
  const moments = clip === null ? [0] : times;

  const turned = facesBackward(gltf.scene);
  const box = new THREE.Box3();
  for (const time of moments) {
    pose(time);
    const seen = focus.length === 0 ? [gltf.scene] : focus.flatMap((name) => nodesOf(gltf.scene, name));
    seen.forEach((node) => box.union(visibleBox(node)));
  }
  const reach = visibleBox(gltf.scene).getSize(new THREE.Vector3()).length();
  if (box.isEmpty()) {
    throw new Error('the file has nothing to draw');
  }

  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(size, size);
  const sheet = document.createElement('canvas');
  sheet.width = size * views.length;
  sheet.height = (size + LABEL_HEIGHT) * moments.length;
  const paper = sheet.getContext('2d');
  paper.fillStyle = '#222';
  paper.fillRect(0, 0, sheet.width, sheet.height);
  paper.fillStyle = '#fff';
  paper.font = '13px sans-serif';
  moments.forEach((time, row) => {
    pose(time);
    views.forEach((view, column) => {
      renderer.render(scene, cameraFor(view, turned, box, reach));
      const [x, y] = [column * size, row * (size + LABEL_HEIGHT)];
      paper.drawImage(renderer.domElement, x, y + LABEL_HEIGHT);
      const label = clip === null ? view : `${view} · ${clip} ${time.toFixed(2)} s`;
      paper.fillText(label, x + 6, y + 14);
    });
  });

  let triangles = 0;
  gltf.scene.traverse((node) => {
    if (node.isMesh) {
      triangles += (node.geometry.index ?? node.geometry.attributes.position).count / 3;
    }
  });
  const round = (vector) => vector.toArray().map((value) => Number(value.toPrecision(6)));
  return {
    png: sheet.toDataURL('image/png').split(',')[1],
    triangles,
    clips: gltf.animations.map(({ name, duration }) => ({ name, duration })),
    box: { min: round(box.min), max: round(box.max) },
  };
};

// A function that puts the model into the pose of a time of the clip, wrapped to its length.
function clipPoser(gltf, name) {
  if (name === null) {
    return () => gltf.scene.updateMatrixWorld(true);
  }
  const clip = THREE.AnimationClip.findByName(gltf.animations, name);
  if (!clip) {
    const names = gltf.animations.map((own) => own.name).join(', ') || 'none';
    throw new Error(`no clip ${name}; the file has: ${names}`);
  }
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  return (time) => {
    // A finished action would stay at its end.
    action.reset();
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
  };
}

// True if the extras of the scene or of a root say that it faces -Z, like the models of most games.
function facesBackward(root) {
  return [root, ...root.children].some((node) =>
    Object.values(node.userData).some((extras) => extras?.forward === '-Z' && !extras.faceForward));
}

function nodesOf(root, name) {
  const found = [];
  root.traverse((node) => {
    if (node.name === name || node.userData.name === name) {
      found.push(node);
    }
  });
  if (found.length === 0) {
    throw new Error(`no node ${name}`);
  }
  return found;
}

function hideNodes(root, names) {
  names.flatMap((name) => nodesOf(root, name)).forEach((node) => { node.visible = false; });
}

// Bounds of visible objects; `Box3.setFromObject` would include hidden ones.
function visibleBox(root) {
  const box = new THREE.Box3();
  root.traverseVisible((node) => {
    if (node.isMesh || node.isLine || node.isPoints) {
      node.geometry.computeBoundingBox();
      box.union(node.geometry.boundingBox.clone().applyMatrix4(node.matrixWorld));
    }
  });
  return box;
}

// Replaces the file's lights, whose strengths are the game's, by lights that show every face.
function lightEvenly(scene, root) {
  const own = [];
  root.traverse((node) => node.isLight && own.push(node));
  own.forEach((light) => { light.visible = false; });
  scene.add(new THREE.HemisphereLight(0xffffff, 0x777777, 2));
  const sun = new THREE.DirectionalLight(0xffffff, 1.5);
  sun.position.set(0.5, 1, 0.8);
  scene.add(sun);
}

// Shows the backs of one-sided faces, which are usually not drawn, in a striking color.
function paintBackFaces(root) {
  const meshes = [];
  root.traverse((node) => node.isMesh && meshes.push(node));
  const paint = new THREE.MeshBasicMaterial({ color: BACK_FACES, side: THREE.BackSide });
  for (const mesh of meshes) {
    if (mesh.material.side === THREE.FrontSide) {
      mesh.add(new THREE.Mesh(mesh.geometry, paint));
    }
  }
}

// A camera as near as possible with all corners of the box in view, and a far plane at `reach` behind.
function cameraFor(view, turned, box, reach) {
  const direction = new THREE.Vector3(...DIRECTIONS[view]).normalize();
  if (turned) {
    direction.multiply(new THREE.Vector3(-1, 1, -1));
  }
  const up = Math.abs(direction.y) > 0.99 ? new THREE.Vector3(0, 0, turned ? -1 : 1) : new THREE.Vector3(0, 1, 0);
  const right = new THREE.Vector3().crossVectors(up, direction).normalize();
  const above = new THREE.Vector3().crossVectors(direction, right);
  const middle = box.getCenter(new THREE.Vector3());
  const slope = Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)) / MARGIN;
  const corner = new THREE.Vector3();
  let distance = 0;
  let depth = 0;
  for (let index = 0; index < 8; index += 1) {
    corner.set(
      index & 1 ? box.max.x : box.min.x,
      index & 2 ? box.max.y : box.min.y,
      index & 4 ? box.max.z : box.min.z,
    ).sub(middle);
    const across = Math.max(Math.abs(corner.dot(right)), Math.abs(corner.dot(above)));
    distance = Math.max(distance, corner.dot(direction) + across / slope);
    depth = Math.max(depth, corner.length());
  }
  const near = Math.max((distance - depth) * 0.5, distance * 1e-3, 1e-6);
  const camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, near, distance + Math.max(depth * 2, reach) + near);
  camera.position.copy(middle).addScaledVector(direction, distance);
  camera.up.copy(up);
  camera.lookAt(middle);
  return camera;
}
