import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const PACKAGE = path.join(ROOT, 'clients', 'typescript');
const LIMIT_MS = 60_000;

describe('the package of the client', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'quittance-package-'));
    compile(['-p', path.join(PACKAGE, 'tsconfig.build.json'), '--outDir', folder]);
  }, LIMIT_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('builds by itself and needs nothing but node', () => {
    const manifest = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter(key => /dependencies/i.test(key))).toStrictEqual([]);
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'));
    const required = sources.flatMap(name =>
      [...readFileSync(path.join(folder, name), 'utf8').matchAll(/require\("([^"]+)"\)/g)].map(
        ([, wanted]) => wanted ?? '',
      ),
    );
    const foreign = required.filter(
      name => !name.startsWith('.') && !builtinModules.includes(name.replace(/^node:/, '')),
    );
    expect(foreign).toStrictEqual([]);
    expect(required.length).toBeGreaterThan(10);
  });

  it('answers a plain `require`', () => {
    const program = `const c = require(${JSON.stringify(folder)}); console.log(typeof c.Quittance, typeof c.constructEvent)`;
    expect(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })).toBe('function function\n');
  });

  it(
    'compiles the example of its README',
    () => {
      const readme = readFileSync(path.join(PACKAGE, 'README.md'), 'utf8');
      const [, example] = /```ts\n(.*?)```/s.exec(readme) ?? [];
      const program = path.join(folder, 'example.ts');
      writeFileSync(program, (example as string).replace("'quittance-client'", "'./index'"));
      compile([
        program,
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--module',
        'node20',
        '--types',
        'node',
        '--typeRoots',
        path.join(ROOT, 'node_modules', '@types'),
      ]);
    },
    LIMIT_MS,
  );
});

function compile(options: readonly string[]): void {
  const compiler = path.join(ROOT, 'node_modules', 'typescript7', 'bin', 'tsc');
  try {
    execFileSync(process.execPath, [compiler, ...options], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error((error as { readonly stdout: string }).stdout, { cause: error });
  }
}
