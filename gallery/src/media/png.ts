// Header of a PNG file: color type and palette.

export interface PngHead { width: number; height: number; bits: number; color: string; palette: string[]; alphas: number[] }

const COLORS: Record<number, string> = { 0: 'gray', 2: 'red, green, blue', 3: 'palette', 4: 'gray and alpha', 6: 'red, green, blue, alpha' };

export function pngHead(bytes: ArrayBuffer): PngHead | null {
  const view = new DataView(bytes);
  if (view.byteLength < 33 || view.getUint32(0) !== 0x89504e47) return null;
  const head: PngHead = {
    width: view.getUint32(16), height: view.getUint32(20), bits: view.getUint8(24),
    color: COLORS[view.getUint8(25)] ?? 'unknown', palette: [], alphas: [],
  };
  let at = 8;
  while (at + 12 <= view.byteLength) {
    const length = view.getUint32(at);
    const id = view.getUint32(at + 4);
    if (at + 12 + length > view.byteLength || id === 0x49444154) break;
    if (id === 0x504c5445) {
      for (let place = 0; place + 3 <= length; place += 3) {
        const part = [0, 1, 2].map((own) => view.getUint8(at + 8 + place + own).toString(16).padStart(2, '0'));
        head.palette.push(`#${part.join('')}`);
      }
    } else if (id === 0x74524e53) {
      for (let place = 0; place < length; place += 1) head.alphas.push(view.getUint8(at + 8 + place));
    }
    at += 12 + length;
  }
  return head;
}
