import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clientFiles } from './client-files';
import type { OpenApiDocument } from './open-api';

/** Writes the generated files, formatted as the project is, in place of the folder's former content. */
export function writeClient(document: OpenApiDocument, folder: string, projectRoot: string): void {
  const files = clientFiles(document);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
  const formatter = require.resolve('prettier/bin/prettier.cjs');
  const config = path.join(projectRoot, '.prettierrc.json');
  const options = ['--write', '--log-level', 'warn', '--config', config, '--ignore-path', path.join(folder, 'none')];
  execFileSync(process.execPath, [formatter, ...options, ...[...files.keys()].map(name => path.join(folder, name))], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
