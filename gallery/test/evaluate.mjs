// Poses of a glTF clip, computed from the file alone, to compare with the page.

const READ = {
  5120: ['getInt8', 1, 127], 5121: ['getUint8', 1, 255], 5122: ['getInt16', 2, 32767], 5123: ['getUint16', 2, 65535],
  5125: ['getUint32', 4, 1], 5126: ['getFloat32', 4, 1],
};
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

function accessor(gltf, buffers, place) {
  const { bufferView, byteOffset = 0, componentType, count, type, normalized } = gltf.accessors[place];
  const view = gltf.bufferViews[bufferView];
  const [read, size, most] = READ[componentType];
  const width = WIDTHS[type];
  const stride = view.byteStride ?? size * width;
  const bytes = buffers[view.buffer];
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows = [];
  for (let row = 0; row < count; row += 1) {
    const own = [];
    for (let part = 0; part < width; part += 1) {
      const value = data[read]((view.byteOffset ?? 0) + byteOffset + row * stride + part * size, true);
      own.push(normalized ? Math.max(value / most, -1) : value);
    }
    rows.push(own);
  }
  return rows;
}

function slerp(a, b, share) {
  let dot = a.reduce((sum, own, part) => sum + own * b[part], 0);
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(Math.abs(dot), 1);
  const angle = Math.acos(dot);
  if (angle < 1e-5) return a.map((own, part) => own + (sign * b[part] - own) * share);
  const sine = Math.sin(angle);
  const [from, to] = [Math.sin((1 - share) * angle) / sine, (sign * Math.sin(share * angle)) / sine];
  return a.map((own, part) => own * from + b[part] * to);
}

/** The value of a sampler at a time; `turns` for rotations. */
function sample(gltf, buffers, sampler, time, turns) {
  const times = accessor(gltf, buffers, sampler.input).map(([own]) => own);
  let values = accessor(gltf, buffers, sampler.output);
  const cubic = sampler.interpolation === 'CUBICSPLINE';
  const width = values.length / times.length;
  if (width !== 1 && !cubic) values = times.map((_, key) => values.slice(key * width, (key + 1) * width).flat());
  const at = (key) => (cubic ? values[key * 3 + 1] : values[key]);
  if (time <= times[0]) return at(0);
  if (time >= times.at(-1)) return at(times.length - 1);
  let key = 0;
  while (times[key + 1] <= time) key += 1;
  const length = times[key + 1] - times[key];
  const share = (time - times[key]) / length;
  if (sampler.interpolation === 'STEP') return at(key);
  if (!cubic) return turns ? slerp(at(key), at(key + 1), share) : at(key).map((own, part) => own + (at(key + 1)[part] - own) * share);
  const [s2, s3] = [share ** 2, share ** 3];
  const value = at(key).map((own, part) => (2 * s3 - 3 * s2 + 1) * own + length * (s3 - 2 * s2 + share) * values[key * 3 + 2][part]
    + (3 * s2 - 2 * s3) * at(key + 1)[part] + length * (s3 - s2) * values[key * 3 + 3][part]);
  const norm = turns ? Math.hypot(...value) : 1;
  return value.map((own) => own / norm);
}

function matrix({ translation: t, rotation: q, scale: s }) {
  const [x, y, z, w] = q;
  return [
    (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + z * w) * s[0], 2 * (x * z - y * w) * s[0], 0,
    2 * (x * y - z * w) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + x * w) * s[1], 0,
    2 * (x * z + y * w) * s[2], 2 * (y * z - x * w) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0,
    ...t, 1,
  ];
}

function multiply(a, b) {
  const out = new Array(16).fill(0);
  for (let column = 0; column < 4; column += 1) {
    for (let row = 0; row < 4; row += 1) {
      for (let part = 0; part < 4; part += 1) out[column * 4 + row] += a[part * 4 + row] * b[column * 4 + part];
    }
  }
  return out;
}

/** Matrices of all nodes of the first scene in the space of the scene, and weights of morphs, at a time of a clip. */
export function pose(gltf, buffers, clip, time) {
  const local = gltf.nodes.map((node) => ({
    translation: node.translation ?? [0, 0, 0], rotation: node.rotation ?? [0, 0, 0, 1], scale: node.scale ?? [1, 1, 1],
  }));
  const weights = {};
  for (const { sampler, target } of gltf.animations[clip].channels) {
    if (target.node === undefined) continue;
    const value = sample(gltf, buffers, gltf.animations[clip].samplers[sampler], time, target.path === 'rotation');
    if (target.path === 'weights') weights[target.node] = value;
    else local[target.node][target.path] = value;
  }
  const world = {};
  const visit = (place, parent) => {
    const node = gltf.nodes[place];
    world[place] = multiply(parent, node.matrix ?? matrix(local[place]));
    (node.children ?? []).forEach((child) => visit(child, world[place]));
  };
  const unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  gltf.scenes[gltf.scene ?? 0].nodes.forEach((place) => visit(place, unit));
  return { world, weights };
}
