import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { Languages } from '../words/languages';
import { messagesIn, textsIn } from './message-files';

type Encoding = 'br' | 'gzip' | 'identity';

/** A built script or style, in each of its encodings. */
type Asset = { readonly type: string; readonly bytes: Readonly<Record<Encoding, Buffer>> };

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};
const BUILT = path.join('dist', 'web');

/** The files that the build has made for pages, read once. */
export class BuiltPages {
  private constructor(
    readonly languages: Languages,
    /** Changes with every build that differs. */
    readonly buildId: string,
    private readonly names: Readonly<Record<string, string>>,
    private readonly icons: Readonly<Record<string, string>>,
    private readonly assets: ReadonlyMap<string, Asset>,
    /** Guides of the documentation as markdown, by the names of their files. */
    readonly guides: ReadonlyMap<string, string>,
  ) {}

  /** Throws Error where nothing was built. */
  static read(folder: string = builtFolder()): BuiltPages {
    const names = json<Record<string, string>>(path.join(folder, 'assets', 'names.json'));
    const icons = json<Record<string, string>>(path.join(folder, 'icons.json'));
    const languages = messagesIn(path.join(folder, 'messages'));
    const assets = new Map(Object.values(names).map(name => [name, readAsset(path.join(folder, 'assets', name))]));
    const buildId = digestOf(JSON.stringify([names, icons, languages]));
    const guides = new Map(textsIn(path.join(folder, 'guides'), '.md'));
    return new BuiltPages(new Languages(languages), buildId, names, icons, assets, guides);
  }

  /** The file's name of a script or style, by its name in the source. */
  assetName(name: string): string {
    return known(this.names, name);
  }

  iconShape(name: string): string {
    return known(this.icons, name);
  }

  asset(fileName: string): Asset | null {
    return this.assets.get(fileName) ?? null;
  }
}

/** The folder that the build fills, found from this file's own place, be it built or not. */
function builtFolder(): string {
  let folder = __dirname;
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return path.join(folder, BUILT);
}

function readAsset(file: string): Asset {
  const [br, gzip, identity] = [readFileSync(`${file}.br`), readFileSync(`${file}.gz`), readFileSync(file)];
  return { type: known(TYPES, path.extname(file)), bytes: { br, gzip, identity } };
}

function json<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

function known(table: Readonly<Record<string, string>>, name: string): string {
  const value = table[name];
  if (value === undefined) throw new Error(`the build made no ${name}`);
  return value;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
