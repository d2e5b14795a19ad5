import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** The packages that a part installs for itself. */
const INSTALLED = 'node_modules';

/** Each folder below `folder`, itself included, with the names in it. */
function folders(folder: string): readonly (readonly [folder: string, names: readonly string[]])[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter(({ name }) => name !== INSTALLED);
  const below = entries.filter(entry => entry.isDirectory()).flatMap(({ name }) => folders(`${folder}/${name}`));
  return [[folder, entries.map(({ name }) => name)], ...below];
}

it.each(['src', 'projections', 'web', 'bench', 'clients/typescript/generator', 'clients/typescript/src'])(
  'finds no folder of a single name in %s',
  root => {
    const walls = folders(root).filter(([, names]) => names.length === 1);
    expect(walls).toEqual([]);
  },
);
