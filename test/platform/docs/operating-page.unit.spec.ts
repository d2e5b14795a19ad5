import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fragments } from '../../docs/pages';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const page = readFileSync(path.join(ROOT, 'docs/operating.md'), 'utf8');

it.each([
  'the-data-folder', 'the-command-line-in-a-container', 'a-proxy-for-tls', 'mail', 'backups', 'upgrades',
])('tells of %s', heading => {
  expect(fragments(page)).toContain(heading);
}); // prettier-ignore

it('names every command', () => {
  const files = readdirSync(path.join(ROOT, 'src/cli/commands')).filter(file => !file.endsWith('-report.ts'));
  const names = files.map(file => file.replace('.ts', ''));
  expect(names.filter(name => !new RegExp(`npx quittance ${name}\\b`).test(page))).toEqual([]);
});

it('tells to trust no more proxies than there are', () => {
  expect(page).toMatch(/TRUSTED_PROXIES=1/);
  expect(page).toMatch(/X-Forwarded-For/);
});

it('has no page that runs the command line by a script of npm, whose banner is no answer', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'clients/typescript/README.md', ...markdownIn('docs')];
  expect(pages.length).toBeGreaterThan(20);
  const texts = pages.map(name => readFileSync(path.join(ROOT, name), 'utf8'));
  expect(pages.filter((_, index) => /npm run (?:--silent|-s\b|cli\b)/.test(texts[index] ?? ''))).toEqual([]);
  expect(texts.join('')).not.toContain('node dist/src/cli');
});

function markdownIn(folder: string): readonly string[] {
  const names = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter(name => name.endsWith('.md')).map(name => path.join(folder, name));
}
