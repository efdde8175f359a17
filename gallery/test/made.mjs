// A generated catalog of any number of assets, written to a folder, to measure large lists.

import fs from 'node:fs';
import path from 'node:path';

const WORDS = ['madcat', 'qeynos', 'lamp', 'splash', 'walk', 'tower', 'engine', 'briefing', 'canyon', 'wing', 'harbour', 'fence', 'crow', 'mill', 'ridge', 'zeppelin'];
const TYPES = ['model', 'picture', 'sound', 'song', 'video', 'document', 'text', 'file', 'none'];

export function make(folder, count) {
  let seed = 12345;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed % below;
  };
  const [listSize, detailSize] = [4000, 200];
  const chunks = Math.ceil(count / listSize);
  fs.mkdirSync(path.join(folder, 'data/list'), { recursive: true });
  const games = ['rc', 'mw', 'pm', 'cs', 'eq'].map((id) => ({ id, title: `Game ${id}`, assets: Math.ceil(count / 5) }));
  const kinds = ['textures', 'sounds', 'readers', 'models', 'worlds'].map((id) => ({ id, title: id, assets: Math.ceil(count / 5) }));
  const index = {
    format: 1, program: 'made up', base: 'out/', served: true, embed: 'none', complete: true, assets: count,
    list: { size: listSize, count: chunks }, detail: { size: detailSize, count: Math.ceil(count / detailSize) }, games, kinds,
    types: TYPES, statuses: ['converted', 'copied', 'unchanged', 'skipped', 'failed'],
    worlds: Array.from({ length: 400 }, (_, own) => ({ name: `zone${own}`, title: `Zone ${own}`, game: own % 5, assets: 100, asset: null })),
    archives: Array.from({ length: 1500 }, (_, own) => ({ path: `game/zbd/archive${own}.zbd`, game: own % 5, assets: 70, asset: null })),
    flags: [{ id: 'clips', title: 'has clips', assets: 1 }, { id: 'variants', title: 'has variants', assets: 1 }], counts: { converted: count },
  };
  fs.writeFileSync(path.join(folder, 'data/index.json'), JSON.stringify(index));
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const first = chunk * listSize;
    const length = Math.min(listSize, count - first);
    const each = (value) => Array.from({ length }, (_, place) => value(first + place));
    const dirs = Array.from({ length: 40 }, (_, own) => `textures/game/archive${chunk * 40 + own}/`);
    fs.writeFileSync(path.join(folder, `data/list/${chunk}.json`), JSON.stringify({
      first, count: length, game: each((id) => Math.floor((id / count) * 5)), kind: each(() => random(5)), type: each(() => [5, 6, 7][random(3)]),
      status: each(() => random(2)), world: each(() => random(400)), archive: each(() => random(1500)), flags: each(() => random(4)),
      dirs, dir: each(() => random(40)), file: each((id) => `${WORDS[random(16)]}_${id}.json`),
      name: each((id) => `${WORDS[random(16)]}_${WORDS[random(16)]}${id}`), title: each(() => (random(4) ? '' : `${WORDS[random(16)]} ${WORDS[random(16)]}`)),
      terms: each(() => (random(8) ? '' : `${WORDS[random(16)]} ${WORDS[random(16)]}`)), size: each(() => random(100000)), a: each(() => 0), b: each(() => 0),
    }));
  }
}
