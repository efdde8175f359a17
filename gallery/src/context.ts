// Shared state of the page.

import type { Catalogue } from './catalogue.ts';
import type { Files } from './files.ts';
import type { Search } from './search.ts';

export interface Context {
  readonly files: Files;
  readonly catalogue: Catalogue;
  readonly search: Search;
}

/** A view that is closed when another page is opened. */
export interface View {
  readonly element: HTMLElement;
  dispose?(): void;
}
