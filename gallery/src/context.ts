// What every part of the page needs.

import type { Catalogue } from './catalogue.ts';
import type { Files } from './files.ts';
import type { Search } from './search.ts';

export interface Context {
  readonly files: Files;
  readonly catalogue: Catalogue;
  readonly search: Search;
}

/** A part of the page that is put away when another page is opened. */
export interface View {
  readonly element: HTMLElement;
  dispose?(): void;
}
