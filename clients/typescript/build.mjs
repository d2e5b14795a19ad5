import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

// npm runs this file before it packs the client, and before it installs the client from its folder.
const folder = import.meta.dirname;
const compiler = compilerOfTheProject();
if (compiler === null) {
  console.error('The compiler of the project builds the client. Run `npm ci` in the project first.');
  process.exitCode = 1;
} else {
  rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  // One thread takes two thirds of the processor time of several.
  execFileSync(process.execPath, [compiler, '--singleThreaded', '-p', 'tsconfig.build.json'], {
    cwd: folder,
    stdio: 'inherit',
  });
}

function compilerOfTheProject() {
  try {
    return path.join(createRequire(import.meta.url).resolve('typescript7/package.json'), '..', 'bin', 'tsc');
  } catch {
    return null;
  }
}
