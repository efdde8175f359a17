// Viewers show the contents of the files: poses, skins, lengths, ground.

import assert from 'node:assert/strict';
import { open, ready, settled } from './browser.mjs';
import { pose } from './evaluate.mjs';

const open3d = async (page, key, options = '') => {
  await page.evaluate(([key, options]) => {
    window.relicast.stage = undefined;
    location.hash = `#/asset/${key.split('/').map(encodeURIComponent).join('/')}${options}`;
  }, [key, options]);
  await page.waitForFunction(() => document.querySelector('.provenance') !== null, null, { timeout: 20000 });
  await settled(page, 'model', key);
};

/** Keys of matching models, a few of each game. */
function models(page, test, each) {
  return page.evaluate(([test, each]) => {
    const { catalog } = window.relicast;
    const fits = new Function('catalog', 'id', `return ${test}`);
    const counts = new Map();
    const found = [];
    for (let id = 0; id < catalog.count; id += 1) {
      if (catalog.typeOf(id) !== 'model' || !catalog.path(id) || !fits(catalog, id)) continue;
      const game = catalog.game[id];
      if ((counts.get(game) ?? 0) >= each) continue;
      counts.set(game, (counts.get(game) ?? 0) + 1);
      found.push(catalog.keys[id]);
    }
    return found;
  }, [test, each]);
}

async function gltfOf(context, page, key) {
  const base = await page.evaluate(() => window.relicast.catalog.index.base);
  const address = (path) => new URL(base + path.split('/').map(encodeURIComponent).join('/'), context.url).href;
  const json = await (await fetch(address(key))).json();
  const folder = key.split('/').slice(0, -1);
  const buffers = await Promise.all(json.buffers.map(async ({ uri }) =>
    new Uint8Array(await (await fetch(address([...folder, ...uri.split('/').map(decodeURIComponent)].join('/')))).arrayBuffer())));
  return { json, buffers };
}

/** Number of pixels of the 3D view that differ after an action. */
async function differing(page, change) {
  await page.evaluate(() => {
    const { stage } = window.relicast;
    stage.looks.moving = false;
    stage.player.playing = false;
    stage.draw();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [stage.canvas.width, stage.canvas.height];
    const paper = canvas.getContext('2d', { willReadFrequently: true });
    paper.drawImage(stage.canvas, 0, 0);
    window.before = paper.getImageData(0, 0, canvas.width, canvas.height).data;
    window.paper = paper;
  });
  await change();
  return page.evaluate(() => {
    const { stage } = window.relicast;
    stage.draw();
    window.paper.clearRect(0, 0, stage.canvas.width, stage.canvas.height);
    window.paper.drawImage(stage.canvas, 0, 0);
    const now = window.paper.getImageData(0, 0, stage.canvas.width, stage.canvas.height).data;
    let count = 0;
    for (let at = 0; at < now.length; at += 4) {
      count += [0, 1, 2, 3].some((part) => Math.abs(now[at + part] - window.before[at + part]) > 4);
    }
    return count;
  });
}

