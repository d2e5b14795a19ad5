import { circlesOf, importsOf } from './import-circles';
import { projectSources } from './sources';

it('finds the files of a circle, whatever is imported in it and how', () => {
  const imports = importsOf(
    new Map([
      ['src/a.ts', "import { b } from './rooms/b';"],
      ['src/rooms/b.ts', "import type { C } from '../c.js';"],
      ['src/c.ts', "export * from './a'; import fastify from 'fastify';"],
      ['src/user.ts', "import { a } from './a';"],
      ['src/used.ts', ''],
      ['web/page.tsx', "import { part } from './part';"],
      ['web/part.tsx', "import { page } from './page';"],
      ['src/d.ts', "const later = () => import('./used'); import './a';"],
    ]),
  );
  expect(imports.get('src/d.ts')).toEqual(['src/used.ts', 'src/a.ts']);
  expect(circlesOf(imports)).toEqual(['src/a.ts', 'src/c.ts', 'src/rooms/b.ts', 'web/page.tsx', 'web/part.tsx']);
});

it('finds none in the project', () => {
  const imports = importsOf(projectSources());
  expect([...imports.values()].flat().length).toBeGreaterThan(1_000);
  expect(circlesOf(imports)).toEqual([]);
});
