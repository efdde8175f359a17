// Speed of lists with 110,000 assets. Figures are printed; only much larger ones are failures.

import assert from 'node:assert/strict';
import { open, ready } from './browser.mjs';

export const someAssets = (context) => measure(context, 5000);
export const manyAssets = (context) => measure(context, 110000);

async function measure(context, count) {
  const url = await context.made(count);
  const { page, faults, close } = await open(context.browser);
  const start = Date.now();
  await page.goto(`${url}#/browse`);
  await page.waitForSelector('.tile');
  const first = Date.now() - start;
  await ready(page);
  const all = Date.now() - start;
  const figures = await page.evaluate(async () => {
    const { catalog, search } = window.relicast;
    await search.prepare();
    const query = (text) => ({ text, game: [], kind: [], status: [], world: [], archive: [], flags: [], sort: 'order' });
    const times = ['m', 'mad', 'madcat', 'madcat walk', 'qeynos lamp', 'zone', 'nothing'].map((text) => {
      const began = performance.now();
      search.run(query(text));
      return performance.now() - began;
    });
    const scroll = async (steps, stride) => {
      const gaps = [];
      let last = performance.now();
      for (let step = 0; step < steps; step += 1) {
        scrollBy(0, stride);
        await new Promise((done) => requestAnimationFrame(done));
        const now = performance.now();
        gaps.push(now - last);
        last = now;
      }
      gaps.sort((x, y) => x - y);
      return [gaps[gaps.length >> 1], gaps[Math.floor(gaps.length * 0.95)]];
    };
    // By wheel, then by jumps through the whole list, each of which shows only new assets.
    const wheel = await scroll(120, 160);
    const jumps = await scroll(60, Math.floor(document.documentElement.scrollHeight / 61));
    const inSight = [...document.querySelectorAll('.cell')].some((cell) => {
      const box = cell.getBoundingClientRect();
      return box.bottom > 0 && box.top < innerHeight;
    });
    return {
      assets: catalog.count, search: Math.max(...times), wheel, jumps,
      memory: performance.memory ? performance.memory.usedJSHeapSize / 2 ** 20 : 0, inSight, cells: document.querySelectorAll('.cell').length,
    };
  });
  assert.ok(figures.inSight, 'something is in sight after scrolling');
  assert.ok(figures.cells < 400, `${figures.cells} cells are kept`);
  assert.ok(first < 10000 && all < 20000, `opening took ${first} and ${all} ms`);
  await page.waitForTimeout(300);
  await context.picture(page, `many-${count}`);
  assert.deepEqual(faults, []);
  await close();
  return `${figures.assets} assets: first tiles after ${first} ms, all after ${all} ms; slowest search ${figures.search.toFixed(0)} ms; `
    + `frames by the wheel: median ${figures.wheel[0].toFixed(0)} ms, 95 of 100 below ${figures.wheel[1].toFixed(0)} ms; by jumps: ${figures.jumps[0].toFixed(0)} and ${figures.jumps[1].toFixed(0)} ms; ${figures.memory.toFixed(0)} MiB`;
}