export async function clipsMove(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const keys = await models(page, 'catalog.b[id] > 0 && /\\.gltf$/.test(catalog.keys[id])', 3);
  if (keys.length === 0) {
    await close();
    context.skip('no model has a clip');
  }
  let [poses, most, moved] = [0, 0, 0];
  for (const key of keys) {
    await open3d(page, key);
    const { json, buffers } = await gltfOf(context, page, key);
    for (let clip = 0; clip < Math.min(json.animations.length, 4); clip += 1) {
      const length = Math.max(...json.animations[clip].samplers.map((own) => json.accessors[own.input].max[0]));
      const changed = await differing(page, () => page.evaluate(([clip, time]) => {
        const { stage } = window.relicast;
        stage.surfaces.rest();
        stage.player.choose(stage.player.clips[clip]);
        stage.player.playing = false;
        stage.pose(time);
      }, [clip, length * 0.37]));
      if (changed > 20) moved += 1;
      for (const share of [0, 0.37, 0.81, 1]) {
        const seen = await page.evaluate((time) => {
          const { stage } = window.relicast;
          stage.pose(time);
          stage.root.updateMatrixWorld(true);
          const found = {};
          stage.model.gltf.parser.associations.forEach((place, object) => {
            if (place.nodes === undefined || !object.isObject3D || found[place.nodes]) return;
            for (let up = object; up; up = up.parent) {
              if (up === stage.root) {
                found[place.nodes] = { matrix: object.matrixWorld.toArray(), weights: object.morphTargetInfluences ?? null };
              }
            }
          });
          return found;
        }, length * share);
        const { world, weights } = pose(json, buffers, clip, length * share);
        for (const [place, own] of Object.entries(world)) {
          assert.ok(seen[place], `${key}: node ${place} is on the stage`);
          const scale = Math.max(1, ...own.map(Math.abs));
          const off = Math.max(...own.map((value, part) => Math.abs(value - seen[place].matrix[part]))) / scale;
          most = Math.max(most, off);
          assert.ok(off < 1e-4, `${key} clip ${clip} at ${length * share}: node ${place} is off by ${off}`);
        }
        for (const [place, own] of Object.entries(weights)) {
          const shown = seen[place].weights;
          if (shown) own.forEach((value, part) => assert.ok(Math.abs(value - shown[part]) < 1e-4, `${key}: morph ${part}`));
        }
        poses += 1;
      }
    }
  }
  assert.ok(moved > 0, 'some clip changes the picture');
  await open3d(page, keys[0]);
  await page.evaluate(() => {
    const { stage } = window.relicast;
    stage.player.choose(stage.player.clips[0]);
    stage.pose(stage.player.length * 0.4);
  });
  await context.picture(page, 'clip');
  assert.deepEqual(faults, []);
  await close();
  return `${keys.length} models, ${poses} poses, farthest ${most.toExponential(1)}; ${moved} clips change the picture`;
}

export async function skinsChange(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const keys = await models(page, 'catalog.flags[id] & 2', 2);
  if (keys.length === 0) {
    await close();
    context.skip('no model has skins');
  }
  let changed = 0;
  let pictured = false;
  for (const key of keys) {
    await open3d(page, key);
    const names = await page.evaluate(() => window.relicast.stage.variants.names);
    assert.ok(names.length > 0, key);
    for (let skin = 0; skin < names.length; skin += 1) {
      const pixels = await differing(page, () => page.evaluate((skin) => window.relicast.stage.applyVariant(skin), skin));
      if (pixels > 20) changed += 1;
      if (pixels > 20 && !pictured) {
        pictured = true;
        await context.picture(page, 'skin');
      }
      const back = await differing(page, () => page.evaluate(() => window.relicast.stage.applyVariant(null)));
      assert.ok(pixels === 0 || back > 0, `${key}: the first variant is restored`);
    }
  }
  assert.ok(changed > 0, 'some skin changes the picture');
  assert.deepEqual(faults, []);
  await close();
  return `${keys.length} models, ${changed} variants change the picture`;
}

export async function soundLengths(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const found = await page.evaluate(() => {
    const { catalog } = window.relicast;
    const all = [];
    const seen = new Map();
    for (let id = 0; id < catalog.count; id += 1) {
      const key = catalog.path(id);
      if (catalog.typeOf(id) !== 'sound' && !(catalog.typeOf(id) === 'song' && key && /\.(flac|wav)$/.test(key))) continue;
      const ending = `${catalog.game[id]} ${key?.split('.').pop()}`;
      if (!key || (seen.get(ending) ?? 0) >= 6) continue;
      seen.set(ending, (seen.get(ending) ?? 0) + 1);
      all.push(key);
    }
    return { keys: all, base: catalog.index.base };
  });
  let checked = 0;
  for (const key of found.keys) {
    const url = new URL(found.base + key.split('/').map(encodeURIComponent).join('/'), context.url);
    const wanted = lengthOf(new Uint8Array(await (await fetch(url)).arrayBuffer()));
    if (wanted === null) continue;
    await page.evaluate((key) => { location.hash = `#/asset/${key.split('/').map(encodeURIComponent).join('/')}`; }, key);
    await page.waitForFunction((key) => window.relicast.catalog.keys.includes(key) && document.querySelector('.sound')?.dataset.seconds !== undefined, key);
    await page.waitForTimeout(50);
    await settled(page, 'sound', key);
    const seconds = Number(await page.getAttribute('.sound', 'data-seconds'));
    assert.ok(Math.abs(seconds - wanted) < 0.002, `${key}: ${seconds} s, not ${wanted}`);
    checked += 1;
    await page.evaluate(() => { location.hash = '#/help'; });
    await page.waitForSelector('kbd');
  }
  const marked = found.keys.find((key) => /engine_loop|propeller/.test(key)) ?? found.keys.find((key) => /briefing/.test(key)) ?? found.keys[0];
  if (marked) {
    await page.evaluate((key) => { location.hash = `#/asset/${key.split('/').map(encodeURIComponent).join('/')}`; }, marked);
    await page.waitForFunction(() => document.querySelector('.sound')?.dataset.seconds !== undefined);
    await page.click('.sound .panel button');
    await page.waitForTimeout(250);
    const playing = await page.evaluate(() => document.querySelector('.playhead').style.display);
    await context.picture(page, 'sound-loop');
    if (/engine_loop|propeller/.test(marked)) assert.ok(await page.locator('.over .loop').count() > 0, 'the loop is marked');
    assert.ok(playing === 'block' || Number(await page.getAttribute('.sound', 'data-seconds')) < 0.3, 'the sound plays');
  }
  assert.deepEqual(faults, []);
  await close();
  return `${checked} sounds`;
}

