import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { inPage } from './in-page';
import { lightPicture } from './light-picture';
import type { PictureComparison } from './picture-comparison';

/** The pictures that pages are held against, by surface. */
const FOLDER = path.join(__dirname, 'pictures');
/** Long pages repeat themselves: below this height nothing is kept. */
const MOST_HEIGHT = 2_400;
/** How far a channel of a pixel may be off, of 255. The files themselves are off by 6 or so. */
const MOST_OFF = 12;
/** The part of all pixels that may be further off. A letter has more. */
const MOST_SHARE = 0.000_02;

/** `npm run pictures:record` sets the variable. */
export const IS_RECORDING = process.env.RECORD_PICTURES === '1';

/** The page as it is seen, down to a height. The baselines are pictures of this kind. */
export async function pictureOf(page: Page): Promise<Buffer> {
  const width = page.viewportSize()?.width ?? 0;
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width, height: Math.min(height, MOST_HEIGHT) };
  return page.screenshot({ fullPage: true, clip, animations: 'disabled' });
}

/** The baselines of one surface. */
export class Baselines {
  private readonly folder: string;

  constructor(
    private readonly surface: string,
    /** A blank page of the browser, in which pictures are compared. */
    private readonly blank: Page,
  ) {
    this.folder = path.join(FOLDER, surface);
  }

  /** How the picture differs from its baseline, with the folder of the difference; null where it is the same. */
  async faultOf(name: string, picture: Buffer): Promise<string | null> {
    const file = path.join(this.folder, `${name}.png`);
    if (IS_RECORDING) {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(file, lightPicture(picture));
    }
    if (!existsSync(file)) return `${this.surface}/${name}: no baseline; see test/web/pictures/README.md`;
    const { sizes, share, difference } = await this.compare(readFileSync(file), picture);
    if (share <= MOST_SHARE) return null;
    const folder = mkdtempSync(path.join(tmpdir(), 'quittance-pictures-'));
    writeFileSync(path.join(folder, `${name}.png`), lightPicture(picture));
    if (difference) writeFileSync(path.join(folder, `${name}.difference.png`), Buffer.from(difference, 'base64'));
    return `${this.surface}/${name}: ${sizes ?? `${(share * 100).toFixed(3)} % of the pixels differ`}: see ${folder}`;
  }

  private async compare(before: Buffer, after: Buffer): Promise<PictureComparison> {
    const given = { before: before.toString('base64'), after: after.toString('base64'), mostOff: MOST_OFF };
    await this.blank.evaluate(inPage('compare-pictures'));
    return this.blank.evaluate<PictureComparison>(`comparePictures(${JSON.stringify(given)})`);
  }
}

/** The names of all baselines of a surface. */
export function recordedNames(surface: string): readonly string[] {
  const folder = path.join(FOLDER, surface);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map(file => path.basename(file, '.png'));
}

/** Removes a baseline, named with its surface. */
export function forget(name: string): void {
  rmSync(path.join(FOLDER, `${name}.png`));
}
