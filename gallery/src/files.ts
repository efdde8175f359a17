// Loads files: from a web server, or from scripts if the page was opened as a file.

import { encodePath } from './text.ts';

interface Put { put(name: string, text: string): void }
declare global {
  interface Window { relicast: Put & { [own: string]: unknown } }
}

const arrived = new Map<string, string>();
const waiting = new Map<string, (text: string) => void>();

/** Defines the function that scripts with embedded files call. */
export function listen(): void {
  window.relicast = {
    put(name, text) {
      const wanted = waiting.get(name);
      waiting.delete(name);
      if (wanted) wanted(text);
      else arrived.set(name, text);
    },
  };
}

const TYPES: Record<string, string> = {
  png: 'image/png', jpg: 'image/jpeg', wav: 'audio/wav', flac: 'audio/flac', mp3: 'audio/mpeg', ogg: 'audio/ogg',
  mp4: 'video/mp4', webm: 'video/webm', json: 'application/json', bin: 'application/octet-stream',
};

/** Error: the page was opened as a file, and the requested file is not embedded in a script. */
export class NotEmbedded extends Error {
  constructor(readonly path: string) {
    super('This gallery was opened as a file, and browsers do not let such a page read other files. '
      + 'Open it with `relicast serve`, or make it with `relicast gallery --embed all`.');
  }
}

export class Files {
  readonly local = location.protocol === 'file:';
  base = '';
  embed: 'none' | 'models' | 'all' = 'none';
  private places: Promise<Map<string, number>> | null = null;
  private readonly blobs = new Map<string, Promise<string>>();

  /** Loads a file of the catalog. */
  async data(name: string): Promise<any> {
    if (this.local) return JSON.parse(await script(`${name}.js`, name));
    const response = await fetch(encodePath(name));
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    return response.json();
  }

  /** Address of an output for <img>, <audio>, <video> and links, which also works in pages opened as files. */
  link(path: string): string {
    return this.base + encodePath(path);
  }

  /** Address for fetching the bytes of an output. */
  async address(path: string): Promise<string> {
    if (!this.local) return this.link(path);
    let made = this.blobs.get(path);
    if (!made) {
      made = this.bytes(path).then((bytes) => {
        const ending = path.slice(path.lastIndexOf('.') + 1);
        return URL.createObjectURL(new Blob([bytes], { type: TYPES[ending] ?? 'application/octet-stream' }));
      });
      this.blobs.set(path, made);
      made.catch(() => this.blobs.delete(path));
    }
    return made;
  }

  async bytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    if (this.local) return this.unwrapped(path);
    const response = await fetch(this.link(path), signal ? { signal } : {});
    if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
  }

  async text(path: string): Promise<string> {
    return new TextDecoder().decode(await this.bytes(path));
  }

  async json(path: string): Promise<any> {
    return JSON.parse(await this.text(path));
  }

  private async unwrapped(path: string): Promise<ArrayBuffer> {
    if (this.embed === 'none') throw new NotEmbedded(path);
    this.places ??= this.data('data/embed.json').then((list) =>
      new Map((list.paths as string[]).map((own, place) => [own, place])));
    const place = (await this.places).get(path);
    if (place === undefined) throw new NotEmbedded(path);
    const text = await script(`embed/${Math.floor(place / 1000)}/${place}.js`, `out/${path}`);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return bytes.buffer;
  }
}

/** Loads a script with an embedded file, and returns its content. */
function script(url: string, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const early = arrived.get(name);
    if (early !== undefined) {
      resolve(early);
      return;
    }
    const element = document.createElement('script');
    const fail = () => {
      waiting.delete(name);
      element.remove();
      reject(new Error(`${name} could not be loaded`));
    };
    waiting.set(name, (text) => {
      element.remove();
      resolve(text);
    });
    element.onerror = fail;
    element.onload = () => { if (waiting.has(name)) fail(); };
    element.src = encodePath(url);
    document.head.append(element);
  });
}
