// The pages: they open without errors, and support search, keys and screen readers.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { open, ready, settled } from './browser.mjs';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks that axe-core finds no serious or critical violation. */
async function checkAccess(page, what) {
  // The page's policy forbids foreign scripts; the driver evaluates this one.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
  assert.deepEqual(bad, [], what);
}

export async function report(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(context.url);
  await ready(page);
  await page.waitForSelector('.figures');
  assert.equal(await page.textContent('h1'), 'Results');
  await context.picture(page, 'report');
  await checkAccess(page, 'report, system theme');
  await page.click('.theme');
  await context.picture(page, 'report-other');
  await checkAccess(page, 'report, other theme');
  assert.deepEqual(faults, []);
  await close();
}

export async function search(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  await page.waitForSelector('.tile');
  // A display name, a stored name and a start of words, each from the catalog itself.
  const probes = await page.evaluate(() => {
    const { catalog } = window.relicast;
    const found = [];
    for (let id = 0; id < catalog.count && found.length < 40; id += 1) {
      if (catalog.titles[id]) found.push({ id, text: catalog.titles[id] });
    }
    for (let id = 0; id < catalog.count; id += Math.ceil(catalog.count / 25)) {
      found.push({ id, text: catalog.names[id] });
      if (catalog.names[id].length > 5) found.push({ id, text: catalog.names[id].slice(0, -2).toUpperCase() });
    }
    return found.filter((own) => /[\p{L}\p{N}]/u.test(own.text)).map((own) => ({ ...own, label: catalog.label(own.id) }));
  });
  assert.ok(probes.length > 10);
  for (const { id, text } of probes) {
    const has = await page.evaluate(([id, text]) => {
      const box = document.querySelector('#search');
      box.value = text;
      box.dispatchEvent(new Event('input'));
      const everything = { text, game: [], kind: [], status: [], world: [], archive: [], flags: [], sort: 'order' };
      return window.relicast.search.run(everything).ids.includes(id);
    }, [id, text]);
    assert.ok(has, `"${text}" finds asset ${id}`);
  }
  await page.fill('#search', 'walk');
  await page.waitForTimeout(200);
  const walkers = await page.$$eval('.tile .label', (all) => all.length);
  await page.waitForTimeout(2500);
  await context.picture(page, 'search');
  await page.fill('#search', 'no such thing at all');
  await page.waitForFunction(() => /No asset matches/.test(document.querySelector('.empty').textContent));
  assert.deepEqual(faults, []);
  await close();
  return `${probes.length} names, "walk" finds ${walkers} in sight`;
}

