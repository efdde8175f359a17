// Notes of a MIDI file, for a piano roll and a simple player.

export interface Note { at: number; lasts: number; key: number; channel: number; velocity: number }
export interface Song { notes: Note[]; seconds: number; markers: { at: number; text: string }[] }

export function song(bytes: ArrayBuffer): Song | null {
  const view = new DataView(bytes);
  if (view.byteLength < 14 || view.getUint32(0) !== 0x4d546864) return null;
  const division = view.getUint16(12);
  if (division & 0x8000 || division === 0) return null;
  const events: { tick: number; order: number; run: (seconds: number) => void; tempo?: number }[] = [];
  const found: Song = { notes: [], seconds: 0, markers: [] };
  let at = 8 + view.getUint32(4);
  while (at + 8 <= view.byteLength) {
    const length = Math.min(view.getUint32(at + 4), view.byteLength - at - 8);
    if (view.getUint32(at) === 0x4d54726b) track(view, at + 8, at + 8 + length, events, found);
    at += 8 + length;
  }
  events.sort((x, y) => x.tick - y.tick || x.order - y.order);
  let [tick, time, tempo] = [0, 0, 500000];
  for (const event of events) {
    time += ((event.tick - tick) / division) * (tempo / 1e6);
    tick = event.tick;
    if (event.tempo) tempo = event.tempo;
    event.run(time);
  }
  found.seconds = time;
  return found;
}

function track(view: DataView, from: number, end: number, events: any[], found: Song): void {
  let at = from;
  let tick = 0;
  let status = 0;
  const open = new Map<number, Note>();
  const variable = () => {
    let value = 0;
    while (at < end) {
      const byte = view.getUint8(at);
      at += 1;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < end) {
    tick += variable();
    if (at >= end) break;
    if (view.getUint8(at) >= 0x80) {
      status = view.getUint8(at);
      at += 1;
    }
    const order = events.length;
    if (status === 0xff || status === 0xf0 || status === 0xf7) {
      const type = status === 0xff && at < end ? view.getUint8(at++) : 0;
      const length = Math.min(variable(), end - at);
      if (type === 0x51 && length === 3) {
        events.push({ tick, order, tempo: view.getUint16(at) * 256 + view.getUint8(at + 2), run: () => undefined });
      } else if (type === 0x06) {
        const text = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at, length));
        events.push({ tick, order, run: (time: number) => found.markers.push({ at: time, text }) });
      } else if (type === 0x2f) {
        events.push({ tick, order, run: () => undefined });
      }
      at += length;
      continue;
    }
    const [high, channel] = [status & 0xf0, status & 0x0f];
    const data = Math.min(high === 0xc0 || high === 0xd0 ? 1 : 2, end - at);
    const key = data > 0 ? view.getUint8(at) : 0;
    const velocity = data > 1 ? view.getUint8(at + 1) : 0;
    at += data;
    if (high !== 0x80 && high !== 0x90) continue;
    const place = channel * 128 + key;
    events.push({
      tick, order,
      run: (time: number) => {
        const before = open.get(place);
        if (before) before.lasts = time - before.at;
        open.delete(place);
        if (high === 0x90 && velocity > 0) {
          const note = { at: time, lasts: 0.05, key, channel, velocity };
          open.set(place, note);
          found.notes.push(note);
        }
      },
    });
  }
}
