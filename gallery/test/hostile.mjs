// A gallery in which every text that could come from a game is hostile: names, titles, notes, documents,
// nodes of models, and addresses in glTF files.

import fs from 'node:fs';
import path from 'node:path';

export const TEXTS = [
  '<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', 'javascript:alert(1)', '\u202egnp.exe\u202c', "' onmouseover='alert(1)",
  '{{constructor.constructor("alert(1)")()}}', '\u0000\u200b\u2066hidden\u2069', 'x'.repeat(255), '../../../etc/passwd', '__proto__', '&lt;b&gt;&#x3c;',
];

const TYPES = ['model', 'picture', 'sound', 'song', 'video', 'document', 'text', 'file', 'none'];

export function make(folder) {
  const write = (name, data) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data));
  };
  const triangle = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
  const wave = Buffer.alloc(44 + 800);
  wave.write('RIFF', 0); wave.writeUInt32LE(836, 4); wave.write('WAVEfmt ', 8); wave.writeUInt32LE(16, 16); wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22); wave.writeUInt32LE(8000, 24); wave.writeUInt32LE(8000, 28); wave.writeUInt16LE(1, 32); wave.writeUInt16LE(8, 34);
  wave.write('data', 36); wave.writeUInt32LE(800, 40);
  write('out/a.wav', wave);
  const rows = [];
  for (const [place, text] of TEXTS.entries()) {
    for (const type of ['model', 'document', 'sound', 'text', 'none']) {
      const file = { model: `m${place}.gltf`, document: `d${place}.json`, sound: `s${place}.wav`, text: `t${place}.txt` }[type];
      rows.push({ type, text, key: file ?? `:source/${text.replaceAll('/', '∕')}` });
      if (type === 'sound') write(`out/${file}`, wave);
      if (type === 'text') write(`out/${file}`, text);
      if (type === 'document') {
        write(`out/${file}`, place % 3 === 0 ? { language: text, entries: [{ key: text, id: 1, value: text }] }
          : place % 3 === 1 ? { animation: text, root: text, sequences: [{ name: text, starts: text, events: [{ event: text, starts: 0, lasts: 1, node: { name: text }, [text]: text }] }] }
            : { [text]: text, list: [text, { [text]: [text] }] });
      }
      if (type === 'model') {
        write(`out/${file}`, {
          asset: { version: '2.0', generator: text }, scene: 0, scenes: [{ name: text, nodes: [0], extras: { zipper: { forward: text, fog: text, clearColor: text } } }, { name: text, nodes: [0] }],
          nodes: [{ name: text, mesh: 0, extras: { zipper: { name: text, points: text, sky: undefined, lod: text } } }],
          meshes: [{ name: text, primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
          materials: [{ name: text, pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, extras: { zipper: { cycle: { fps: 4, frames: [text, text] }, scroll: text } } }],
          textures: [{ source: 0 }], images: [{ uri: ['https://evil.invalid/x.png', '//evil.invalid/y.png', 'javascript:alert(1)', '../../../etc/passwd', 'file:///etc/passwd'][place % 5] }],
          accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
          bufferViews: [{ buffer: 0, byteLength: 36 }], buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${triangle.toString('base64')}` }],
          extensions: { KHR_materials_variants: { variants: [{ name: text }] } }, extensionsUsed: ['KHR_materials_variants'],
        });
      }
    }
  }
  const count = rows.length;
  const each = (value) => rows.map(value);
  const bad = TEXTS[0];
  write('data/index.json', {
    format: 1, program: bad, base: 'out/', served: true, embed: 'none', complete: true, assets: count, list: { size: 4000, count: 1 }, detail: { size: 200, count: 1 },
    games: [{ id: bad, title: bad, assets: count }], kinds: [{ id: bad, title: bad, assets: count }], types: TYPES, statuses: ['converted', 'failed'],
    worlds: [{ name: bad, title: TEXTS[1], game: 0, assets: count, asset: 0 }], archives: [{ path: TEXTS[3], game: 0, assets: count, asset: 0 }],
    flags: [{ id: bad, title: bad, assets: 1 }], counts: {},
  });
  write('data/list/0.json', {
    first: 0, count, game: each(() => 0), kind: each(() => 0), type: each((row) => TYPES.indexOf(row.type)), status: each((row) => (row.type === 'none' ? 1 : 0)), world: each(() => 0),
    archive: each(() => 0), flags: each(() => 1), dirs: [''], dir: each(() => 0), file: each((row) => row.key), name: each((row) => row.text), title: each((row) => row.text),
    terms: each((row) => row.text), size: each(() => 100), a: each(() => 1), b: each(() => 1),
  });
  write('data/detail/0.json', {
    first: 0, assets: each((row, id) => ({
      id, key: row.key, source: { path: row.text, size: 1, blake3: row.text }, member: row.text, range: [0, 1], packing: row.text, disc: { image: row.text }, cabinet: { [row.text]: [row.text] },
      outputs: row.type === 'none' ? [] : [{ path: row.key, role: 'main', size: 1, blake3: row.text }], converter: row.text, settings: row.text, madeFrom: [row.text], status: 'failed',
      reason: row.text, deviations: { total: 1, first: [row.text] }, notes: [row.text], missing: [0], names: [{ text: row.text, language: row.text }],
      facts: { [row.text]: row.text, clips: [{ name: row.text, seconds: 1 }], loops: row.text, cues: [{ at: 0.01, name: row.text }] }, uses: [[0, row.text]], usedBy: [[1, row.text]],
      links: { [row.text]: 0 }, commands: [{ what: row.text, command: row.text }],
    })),
  });
  write('data/report.json', {
    program: bad, complete: true, totals: { files: 1, bytes: 1 }, table: [{ game: bad, kind: bad, converted: 1 }], editions: [{ game: bad, edition: bad, missing: [bad] }], unknownVariant: bad,
    census: [bad], skipped: [{ reason: bad, count: 1, examples: [{ source: bad, member: bad, asset: 0 }] }], failed: [{ reason: TEXTS[1], count: 1, examples: [{ source: bad, asset: 0 }] }],
    findings: [{ kind: bad, count: 1, example: bad, source: bad, asset: 0 }], deviations: [{ source: bad, total: 1, first: [bad], asset: 0 }],
    discs: [{ asset: 0, image: bad, pressing: bad, volume: bad, tracks: 1 }], tools: [bad],
  });
  return rows;
}
