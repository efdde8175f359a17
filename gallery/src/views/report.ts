// The front page: converted, skipped and failed files with reasons, deviations, and discs.

import { append, h, replace, visible, type Child } from '../dom.ts';
import type { Context, View } from '../context.ts';
import * as router from '../router.ts';
import { count, many, size } from '../text.ts';

const ROWS = 100;

export class ReportView implements View {
  readonly element = h('div', { class: 'report' });

  constructor(private readonly context: Context) {
    document.title = 'relicast gallery';
    void this.open();
  }

  private async open(): Promise<void> {
    const { index } = this.context.catalog;
    replace(this.element, h('h1', { tabindex: '-1' }, 'Results'), this.games());
    let report: any;
    try {
      report = await this.context.files.data('data/report.json');
    } catch (error) {
      append(this.element, [h('p', { class: 'note' }, `The report cannot be shown: ${(error as Error).message}`)]);
      return;
    }
    const { totals = {} } = report;
    const figures: [string, string][] = [
      ['assets', count(index.assets)], ['output files', count(totals.outputs ?? 0)], ['output size', size(totals.outputBytes ?? 0)],
      ['sources', count(totals.files ?? 0)], ['source size', size(totals.bytes ?? 0)],
      ['skipped', count(totals.skipped ?? 0)], ['failed', count(totals.failed ?? 0)], ['deviations', count(totals.deviations ?? 0)],
    ];
    if (Number.isFinite(totals.seconds)) figures.push(['processor time', `${totals.seconds.toFixed(1)} s`]);
    append(this.element, [
      report.complete === false ? h('p', { class: 'warning', role: 'alert' }, 'The last run was interrupted: some outputs are missing.') : null,
      h('dl', { class: 'figures' }, ...figures.map(([title, value]) => h('div', {}, h('dt', {}, title), h('dd', {}, value)))),
      this.table(report), this.editions(report), this.grouped('Failed', 'failed', report.failed), this.grouped('Skipped', 'skipped', report.skipped),
      this.findings(report), this.deviations(report), this.discs(report), this.run(report),
    ]);
  }

  /** Cards with links to each game and kind. */
  private games(): HTMLElement {
    const { index } = this.context.catalog;
    return h('nav', { 'aria-label': 'Games and kinds' }, h('div', { class: 'doors' },
      ...index.games.map((own, place) => [own, place] as const).filter(([own]) => own.assets > 0).map(([own, place]) =>
        h('a', { class: 'door', href: router.browse({ game: [place] }) },
          h('b', { dir: 'auto' }, visible(own.title)), h('span', {}, many(own.assets, 'asset'))))), h('div', { class: 'doors' },
      ...index.kinds.map((own, place) => [own, place] as const).filter(([own]) => own.assets > 0).map(([own, place]) =>
        h('a', { class: 'door small', href: router.browse({ kind: [place] }) }, h('b', {}, visible(own.title)), h('span', {}, count(own.assets))))));
  }

  private table(report: any): HTMLElement | null {
    const { index } = this.context.catalog;
    const rows = list(report.table);
    if (rows.length === 0) return null;
    const timed = rows.some((row) => Number.isFinite(row.seconds));
    const head = ['Game', 'Kind', 'Converted', 'Copied', 'Skipped', 'Failed', 'Files', 'Size', ...(timed ? ['Seconds'] : [])];
    return section('Games and kinds', grid(head, rows.map((row) => {
      const game = index.games.findIndex((own) => own.id === row.game);
      const kind = index.kinds.findIndex((own) => own.id === row.kind);
      const title = index.kinds[kind]?.title ?? row.kind ?? '';
      return [
        visible(index.games[game]?.title ?? row.game ?? '—'),
        kind < 0 ? visible(title) : h('a', { href: router.browse({ kind: [kind], game: game < 0 ? [] : [game] }) }, visible(title)),
        ...[row.converted, row.copied, row.skipped, row.failed, row.outputs].map((own) => count(own ?? 0)),
        size(row.bytes ?? 0), ...(timed ? [(row.seconds ?? 0).toFixed(2)] : []),
      ];
    }), 2));
  }

  private editions(report: any): HTMLElement | null {
    const rows = list(report.editions);
    const parts: Child[] = [];
    if (rows.length > 0) {
      parts.push(grid(['Game', 'Edition', 'Files found', 'Missing'], rows.map((row) => [
        visible(String(row.game ?? '')), visible(String(row.edition ?? '')), `${row.matched ?? 0} of ${row.known ?? '?'}`, visible(list(row.missing).join(', ')),
      ]), 2));
    }
    if (typeof report.unknownVariant === 'string') {
      parts.push(h('details', {}, h('summary', {}, 'Unknown game version'), h('pre', { class: 'text', tabindex: '0' }, visible(report.unknownVariant))));
    }
    for (const line of list(report.census)) parts.push(h('p', {}, visible(String(line))));
    return parts.length > 0 ? section('Editions', ...parts) : null;
  }