/** Seconds of a PCM WAV file by its chunks, or of a FLAC file by its header; null for others. */
function lengthOf(bytes) {
  const view = new DataView(bytes.buffer);
  const id = (at) => String.fromCharCode(...bytes.slice(at, at + 4));
  if (id(0) === 'fLaC') {
    const rate = view.getUint32(18) >>> 12;
    return ((view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22)) / rate;
  }
  if (id(0) !== 'RIFF') return null;
  let perSecond = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true);
    if (id(at) === 'fmt ') perSecond = view.getUint16(at + 8, true) === 1 ? view.getUint32(at + 10, true) === 0 ? 0 : view.getUint32(at + 12, true) * view.getUint16(at + 20, true) : 0;
    if (id(at) === 'data') return perSecond ? Math.min(length, bytes.length - at - 8) / perSecond : null;
    at += 8 + length + (length & 1);
  }
  return null;
}

export async function walking(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const keys = await models(page, '/^worlds\\//.test(catalog.keys[id]) && !/sky\\.gltf$/.test(catalog.keys[id])', 1);
  if (keys.length === 0) {
    await close();
    context.skip('no worlds');
  }
  let walked = 0;
  for (const key of keys) {
    await open3d(page, key);
    const button = page.getByRole('button', { name: 'Walk', exact: true });
    await button.click();
    const state = () => page.evaluate(() => {
      const { walk } = window.relicast.stage;
      return walk && { feet: walk.feet.toArray(), ground: walk.ground, eye: window.relicast.stage.camera.position.toArray(), high: walk.body.eye };
    });
    await page.waitForTimeout(200);
    const first = await state();
    if (!first) continue;
    walked += 1;
    assert.ok(Math.abs(first.feet[1] - first.ground) < 1e-3, `${key}: feet at ${first.feet[1]}, ground at ${first.ground}`);
    assert.ok(Math.abs(first.eye[1] - first.feet[1] - first.high) < 1e-3, 'the eye is a person high');
    await page.evaluate(() => window.relicast.stage.canvas.focus());
    await page.keyboard.down('KeyW');
    await page.waitForTimeout(700);
    await page.keyboard.up('KeyW');
    await page.waitForTimeout(900);
    const last = await state();
    assert.ok(last.ground === null || last.feet[1] >= last.ground - 1e-3, `${key}: below the ground after walking`);
    const way = Math.hypot(last.feet[0] - first.feet[0], last.feet[2] - first.feet[2]);
    if (walked === 1) await context.picture(page, 'walk');
    assert.ok(Number.isFinite(way), 'a place in the world');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => window.relicast.stage.walk), null);
  }
  assert.ok(walked > 0, 'some world has ground');
  assert.deepEqual(faults, []);
  await close();
  return `${walked} worlds`;
}

