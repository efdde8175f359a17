// Tests of the gallery in a real browser.
// Usage: node test/run.mjs (--gallery DIR | --url URL) [--screenshots DIR] [--speed DIR] [--browser FILE] [--only PART] [--small]
// With --small, fewer assets are opened, and the tests in LARGE are left out.
// The last line has the numbers of passed, failed and skipped tests; exit code 1 if one failed.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launch } from './browser.mjs';
import { make } from './made.mjs';
import { serve } from './server.mjs';
import * as pages from './pages.mjs';
import * as viewers from './viewers.mjs';
import * as safety from './safety.mjs';
import * as speed from './speed.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    gallery: { type: 'string' }, url: { type: 'string' }, screenshots: { type: 'string' }, speed: { type: 'string' },
    browser: { type: 'string', default: '/usr/bin/chromium' }, only: { type: 'string' }, small: { type: 'boolean', default: false },
  },
});
if (!values.gallery && !values.url) throw new Error('expected --gallery DIR or --url URL');
/** Tests that --small leaves out. */
const LARGE = new Set(['clipsMove', 'creaturesStand', 'manyAssets', 'skinsChange', 'someAssets', 'walking']);
const outcome = { passed: 0, failed: 0, skipped: 0 };
class Skip extends Error {}

const folders = [];
const servers = [];
/** Address of a generated gallery with this number of assets. */
async function made(count) {
  let folder = count === 110000 ? values.speed : undefined;
  if (!folder) {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'relicast-made-'));
    folders.push(folder);
    make(folder, count);
  }
  const server = await serve(folder, dist);
  servers.push(server);
  return server.url;
}
const dist = path.join(here, '../dist');
// A gallery below OUT/gallery reads outputs from the folder above it.
const nested = values.gallery && JSON.parse(fs.readFileSync(path.join(values.gallery, 'data/index.json'), 'utf8')).base.startsWith('../');
const server = values.gallery ? await serve(nested ? path.dirname(path.resolve(values.gallery)) : values.gallery) : null;
const base = values.url ?? (nested ? `${server.url}${encodeURIComponent(path.basename(path.resolve(values.gallery)))}/` : server.url);
const browser = await launch(values.browser);
const context = {
  browser, url: base.endsWith('/') || base.includes('?') ? base : `${base}/`, made, folder: values.gallery ?? null, small: values.small,
  skip: (why) => { throw new Skip(why); },
  async picture(page, name, options = {}) {
    if (!values.screenshots) return;
    fs.mkdirSync(values.screenshots, { recursive: true });
    await page.screenshot({ path: path.join(values.screenshots, `${name}.png`), ...options });
  },
};

try {
  for (const tests of [pages, viewers, safety, speed]) {
    for (const [name, test] of Object.entries(tests)) {
      if (values.only && !name.includes(values.only)) continue;
      if (values.small && LARGE.has(name)) continue;
      const start = Date.now();
      try {
        const result = await test(context);
        outcome.passed += 1;
        console.log(`ok ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)${result ? `: ${result}` : ''}`);
      } catch (error) {
        if (error instanceof Skip) {
          outcome.skipped += 1;
          console.log(`skipped ${name}: ${error.message}`);
        } else {
          outcome.failed += 1;
          console.log(`FAILED ${name}: ${error.stack ?? error}`);
        }
      }
    }
  }
} finally {
  await browser.close();
  server?.close();
  servers.forEach((own) => own.close());
  folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true }));
}
console.log(`${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped`);
process.exit(outcome.failed > 0 ? 1 : 0);
