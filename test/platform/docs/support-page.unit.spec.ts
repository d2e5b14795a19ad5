import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SUPPORT = path.resolve(__dirname, '..', '..', 'support');
const PAGE = readFileSync(path.join(SUPPORT, 'README.md'), 'utf8');
const BUILDERS = readdirSync(SUPPORT).filter(file => file.endsWith('.ts') && !file.endsWith('.spec.ts'));

it.each(BUILDERS)('names the builder %s on the page of builders', file => {
  expect(PAGE).toContain(`\`${file}\``);
});

it('names no builder that does not stand', () => {
  const named = [...PAGE.matchAll(/`([a-z-]+\.ts)`/g)].map(([, file]) => file as string);
  expect(named.filter(file => !BUILDERS.includes(file))).toEqual([]);
});
