import type { Page } from 'playwright-core';
import { searchSize } from '../levels/search-size';
import { inPage } from './in-page';
import { Baselines, forget, IS_RECORDING, pictureOf, recordedNames } from './pictures';
import type { Look, Visit } from './visit';

const WIDTHS = { desktop: 1280, phone: 320 } as const;
/** Pictures under each look. */
const MOST = IS_RECORDING ? Infinity : searchSize('PICTURES', { small: 1, full: 1_000 });
/** A name is in words; its file's name has hyphens between them. */
const BETWEEN_WORDS = /[^A-Za-z0-9]+/g;

/** A page as it is opened, and as a person has used it before its picture is taken. */
export type PicturedPage = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly before?: (visit: Visit) => Promise<unknown>;
  readonly use?: (page: Page) => Promise<unknown>;
};

/** The pages of a surface that are pictured under one look. */
export type PictureSet = Required<Pick<Look, 'theme' | 'screen'>> & {
  readonly surface: string;
  readonly names: readonly string[];
};

/** The pages' names of a set that are compared: all when recording or searching, evenly chosen ones otherwise. */
function comparedOf({ names }: PictureSet): readonly string[] {
  const step = Math.max(1, names.length / MOST);
  return names.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function fileOf({ theme, screen }: PictureSet, name: string): string {
  return `${name.replace(BETWEEN_WORDS, '-')}-${theme}-${WIDTHS[screen]}`;
}

/** The baselines of the sets' surfaces that there should be, and those that there are. Recording removes all others. */
export function baselinesOf(sets: readonly PictureSet[]) {
  const surfaces = [...new Set(sets.map(({ surface }) => surface))];
  const wanted = sets.flatMap(set => set.names.map(name => `${set.surface}/${fileOf(set, name)}`));
  const recorded = () => surfaces.flatMap(surface => recordedNames(surface).map(name => `${surface}/${name}`));
  if (IS_RECORDING) recorded().forEach(name => wanted.includes(name) || forget(name));
  return { wanted: wanted.sort(), recorded: recorded().sort() };
}

/** How the pages of a set differ from their baselines. `start` begins a visit under the set's look. */
export async function faultsOf(
  set: PictureSet,
  start: () => Promise<Visit>,
  pageOf: (name: string) => PicturedPage,
): Promise<readonly string[]> {
  const common = await stillVisit(start);
  const baselines = new Baselines(set.surface, await common.context.newPage());
  const faults: (string | null)[] = [];
  for (const name of comparedOf(set)) {
    const { url, headers = {}, before, use } = pageOf(name);
    const visit = before || use ? await stillVisit(start) : common;
    await before?.(visit);
    await visit.page.setExtraHTTPHeaders(headers);
    await visit.open(url);
    await use?.(visit.page);
    await visit.page.evaluate(inPage('fixed-texts'));
    faults.push(await baselines.faultOf(fileOf(set, name), await pictureOf(visit.page)));
  }
  return faults.filter(fault => fault !== null);
}

async function stillVisit(start: () => Promise<Visit>): Promise<Visit> {
  const visit = await start();
  await visit.context.addInitScript(inPage('still-time'));
  return visit;
}
