// Builds the page: src/ → dist/. The same sources give the same bytes.

import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(here, 'dist');
const LIMIT = 1.5 * 1024 * 1024;
fs.rmSync(dist, { recursive: true, force: true });
fs.mkdirSync(dist);

const built = await esbuild.build({
  absWorkingDir: here,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/app.js',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  charset: 'ascii',
  metafile: true,
});
fs.copyFileSync(path.join(here, 'src/index.html'), path.join(dist, 'index.html'));
const css = await esbuild.build({
  absWorkingDir: here, entryPoints: ['src/app.css'], write: false, minify: true, target: 'es2022', charset: 'utf8',
});
fs.writeFileSync(path.join(dist, 'app.css'), css.outputFiles[0].contents);

// Licenses of the packages that are in the bundle.
const packages = new Set();
for (const input of Object.keys(built.metafile.inputs)) {
  const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
const notices = [...packages].sort().map((name) => {
  const folder = path.join(here, 'node_modules', name);
  const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = fs.readdirSync(folder).sort().find((own) => /^licen[cs]e/i.test(own));
  if (!file) throw new Error(`${name} comes without its license`);
  return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()}\n`;
});
const head = 'This page is part of relicast (MIT OR Apache-2.0). It holds these packages:\n';
fs.writeFileSync(path.join(dist, 'licenses.txt'), `${head}\n${notices.join(`\n${'-'.repeat(72)}\n\n`)}`);

const files = fs.readdirSync(dist).sort();
fs.writeFileSync(path.join(dist, 'files.txt'), files.map((name) => `${name}\n`).join(''));
let compressed = 0;
for (const name of files) {
  const bytes = fs.readFileSync(path.join(dist, name));
  const small = zlib.gzipSync(bytes, { level: 9 }).length;
  compressed += small;
  console.log(`${name}: ${bytes.length} bytes, ${small} compressed`);
}
console.log(`${compressed} bytes compressed in all`);
if (compressed > LIMIT) throw new Error(`the bundle is larger than ${LIMIT} bytes`);