export async function modes(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const keys = await models(page, '/^models\\//.test(catalog.keys[id]) && catalog.b[id] > 0', 1);
  const key = keys[0] ?? (await models(page, 'true', 1))[0];
  await open3d(page, key);
  const seen = [];
  for (const mode of ['wireframe', 'normals', 'uv', 'plain', 'collision']) {
    const pixels = await differing(page, () => page.evaluate((mode) => {
      const { stage } = window.relicast;
      stage.looks.mode = mode;
      stage.apply();
    }, mode));
    assert.ok(pixels > 0, `${mode} changes the picture`);
    await context.picture(page, `mode-${mode}`);
    seen.push(mode);
    await page.evaluate(() => {
      const { stage } = window.relicast;
      stage.looks.mode = 'textured';
      stage.apply();
    });
  }
  const bones = await differing(page, () => page.evaluate(() => {
    const { stage } = window.relicast;
    stage.looks.skeleton = true;
    stage.apply();
  }));
  assert.ok(bones > 0, 'the skeleton is drawn');
  await context.picture(page, 'mode-skeleton');
  const hidden = page.getByLabel('Hidden objects');
  if (await hidden.count()) {
    const before = await page.evaluate(() => window.relicast.stage.scene.children.length);
    await hidden.check();
    await page.waitForFunction((before) => window.relicast.stage.scene.children.length > before, before);
  }
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Screenshot' }).click()]);
  assert.match(download.suggestedFilename(), /\.png$/);
  assert.deepEqual(faults, []);
  await close();
  return `${key}: ${seen.join(', ')}`;
}

/** A model plays, or turns, while the pointer is over its tile. */
export async function hovering(context) {
  const { page, faults, close } = await open(context.browser, { reducedMotion: 'no-preference' });
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  await page.evaluate(() => {
    const kind = window.relicast.catalog.index.kinds.findIndex((own) => own.id === 'models');
    location.hash = `#/browse?kind=${kind}`;
  });
  const canvas = page.locator('.thumb-model canvas').first();
  await canvas.waitFor({ timeout: 30000 });
  const look = () => canvas.evaluate((own) => own.toDataURL());
  const still = await look();
  await canvas.hover();
  let moved = false;
  for (let wait = 0; wait < 60 && !moved; wait += 1) {
    await page.waitForTimeout(150);
    moved = await look() !== still;
  }
  assert.ok(moved, 'the picture moves');
  await page.mouse.move(1, 1);
  assert.deepEqual(faults, []);
  await close();
}

export async function maps(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const keys = await models(page, '/^worlds\\//.test(catalog.keys[id])', 1);
  if (keys.length === 0) {
    await close();
    context.skip('no worlds');
  }
  let marks = 0;
  for (const [place, key] of keys.entries()) {
    await page.evaluate((key) => { location.hash = `#/asset/${key.split('/').map(encodeURIComponent).join('/')}?tab=map`; }, key);
    await page.waitForSelector('.map canvas', { timeout: 30000 });
    await page.waitForTimeout(300);
    marks += await page.$$eval('.map tbody tr', (rows) => rows.length);
    await context.picture(page, `map-${place}`, { fullPage: true });
  }
  assert.ok(marks > 0, 'positions are marked');
  assert.deepEqual(faults, []);
  await close();
  return `${keys.length} worlds, ${marks} places`;
}

/** An animation definition is a timeline that animates its model. */
export async function definitions(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const key = await page.evaluate(() => window.relicast.catalog.keys.find((own) => /anim\/tower-.*\.json$/.test(own)) ?? null);
  if (!key) {
    await close();
    context.skip('no animation definition');
  }
  await page.evaluate((key) => { location.hash = `#/asset/${key.split('/').map(encodeURIComponent).join('/')}`; }, key);
  await page.waitForSelector('.timeline .event');
  await page.waitForFunction(() => window.relicast.stage?.player.current !== null && window.relicast.stage !== undefined);
  const event = page.locator('.timeline .event').last();
  await event.focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.event-facts h3');
  await context.picture(page, 'timeline', { fullPage: true });
  assert.deepEqual(faults, []);
  await close();
}

/** A name of an asset in a document is a link to it, within the same install. */
export async function documentLinks(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const key = await page.evaluate(() => window.relicast.catalog.keys.find((own) => /^config\/mw\/.*\/sounds\.json$/.test(own)) ?? null);
  if (!key) {
    await close();
    context.skip('no table of sounds');
  }
  await page.evaluate((key) => { location.hash = `#/asset/${key}`; }, key);
  await page.waitForSelector('.document .tree');
  for (let step = 0; step < 6; step += 1) {
    await page.evaluate(() => document.querySelectorAll('.document details:not([open])').forEach((own) => { own.open = true; }));
    await page.waitForTimeout(80);
  }
  const links = await page.$$eval('.document .tree a', (all) => all.map((own) => own.hash));
  assert.ok(links.length > 0);
  assert.ok(links.every((own) => own.startsWith('#/asset/sounds/mw/')), links.join());
  await page.click('.document .tree a');
  await page.waitForFunction(() => document.querySelector('.sound')?.dataset.seconds !== undefined);
  assert.deepEqual(faults, []);
  await close();
  return `${links.length} links`;
}