export async function browse(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  await page.waitForSelector('.tile');
  const [total, shown] = await page.evaluate(() => [window.relicast.catalog.count, document.querySelector('.found').textContent]);
  assert.ok(shown.startsWith(`${total.toLocaleString('en-US')} of`), shown);
  await checkAccess(page, 'grid');
  // A facet filters to the number that it shows.
  const label = page.locator('.facet .choice').first();
  const count = await label.locator('.count').textContent();
  await label.locator('input').check();
  await page.waitForFunction((count) => document.querySelector('.found').textContent.startsWith(`${count} of`), count);
  await page.goBack();
  await page.waitForFunction((total) => document.querySelector('.found').textContent.startsWith(`${total} of`), total.toLocaleString('en-US'));
  // Tiles draw their thumbnails.
  const model = await page.evaluate(() => {
    const { catalog } = window.relicast;
    const kind = catalog.index.kinds.findIndex((own) => own.id === 'models');
    location.hash = `#/browse?kind=${kind}`;
    return kind;
  });
  assert.ok(model >= 0);
  await page.waitForSelector('.thumb-model canvas', { timeout: 30000 });
  await page.waitForTimeout(6000);
  const drawn = await page.$$eval('.thumb-model canvas', (all) => all.map((canvas) => {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    let full = 0;
    for (let at = 3; at < pixels.length; at += 4) full += pixels[at] > 0;
    return full;
  }));
  assert.ok(drawn.every((own) => own > 50), `pixels of tiles: ${drawn}`);
  await context.picture(page, 'browse-models');
  await page.evaluate(() => { location.hash = '#/browse'; });
  await page.waitForTimeout(1500);
  await context.picture(page, 'browse-grid');
  await page.evaluate(() => { location.hash = '#/browse?view=list'; });
  await page.waitForSelector('.row');
  await page.waitForTimeout(1500);
  await context.picture(page, 'browse-list');
  await checkAccess(page, 'list');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${context.url}#/browse?view=grid`);
  await page.reload();
  await ready(page);
  await page.waitForSelector('.card');
  await page.waitForTimeout(1500);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels wider than a phone`);
  await context.picture(page, 'browse-phone');
  assert.deepEqual(faults, []);
  await close();
  return `${drawn.length} models drawn`;
}

export async function keyboard(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(context.url);
  await ready(page);
  await page.keyboard.press('g');
  await page.waitForSelector('.tile');
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
  await page.keyboard.type('a');
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  const place = () => page.evaluate(() => Number(document.activeElement.closest('.cell')?.getAttribute('aria-posinset')));
  assert.equal(await place(), 1);
  await page.keyboard.press('ArrowRight');
  assert.equal(await place(), 2);
  await page.keyboard.press('ArrowDown');
  assert.ok(await place() > 3);
  await page.keyboard.press('End');
  const [last, total] = [await place(), await page.evaluate(() => Number(document.querySelector('.cell').getAttribute('aria-setsize')))];
  assert.equal(last, total);
  await page.keyboard.press('Home');
  assert.equal(await place(), 1);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.asset h1');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.tile');
  await page.keyboard.press('?');
  await page.waitForSelector('kbd');
  await checkAccess(page, 'help');
  assert.deepEqual(faults, []);
  await close();
}

/** Every kind of asset of every game (with --small: of some game) opens, is accessible, and survives a reload. */
export async function details(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const keys = await page.evaluate((small) => {
    const { catalog } = window.relicast;
    const seen = new Map();
    for (let id = 0; id < catalog.count; id += 1) {
      const kind = `${catalog.kind[id]} ${catalog.typeOf(id)}`;
      const place = small ? kind : `${catalog.game[id]} ${kind}`;
      const own = seen.get(place) ?? [];
      if (own.length < (small ? 1 : 2)) own.push({ id, key: catalog.keys[id], type: catalog.typeOf(id), label: catalog.label(id), place });
      seen.set(place, own);
    }
    return [...seen.values()].flat();
  }, context.small);
  const pictured = new Set();
  for (const { key, type, label } of keys) {
    await page.evaluate((key) => { location.hash = `#/asset/${key.split('/').map(encodeURIComponent).join('/')}`; }, key);
    await page.waitForFunction(() => document.querySelector('.provenance') !== null, null, { timeout: 20000 });
    await settled(page, type, key);
    assert.ok((await page.textContent('.asset h1')).length > 0, label);
    if (!pictured.has(type)) {
      pictured.add(type);
      await page.waitForTimeout(300);
      await context.picture(page, `asset-${type}`);
      await checkAccess(page, `${type} ${key}`);
      await page.reload();
      await ready(page);
      await page.waitForFunction(() => document.querySelector('.provenance') !== null);
      await settled(page, type, key);
      await page.click('.provenance > summary');
      await checkAccess(page, `${type} ${key} with provenance`);
      await context.picture(page, `provenance-${type}`, { fullPage: true });
    }
    assert.deepEqual(faults, [], key);
  }
  await close();
  return `${keys.length} assets of ${pictured.size} types`;
}

/** The front page and list: cards of games, worlds and models first, titles with display names. */
export async function firstMinute(context) {
  const { page, faults, close } = await open(context.browser);
  await page.goto(context.url);
  await ready(page);
  await page.waitForSelector('.figures');
  const doors = await page.$$eval('.door span', (all) => all.map((own) => own.textContent));
  assert.ok(doors.length > 0);
  assert.deepEqual(doors.filter((own) => /^0\b/.test(own)), [], 'cards of games with nothing');
  await page.goto(`${context.url}#/browse`);
  await page.waitForSelector('.tile');
  const order = await page.evaluate(() => {
    const { catalog, search } = window.relicast;
    const everything = { text: '', game: [], kind: [], status: [], world: [], archive: [], flags: [], sort: 'order' };
    return [...search.run(everything).ids].map((id) => {
      if (catalog.typeOf(id) !== 'model') return 2;
      return catalog.index.kinds[catalog.kind[id]].id === 'worlds' ? 0 : 1;
    });
  });
  assert.deepEqual(order, [...order].sort(), 'worlds, then models, then everything else');
  assert.ok(order.includes(0) || order.includes(1), 'a world or a model');
  const named = await page.evaluate(() => {
    const { catalog } = window.relicast;
    const worlds = catalog.index.worlds.filter((own) => own.title !== '');
    return worlds.map((own) => [own.title, catalog.label(own.asset)]);
  });
  for (const [title, label] of named) assert.equal(label, title, 'the page of a world has its name');
  assert.deepEqual(faults, []);
  await close();
  return `${doors.length} cards, ${named.length} worlds with names`;
}
