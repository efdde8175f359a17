// A server of a folder for the tests, with the policy that `relicast serve` sends.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.json': 'application/json',
  '.png': 'image/png', '.wav': 'audio/wav', '.flac': 'audio/flac', '.mp3': 'audio/mpeg', '.mp4': 'video/mp4', '.txt': 'text/plain; charset=utf-8',
};
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob: data:; "
  + "connect-src 'self' blob: data:; font-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves folders: each file from the first folder that has it. */
export async function serve(...folders) {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://host');
    const name = decodeURIComponent(pathname).replace(/^\/+/, '').replace(/(^|\/)$/, '$1index.html');
    const file = name.split('/').includes('..') ? undefined
      : folders.map((folder) => path.join(folder, name)).find((own) => fs.existsSync(own) && fs.statSync(own).isFile());
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const { size } = fs.statSync(file);
    const head = {
      'content-type': TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream', 'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes',
    };
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    const [from, to] = range ? [Number(range[1]), range[2] ? Math.min(Number(range[2]), size - 1) : size - 1] : [0, size - 1];
    if (range) head['content-range'] = `bytes ${from}-${to}/${size}`;
    head['content-length'] = String(Math.max(to - from + 1, 0));
    response.writeHead(range ? 206 : 200, head);
    fs.createReadStream(file, { start: from, end: Math.max(to, 0) }).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
