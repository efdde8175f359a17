// A browser, and pages that report every error.

import { chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--autoplay-policy=no-user-gesture-required',
  '--enable-precise-memory-info',
];

export async function launch(executablePath) {
  return chromium.launch({ executablePath, args: FLAGS });
}

/** A page that collects console errors, uncaught errors and failed requests in `faults`. */
export async function open(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error}`));
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|ReadPixels|willReadFrequently/.test(text)) faults.push(`${message.type()}: ${text} ${message.location().url}`);
  });
  page.on('response', (response) => { if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`); });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, faults, close: () => context.close() };
}

export async function ready(page) {
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined, null, { timeout: 60000 });
}

/** Waits until the viewer of a type shows its asset. */
export async function settled(page, type, key) {
  const done = {
    model: () => document.querySelector('.model .counts')?.textContent.includes('draw call') === true,
    picture: () => /\d+ × \d+/.test(document.querySelector('.picture .counts')?.textContent ?? ''),
    sound: () => document.querySelector('.sound')?.dataset.seconds !== undefined,
    song: () => document.querySelector('.sound')?.dataset.seconds !== undefined,
    document: () => document.querySelector('.document .tree, .document .messages, .document .timeline') !== null,
    text: () => document.querySelector('.document pre, .document table') !== null,
    video: () => /×/.test(document.querySelector('.video .counts')?.textContent ?? ''),
  }[type];
  if (!done) return;
  await page.waitForFunction(done, null, { timeout: 30000 }).catch(async () => {
    throw new Error(`${key}: ${await page.textContent('.viewer')}`);
  });
}
