// Renders a glTF file to a PNG in a headless browser and prints a line of JSON about it; with `rounds`, the load times
// instead.
// Usage: node render.mjs < job in JSON; see `Job` in xtask/src/render.rs

import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.gltf': 'model/gltf+json',
  '.glb': 'model/gltf-binary',
  '.png': 'image/png',
};

const here = path.dirname(fileURLToPath(import.meta.url));
const job = JSON.parse(fs.readFileSync(0, 'utf8'));
const three = path.join(job.modules, 'node_modules/three');
const { chromium } = createRequire(path.join(job.modules, 'package.json'))('playwright-core');

// Files for the paths of requests: the page, three.js, and files as /files/<path>.
function fileOf(request) {
  const { pathname } = new URL(request, 'http://host');
  if (pathname.startsWith('/files/')) {
    return fileURLToPath(`file:///${pathname.slice('/files/'.length)}`);
  }
  if (pathname.startsWith('/three/')) {
    return path.join(three, pathname.slice('/three/'.length));
  }
  return path.join(here, pathname);
}

const server = http.createServer((request, response) => {
  try {
    const file = fileOf(request.url);
    const type = TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
    const bytes = fs.readFileSync(file);
    response.writeHead(200, { 'content-type': type }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({ executablePath: job.browser, args: BROWSER_FLAGS });
const faults = [];
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const { url } = message.location();
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|favicon/.test(message.text() + url)) {
      faults.push(`${message.text()} ${decodeURIComponent(url.replace(origin, ''))}`.trim());
    }
  });
  await page.goto(`${origin}/page.html`);
  await page.waitForFunction(() => 'drawSheet' in window && 'loadTimes' in window);
  const url = pathToFileURL(job.file).href.replace('file:///', '/files/');
  if (job.rounds) {
    const times = await page.evaluate((job) => window.loadTimes(job), { rounds: job.rounds, url });
    console.log(JSON.stringify({ ...times, faults }));
  } else {
    const { png, ...about } = await page.evaluate((job) => window.drawSheet(job), { ...job, url });
    fs.writeFileSync(job.out, Buffer.from(png, 'base64'));
    console.log(JSON.stringify({ ...about, faults }));
  }
} catch (error) {
  console.log(JSON.stringify({ error: String(error.message ?? error).split('\n')[0], faults }));
} finally {
  await browser.close();
  server.close();
}
