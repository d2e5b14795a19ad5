// The build of pages makes scripts and styles under names that change with their content, each also compressed. The
// messages in all languages, the guides, and the icons that pages name, go along. `--watch` builds again on each save.
import { icons } from '@iconify-json/lucide';
import { build, context } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const WEB = import.meta.dirname;
const BUILT = path.resolve(WEB, '..', 'dist', 'web');
const ASSETS = path.join(BUILT, 'assets');
/** Pages of the documentation that are written by hand, in markdown. */
const GUIDES = path.resolve(WEB, '..', 'docs', 'guides');
const ENTRIES = [
  'browser/checkout.ts',
  'browser/console.ts',
  'browser/docs.ts',
  'theme/checkout.css',
  'theme/console.css',
  'theme/docs.css',
  'theme/operators.css',
];
const NAME_LENGTH = 10;
const FONT = '.woff2';
/** The icons of the set that pages use. */
const ICONS = [
  'arrow-left-right',
  'ban',
  'bell',
  'book-open',
  'calendar',
  'check',
  'circle-alert',
  'circle-check',
  'circle-question-mark',
  'circle-x',
  'clock',
  'copy',
  'download',
  'external-link',
  'eye',
  'file-plus',
  'file-text',
  'flask-conical',
  'house',
  'inbox',
  'info',
  'key-round',
  'layers',
  'link',
  'list-ordered',
  'lock',
  'log-out',
  'mail',
  'monitor',
  'percent',
  'plus',
  'receipt-text',
  'refresh-cw',
  'scroll-text',
  'search',
  'send',
  'settings',
  'shield-alert',
  'shield-check',
  'smartphone',
  'split',
  'trash',
  'triangle-alert',
  'upload',
  'user-plus',
  'users',
  'wallet',
  'webhook',
];

/** A file appears whole or not at all, since a service may start meanwhile. */
function write(file, bytes) {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, bytes);
  renameSync(partial, file);
}

function writeAsset(name, bytes) {
  const file = path.join(ASSETS, name);
  // The name changes with the content.
  if (existsSync(`${file}.br`)) return;
  write(file, bytes);
  write(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  write(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

function writeAll(outputs) {
  mkdirSync(ASSETS, { recursive: true });
  const names = {};
  for (const { path: built, contents } of outputs) {
    const { name, ext } = path.parse(built);
    const digest = createHash('sha256').update(contents).digest('hex').slice(0, NAME_LENGTH);
    // A style names its font's file, whose name the bundler has made of the content.
    names[`${name}${ext}`] = ext === FONT ? `${name}${ext}` : `${name}-${digest}${ext}`;
    writeAsset(names[`${name}${ext}`], contents);
  }
  cpSync(path.join(WEB, 'messages'), path.join(BUILT, 'messages'), { recursive: true });
  mkdirSync(path.join(BUILT, 'guides'), { recursive: true });
  if (existsSync(GUIDES)) cpSync(GUIDES, path.join(BUILT, 'guides'), { recursive: true });
  write(path.join(BUILT, 'icons.json'), JSON.stringify(shapes()));
  write(path.join(ASSETS, 'names.json'), JSON.stringify(names));
}

/** The shapes of the icons by name. Throws Error where the set has no such icon. */
function shapes() {
  const missing = ICONS.filter(name => !icons.icons[name]);
  if (missing.length > 0) throw new Error(`the set of icons lacks ${missing.join(', ')}`);
  return Object.fromEntries(ICONS.map(name => [name, icons.icons[name].body]));
}

const OPTIONS = {
  entryPoints: ENTRIES.map(entry => path.join(WEB, entry)).filter(existsSync),
  outdir: ASSETS,
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  target: ['es2020', 'chrome91', 'firefox90', 'safari14.1'],
  loader: { [FONT]: 'file' },
  // Beside the style in the bundler's eyes, as all files are in the end.
  assetNames: 'theme/[name]-[hash]',
  logLevel: 'warning',
  plugins: [
    {
      name: 'write',
      setup: built => built.onEnd(({ outputFiles }) => outputFiles && writeAll(outputFiles)),
    },
  ],
};

if (process.argv.includes('--watch')) {
  const watching = await context(OPTIONS);
  await watching.watch();
  // The bundler does not read the messages.
  watch(path.join(WEB, 'messages'), { recursive: true }, () => void watching.rebuild());
} else await build(OPTIONS);
