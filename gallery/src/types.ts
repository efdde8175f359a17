// Types of the catalog; see docs/gallery.md.

export type Type = 'model' | 'picture' | 'sound' | 'song' | 'video' | 'document' | 'text' | 'file' | 'none';
export interface Chunks { size: number; count: number }
export interface Game { id: string; title: string; assets: number }
export interface Kind { id: string; title: string; assets: number }
export interface World { name: string; title: string; game: number; assets: number; asset: number | null }
export interface Archive { path: string; game: number; assets: number; asset: number | null }
export interface Flag { id: string; title: string; assets: number }

export interface Index {
  format: number;
  program: string;
  base: string;
  served: boolean;
  embed: 'none' | 'models' | 'all';
  complete: boolean;
  assets: number;
  list: Chunks;
  detail: Chunks;
  games: Game[];
  kinds: Kind[];
  types: Type[];
  statuses: string[];
  worlds: World[];
  archives: Archive[];
  flags: Flag[];
  counts: Record<string, number>;
}

export interface ListChunk {
  first: number;
  count: number;
  game: number[];
  kind: number[];
  type: number[];
  status: number[];
  world: number[];
  archive: number[];
  flags: number[];
  dirs: string[];
  dir: number[];
  file: string[];
  name: string[];
  title: string[];
  terms: string[];
  size: number[];
  a: number[];
  b: number[];
  thumb?: Record<string, string>;
}

export interface Output { path: string; role: string; size: number; blake3: string; key?: string; tool?: string }
export type Edge = [id: number, what: string];

export interface Detail {
  id: number;
  key: string;
  source?: { path: string; size?: number; blake3?: string; input?: number };
  member?: string;
  range?: [number, number];
  packing?: string;
  disc?: Record<string, unknown>;
  cabinet?: Record<string, unknown>;
  outputs?: Output[];
  converter?: string;
  settings?: string;
  madeFrom?: string[];
  status?: string;
  reason?: string;
  deviations?: { total: number; first: string[] };
  notes?: string[];
  missing?: number[];
  checks?: unknown;
  names?: { text: string; language?: string; from?: string }[];
  facts?: any;
  uses?: Edge[];
  usedBy?: Edge[];
  links?: Record<string, number>;
  commands?: { what: string; command: string }[];
}
