// Hostile names do no harm, and pages opened as files work.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { open, ready, settled } from './browser.mjs';
import { make } from './hostile.mjs';
import { serve } from './server.mjs';

/** Checks that no content of a name became markup of the page. */
async function harmless(page, what) {
  const odd = await page.evaluate(() => ({
    harmed: window.harmed === true,
    foreign: [...document.querySelectorAll('script, iframe, object, embed, svg')].filter((own) => own.getAttribute('src') !== 'app.js').length,
    pictures: [...document.querySelectorAll('img')].filter((own) => own.getAttribute('src') === 'x').length,
    links: [...document.querySelectorAll('a[href]')].map((own) => own.protocol).filter((own) => own !== location.protocol && own !== 'blob:'),
    handlers: [...document.querySelectorAll('*')].filter((own) => own.getAttributeNames().some((name) => name.startsWith('on'))).length,
    turned: [...document.querySelectorAll('h1, dd, a, td, li, option, button')].filter((own) => /[\u202a-\u202e\u2066-\u2069]/u.test(own.textContent)).length,
  }));
  assert.deepEqual(odd, { harmed: false, foreign: 0, pictures: 0, links: [], handlers: 0, turned: 0 }, what);
}

/** Opens a gallery of hostile names. */
export async function hostileMade(context) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'relicast-hostile-'));
  try {
    return await hostileIn(context, folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function hostileIn(context, folder) {
  const rows = make(folder);
  const server = await serve(folder, path.join(path.dirname(fileURLToPath(import.meta.url)), '../dist'));
  const { page, faults, close } = await open(context.browser);
  const asked = [];
  page.on('request', (request) => { if (!request.url().startsWith(server.url) && !/^(blob|data):/.test(request.url())) asked.push(request.url()); });
  await page.addInitScript(() => { window.alert = () => { window.harmed = true; }; });
  for (const hash of ['#/', '#/browse', '#/browse?view=list', '#/help', '#/browse?game=__proto__&sort=%3Cb%3E', '#/asset/%E0%A4%A', '#/asset/__proto__', '#/asset/javascript:alert(1)']) {
    await page.goto(`${server.url}${hash}`);
    await page.reload();
    await ready(page);
    await page.waitForTimeout(250);
    await harmless(page, hash);
  }
  for (const { key, type } of rows) {
    await page.evaluate((key) => { location.hash = `#/asset/${key.split('/').map(encodeURIComponent).join('/')}`; }, key);
    await page.waitForFunction(() => document.querySelector('.provenance') !== null, null, { timeout: 20000 });
    if (['document', 'text', 'sound', 'model'].includes(type)) await settled(page, type, key);
    await page.evaluate(() => document.querySelectorAll('details').forEach((own) => { own.open = true; }));
    await page.waitForTimeout(20);
    await harmless(page, `${type} ${key}`);
  }
  await context.picture(page, 'hostile-made');
  await close();
  server.close();
  // Pictures at such addresses are resolved below the outputs, where there are none.
  assert.deepEqual(asked, [], 'no request to other hosts');
  assert.deepEqual(faults.filter((own) => !/404|Couldn't load texture/.test(own)), []);
  return `${rows.length} assets`;
}

export async function hostileNames(context) {
  const { page, faults, close } = await open(context.browser);
  await page.addInitScript(() => { window.alert = () => { window.harmed = true; }; });
  await page.goto(`${context.url}#/browse`);
  await ready(page);
  const ids = await page.evaluate(() => {
    const { catalog } = window.relicast;
    const bad = /[<>"'\u202a-\u202e\u2066-\u2069]|javascript:|^.{200,}$/u;
    const found = [];
    for (let id = 0; id < catalog.count; id += 1) {
      if ([catalog.names[id], catalog.titles[id], catalog.keys[id], catalog.terms[id]].some((text) => bad.test(text))) found.push(id);
    }
    return found.slice(0, 60);
  });
  if (ids.length === 0) {
    await close();
    context.skip('no hostile names in this gallery');
  }
  for (const id of ids) {
    const { type, name } = await page.evaluate((id) => {
      const { catalog } = window.relicast;
      location.hash = `#/browse?q=${encodeURIComponent(catalog.names[id])}`;
      return { type: catalog.typeOf(id), name: catalog.names[id] };
    }, id);
    await page.waitForTimeout(60);
    const key = await page.evaluate((id) => {
      const key = window.relicast.catalog.keys[id];
      location.hash = `#/asset/${key.split('/').map(encodeURIComponent).join('/')}`;
      return key;
    }, id);
    await page.waitForFunction(() => document.querySelector('.provenance') !== null, null, { timeout: 20000 });
    await settled(page, type, key);
    await harmless(page, name);
  }
  await page.evaluate((id) => { location.hash = `#/browse?q=${encodeURIComponent(window.relicast.catalog.names[id].slice(0, 12))}`; }, ids[0]);
  await page.waitForTimeout(800);
  await context.picture(page, 'hostile');
  assert.deepEqual(faults, []);
  await close();
  return `${ids.length} names`;
}

export async function openedAsFile(context) {
  if (!context.folder) context.skip('a running server has no file to open');
  const { page, faults, close } = await open(context.browser);
  await page.goto(pathToFileURL(path.join(path.resolve(context.folder), 'index.html')).href);
  await page.waitForFunction(() => document.querySelector('main').childElementCount > 0);
  const opened = await ready(page).then(() => true, () => false);
  if (!opened) {
    const text = await page.textContent('main');
    await close();
    context.skip(`the catalog is not written for pages opened as files: ${text.slice(0, 80)}`);
  }
  const embed = await page.evaluate(() => window.relicast.catalog.index.embed);
  if (embed !== 'all') assert.ok((await page.textContent('body')).includes('opened as a file'));
  const types = embed === 'none' ? ['picture'] : ['model', 'picture', 'sound', 'document', 'text'];
  for (const type of types) {
    const key = await page.evaluate((type) => {
      const { catalog } = window.relicast;
      for (let id = 0; id < catalog.count; id += 1) {
        if (catalog.typeOf(id) === type) {
          location.hash = `#/asset/${catalog.keys[id].split('/').map(encodeURIComponent).join('/')}`;
          return catalog.keys[id];
        }
      }
      return null;
    }, type);
    if (key) {
      await page.waitForFunction(() => document.querySelector('.provenance') !== null);
      await settled(page, type, key);
      await context.picture(page, `file-${type}`);
    }
  }
  assert.deepEqual(faults, []);
  await close();
  return `embed = ${embed}: ${types.join(', ')}`;
}
