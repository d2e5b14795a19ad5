import { posix } from 'node:path';
import { filesTaken, type Texts } from './sources';

/** Files of the same set that each file imports, types included. `sources` are texts by their paths. */
export function importsOf(sources: Texts): ReadonlyMap<string, readonly string[]> {
  const imported = ([path, text]: readonly [string, string]) => {
    const local = filesTaken(text)
      .filter(name => name.startsWith('.'))
      .map(name => posix.join(posix.dirname(path), name));
    const files = local.flatMap(name => [
      `${name}.ts`,
      `${name}.tsx`,
      `${name}/index.ts`,
      name.replace(/\.js$/, '.ts'),
    ]);
    return [path, files.filter(file => sources.has(file))] as const;
  };
  return new Map([...sources].map(imported));
}

/** Files that import each other in a circle, with those that stand between two circles; sorted. */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const rest = new Set(imports.keys());
  for (let before = Infinity; rest.size < before;) {
    before = rest.size;
    const imported = new Set([...rest].flatMap(path => imports.get(path) ?? []));
    for (const path of rest) {
      const importsAny = imports.get(path)?.some(other => rest.has(other)) ?? false;
      if (!importsAny || !imported.has(path)) rest.delete(path);
    }
  }
  return [...rest].sort();
}