export async function deepLinks(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const [key] = await models(page, 'catalog.b[id] > 0 && catalog.flags[id] & 2', 1);
  if (!key) {
    await close();
    context.skip('no model has clips and skins');
  }
  await open3d(page, key);
  const { clip, skin } = await page.evaluate(() => {
    const { stage } = window.relicast;
    return { clip: stage.player.clips.at(-1).name, skin: stage.variants.names.at(-1) };
  });
  await page.getByLabel('Clip').selectOption(clip);
  await page.getByLabel('Variant').selectOption(skin);
  const address = page.url();
  assert.ok(address.includes('clip='), address);
  await page.reload();
  await ready(page);
  await settled(page, 'model', key);
  await page.waitForFunction((clip) => window.relicast.stage?.player.current?.name === clip, clip);
  assert.equal(page.url(), address);
  assert.equal(await page.getByLabel('Variant').inputValue(), skin);
  assert.deepEqual(faults, []);
  await close();
}

/** Creatures open in their rest clip, not in the pose of their file. */
export async function creaturesStand(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(context.url);
  await ready(page);
  let resting = 0;
  for (const key of await models(page, "!catalog.keys[id].startsWith('worlds/')", 12)) {
    await open3d(page, key);
    const { clip, clips } = await page.evaluate(() => {
      const { player } = window.relicast.stage;
      return { clip: player.current?.name ?? null, clips: player.clips.map((own) => own.name) };
    });
    const wanted = ['stand', 'idle'].find((own) => clips.includes(own));
    if (!wanted) continue;
    assert.equal(clip, wanted, key);
    resting += 1;
  }
  if (resting === 0) context.skip('no model has a clip stand or idle');
  assert.deepEqual(faults, []);
  await close();
  return `${resting} creatures`;
}

/** A zone has only the light baked into its vertices: a surface is its picture times the vertex color, in any direction. */
export async function bakedLight(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(context.url);
  await ready(page);
  const keys = await models(page, "catalog.keys[id].startsWith('worlds/') && catalog.index.games[catalog.game[id]]?.id === 'eq'", 3);
  if (keys.length === 0) context.skip('no zone of EverQuest');
  for (const key of keys) {
    await open3d(page, key);
    const turned = () => page.evaluate(() => window.relicast.stage.root.traverse((node) => {
      const normals = node.geometry?.getAttribute('normal');
      for (let at = 0; normals && at < normals.count; at += 1) normals.setXYZ(at, -normals.getX(at), -normals.getY(at), -normals.getZ(at));
      if (normals) normals.needsUpdate = true;
    }));
    assert.equal(await differing(page, turned), 0, `${key}: the direction of surfaces matters`);
    // A light gray surface with white vertices stays that gray.
    const grays = await page.evaluate(() => {
      const { stage } = window.relicast;
      stage.looks.mode = 'plain';
      stage.looks.background = false;
      stage.apply();
      stage.root.traverse((node) => {
        const colors = node.geometry?.getAttribute('color');
        for (let at = 0; colors && at < colors.count; at += 1) colors.setXYZ(at, 1, 1, 1);
        if (colors) colors.needsUpdate = true;
      });
      stage.draw();
      const paper = document.createElement('canvas').getContext('2d');
      [paper.canvas.width, paper.canvas.height] = [stage.canvas.width, stage.canvas.height];
      paper.drawImage(stage.canvas, 0, 0);
      const { data } = paper.getImageData(0, 0, paper.canvas.width, paper.canvas.height);
      const found = new Map();
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) found.set(data[at], (found.get(data[at]) ?? 0) + 1);
      return [...found].sort((x, y) => y[1] - x[1]).slice(0, 1).map(([gray]) => gray);
    });
    if (grays.length > 0) assert.ok(Math.abs(grays[0] - 0xd0) <= 1, `${key}: ${grays} instead of ${0xd0}`);
  }
  // A missing picture of a zone is not tested here.
  assert.deepEqual(faults.filter((own) => own.startsWith('uncaught')), []);
  await close();
  return `${keys.length} zones`;
}
