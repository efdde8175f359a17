// Shared state of the page.

import type { Catalog } from './catalog.ts';
import type { Files } from './files.ts';
import type { Search } from './search.ts';

export interface Context {
  readonly files: Files;
  readonly catalog: Catalog;
  readonly search: Search;
}

/** A view that is closed when another page is opened. */
export interface View {
  readonly element: HTMLElement;
  dispose?(): void;
}
