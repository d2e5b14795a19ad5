import { hash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import type { Browser, LaunchOptions } from 'playwright-core';
import { extract } from 'tar-fs';

const ROOT = path.resolve(__dirname, '..', '..', __dirname.includes(`${path.sep}dist${path.sep}`) ? '..' : '');
const PACKAGES = path.join(ROOT, 'node_modules');
const PACKED = path.join(PACKAGES, '@sparticuz', 'chromium');
/** The packed Chromium uses symbols of this version of glibc. */
const LEAST_GLIBC = 34;
/** Where Chrome's own installers put it. */
const CHROME = {
  darwin: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  linux: '/opt/google/chrome/chrome',
  win32: `${process.env['PROGRAMFILES'] ?? ''}\\Google\\Chrome\\Application\\chrome.exe`,
} as Partial<Record<NodeJS.Platform, string>>;
/** The first two keep the machine out of the way; the others make the same pixels everywhere. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--disable-lcd-text'];
/**
 * Of each document that it loads, the browser compiles the functions that run often anew. Where a document lives for a
 * second, that takes longer than is saved: a quarter of the processor time.
 */
const BRIEF_FLAGS = ['--js-flags=--no-opt,--no-maglev,--single-threaded-gc'];
/** Chinese comes last, so that other letters are drawn by the fonts before it. */
const SANS = ['Open Sans', 'DejaVu Sans', 'Noto Sans S Chinese'].map(name => `<family>${name}</family>`).join('');
/** Weights that Open Sans does not have: Latin letters of these weights would come from the Chinese fonts. */
const REJECTED = ['Light', 'DemiLight', 'Medium'].map(weight => `<glob>*/NotoSansHans-${weight}.otf</glob>`).join('');
/** Only these fonts are seen, so pictures of pages compare between machines. Paths are relative to the file. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir prefix="relative">../../dejavu-fonts-ttf/ttf</dir>
  <dir prefix="relative">../../@embedpdf/fonts-sc/fonts</dir>
  <selectfont><rejectfont>${REJECTED}</rejectfont></selectfont>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer>${SANS}</prefer></alias>
  <alias><family>system-ui</family><prefer>${SANS}</prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;

/** `packed` is the Chromium inside of a package that `npm ci` brings. */
export type BrowserKind = 'named' | 'packed' | 'chrome';

/** Null: this machine has no browser for tests. */
export function browserKind(): BrowserKind | null {
  if (process.env['CHROMIUM_PATH']) return 'named';
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(PACKED) && hasGlibc()) return 'packed';
  return existsSync(CHROME[process.platform] ?? '') ? 'chrome' : null;
}

/**
 * The caller closes it. `CHROMIUM_PATH` names another browser. `isBrief`: each page is open for a second or two. A
 * browser that dies before its first answer, which is rare, is told and started once more.
 */
export async function launchBrowser({ isBrief = false } = {}): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const options = { args: isBrief ? [...FLAGS, ...BRIEF_FLAGS] : FLAGS, ...(await launchOptions()) };
  return chromium.launch(options).catch((error: Error) => {
    process.stderr.write(`A browser did not start, and is started again: ${error.message}\n`);
    return chromium.launch(options);
  });
}

async function launchOptions(): Promise<LaunchOptions> {
  const kind = browserKind();
  if (kind === 'named') return { executablePath: process.env['CHROMIUM_PATH'] ?? '' };
  if (kind === 'chrome') return { channel: 'chrome' };
  if (kind === null) throw new Error('No browser: set CHROMIUM_PATH to a Chromium, or install Chrome.');
  const folder = await unpacked();
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: path.join(folder, 'lib'),
    XDG_CACHE_HOME: folder,
    FONTCONFIG_FILE: fontList(folder),
  };
  return { executablePath: path.join(folder, 'chromium'), env };
}

function hasGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const [major, minor] = (header.glibcVersionRuntime ?? '0.0').split('.').map(Number);
  return major === 2 && (minor ?? 0) >= LEAST_GLIBC;
}

/** The folder appears whole or not at all: several workers may unpack at the same time, and one may be killed. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(path.join(PACKED, 'package.json'), 'utf8')) as { version: string };
  const folder = path.join(PACKAGES, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const part = (name: string, to: NodeJS.WritableStream) =>
    pipeline(createReadStream(path.join(PACKED, 'bin', name)), createBrotliDecompress(), to);
  await part('chromium.br', createWriteStream(path.join(partial, 'chromium'), { mode: 0o755 }));
  await part('al2023.tar.br', extract(partial));
  await part('fonts.tar.br', extract(partial));
  await rename(partial, folder).catch((error: NodeJS.ErrnoException) => {
    // Another worker was faster, and its folder is the same.
    rmSync(partial, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return folder;
}

/**
 * The file that names the fonts, in the folder of the unpacked browser. Its name follows from its content, so an older
 * list in the same folder is not used. The file appears whole or not at all, as the folder does.
 */
function fontList(folder: string): string {
  const file = path.join(folder, `fonts-${hash('sha256', FONTS).slice(0, 16)}.conf`);
  if (existsSync(file)) return file;
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, FONTS);
  renameSync(partial, file);
  return file;
}
