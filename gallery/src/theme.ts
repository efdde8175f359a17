// Dark or light: the system's setting, until the user selects one.

type Theme = 'dark' | 'light';

export function theme(): Theme {
  const own = document.documentElement.dataset.theme;
  return own === 'dark' || own === 'light' ? own : 'dark';
}

export function start(): void {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem('relicast-theme');
  } catch {
    // Pages opened as files may have no storage.
  }
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  document.documentElement.dataset.theme = kept === 'dark' || kept === 'light' ? kept : system;
}

export function other(): void {
  const next: Theme = theme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem('relicast-theme', next);
  } catch {
    // As above.
  }
  dispatchEvent(new Event('themechange'));
}