  private link(asset: unknown, text: string): Child {
    const key = typeof asset === 'number' ? this.context.catalog.keys[asset] : undefined;
    const shown = visible(text);
    return key ? h('a', { href: router.asset(key), dir: 'auto' }, shown) : h('span', { dir: 'auto' }, shown);
  }

  private grouped(title: string, status: string, groups: unknown): HTMLElement | null {
    const rows = list(groups);
    if (rows.length === 0) return null;
    const place = this.context.catalog.index.statuses.indexOf(status);
    return section(title,
      place < 0 ? null : h('p', {}, h('a', { href: router.browse({ status: [place] }, 'list') }, `all ${status} assets`)),
      grid(['Reason', 'Count', 'Examples'], rows.slice(0, ROWS).map((row) => [
        visible(String(row.reason ?? '')), count(row.count ?? 0),
        h('span', {}, ...list(row.examples).slice(0, 3).flatMap((own, at) => [at > 0 ? ', ' : '', this.link(own.asset, [own.source, own.member].filter(Boolean).join(' / '))])),
      ]), 1));
  }

  private findings(report: any): HTMLElement | null {
    const rows = list(report.findings);
    if (rows.length === 0) return null;
    return section('Findings', grid(['Finding', 'Count', 'Example', 'Source'], rows.slice(0, ROWS).map((row) => [
      visible(String(row.kind ?? '')), count(row.count ?? 0), visible(String(row.example ?? '')),
      this.link(row.asset, [row.source, row.member].filter(Boolean).join(' / ')),
    ]), 1));
  }

  private deviations(report: any): HTMLElement | null {
    const rows = list(report.deviations);
    if (rows.length === 0) return null;
    return section('Deviations from the formats', grid(['Source', 'Count', 'First'], rows.slice(0, ROWS).map((row) => [
      this.link(row.asset, [row.source, row.member].filter(Boolean).join(' / ')), count(row.total ?? 0), visible(String(list(row.first)[0] ?? '')),
    ]), 1));
  }

  private discs(report: any): HTMLElement | null {
    const rows = list(report.discs);
    if (rows.length === 0) return null;
    return section('Discs', grid(['Image', 'Volume', 'Pressing', 'Tracks', 'Sectors checked', 'Bad sectors'], rows.map((row) => [
      this.link(row.asset, String(row.image ?? row.path ?? '')), visible(String(row.volume ?? '')), visible(String(row.pressing ?? 'unknown')),
      `${row.tracks ?? 0} (${row.audioTracks ?? 0} of music)`, count(row.checkedSectors ?? 0), count(row.badSectors ?? 0),
    ]), 3));
  }

  private run(report: any): HTMLElement | null {
    const stages = list(report.stages);
    return section('The run',
      stages.length > 0 ? grid(['Stage', 'Seconds', 'Items', 'Size'], stages.map((row) => [
        visible(String(row.stage ?? '')), Number(row.seconds ?? 0).toFixed(2), count(row.items ?? 0), size(row.bytes ?? 0),
      ]), 1) : null,
      h('p', { class: 'hint' }, visible(String(report.program ?? '')), ...list(report.tools).map((own) => ` · ${visible(String(own))}`)),
      h('p', {}, h('a', { href: 'licenses.txt' }, 'Licenses of this page\'s libraries')));
  }
}

function section(title: string, ...children: Child[]): HTMLElement {
  return h('section', {}, h('h2', {}, title), ...children);
}

/** A table; columns of digits are aligned like numbers. */
function grid(head: readonly string[], rows: readonly Child[][], numbers: number): HTMLElement {
  const number = (cell: Child) => typeof cell === 'string' && /^[\d., ]+( [KMGT]?i?B)?$/.test(cell);
  const right = head.map((_, place) => place >= numbers && rows.every((row) => number(row[place] ?? '0')));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': head.join(', ') }, h('table', { class: 'plain' },
    h('thead', {}, h('tr', {}, ...head.map((own, place) => h('th', { scope: 'col', class: right[place] ? 'number' : '' }, own)))),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((cell, place) =>
      h('td', { class: right[place] ? 'number' : '' }, cell)))))));
}

function list(value: any): any[] {
  return Array.isArray(value) ? value : [];
}
