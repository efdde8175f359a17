// Sounds: samples from the browser's decoder, loops and cue points of RIFF files, and the waveform.

/** Samples of all channels at a rate, from -1 to 1. */
export interface Sound { rate: number; channels: Float32Array[]; seconds: number }

/** Decodes a sound. PCM in WAV files is read directly, at its own rate; the browser decodes everything else. */
export async function decode(bytes: ArrayBuffer): Promise<Sound> {
  const pcm = pcmOf(bytes);
  if (pcm) return pcm;
  const rate = flacRate(bytes) ?? 44100;
  const context = new OfflineAudioContext(1, 1, rate);
  const buffer = await context.decodeAudioData(bytes.slice(0));
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, own) => buffer.getChannelData(own));
  return { rate: buffer.sampleRate, channels, seconds: buffer.duration };
}

interface Piece { id: string; start: number; length: number }

function pieces(view: DataView): Piece[] {
  const found: Piece[] = [];
  if (view.byteLength < 12 || text(view, 0) !== 'RIFF' || text(view, 8) !== 'WAVE') return found;
  let at = 12;
  while (at + 8 <= view.byteLength) {
    const length = Math.min(view.getUint32(at + 4, true), view.byteLength - at - 8);
    found.push({ id: text(view, at), start: at + 8, length });
    at += 8 + length + (length & 1);
  }
  return found;
}

function text(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

function pcmOf(bytes: ArrayBuffer): Sound | null {
  const view = new DataView(bytes);
  const parts = pieces(view);
  const format = parts.find((part) => part.id === 'fmt ');
  const data = parts.find((part) => part.id === 'data');
  if (!format || !data || format.length < 16 || view.getUint16(format.start, true) !== 1) return null;
  const count = view.getUint16(format.start + 2, true);
  const rate = view.getUint32(format.start + 4, true);
  const bits = view.getUint16(format.start + 14, true);
  if (count < 1 || count > 32 || rate < 1 || ![8, 16, 24, 32].includes(bits)) return null;
  const width = bits / 8;
  const length = Math.floor(data.length / (width * count));
  const channels = Array.from({ length: count }, () => new Float32Array(length));
  let at = data.start;
  for (let sample = 0; sample < length; sample += 1) {
    for (let channel = 0; channel < count; channel += 1) {
      let value: number;
      if (width === 1) value = (view.getUint8(at) - 128) / 128;
      else if (width === 2) value = view.getInt16(at, true) / 32768;
      else if (width === 3) value = (view.getInt16(at + 1, true) * 256 + view.getUint8(at)) / 8388608;
      else value = view.getInt32(at, true) / 2147483648;
      channels[channel]![sample] = value;
      at += width;
    }
  }
  return { rate, channels, seconds: length / rate };
}

function flacRate(bytes: ArrayBuffer): number | null {
  const view = new DataView(bytes);
  if (bytes.byteLength < 42 || text(view, 0) !== 'fLaC') return null;
  const rate = (view.getUint32(18) >>> 12) & 0xfffff;
  return rate >= 3000 && rate <= 768000 ? rate : null;
}

/** Loops and cue points in seconds. */
export interface Marks { loops: { start: number; end: number }[]; cues: { at: number; name: string }[] }

export function marks(bytes: ArrayBuffer): Marks {
  const view = new DataView(bytes);
  const found: Marks = { loops: [], cues: [] };
  const parts = pieces(view);
  const format = parts.find((part) => part.id === 'fmt ');
  const rate = format && format.length >= 8 ? view.getUint32(format.start + 4, true) : 0;
  if (rate === 0) return found;
  for (const { id, start, length } of parts) {
    if (id === 'smpl' && length >= 36) {
      const count = Math.min(view.getUint32(start + 28, true), Math.floor((length - 36) / 24));
      for (let loop = 0; loop < count; loop += 1) {
        const at = start + 36 + loop * 24;
        // A loop includes its last sample.
        found.loops.push({ start: view.getUint32(at + 8, true) / rate, end: (view.getUint32(at + 12, true) + 1) / rate });
      }
    } else if (id === 'cue ' && length >= 4) {
      const count = Math.min(view.getUint32(start, true), Math.floor((length - 4) / 24));
      for (let cue = 0; cue < count; cue += 1) {
        const at = start + 4 + cue * 24;
        found.cues.push({ at: view.getUint32(at + 20, true) / rate, name: String(view.getUint32(at, true)) });
      }
    }
  }
  return found;
}

/** Draws the maximum and minimum sample of each column, a band for each channel. */
export function drawWave(canvas: HTMLCanvasElement, sound: Sound, color: string): void {
  const paper = canvas.getContext('2d')!;
  const { width, height } = canvas;
  paper.clearRect(0, 0, width, height);
  paper.fillStyle = color.trim() || '#4aa3ff';
  const band = height / Math.max(sound.channels.length, 1);
  sound.channels.forEach((samples, channel) => {
    const middle = band * (channel + 0.5);
    for (let column = 0; column < width; column += 1) {
      const from = Math.floor((column / width) * samples.length);
      const to = Math.max(Math.floor(((column + 1) / width) * samples.length), from + 1);
      let low = 1;
      let high = -1;
      const stride = Math.max(1, Math.floor((to - from) / 2000));
      for (let at = from; at < to && at < samples.length; at += stride) {
        const value = samples[at]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      if (high < low) continue;
      const top = middle - high * band * 0.47;
      paper.fillRect(column, top, 1, Math.max((high - low) * band * 0.47, 1));
    }
  });
}
