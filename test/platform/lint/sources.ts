import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');
const FOLDERS = ['src', 'projections', 'clients/typescript', 'web'];
const SOURCE = /^(?!.*(?:node_modules|dist)\/).*\.tsx?$/;
/** A word by which a text may take another file. */
const TAKING = /\bfrom\s*['"]|\b(?:import|require|define)\b/g;

/** Texts by their paths. */
export type Texts = ReadonlyMap<string, string>;

/** The project's own sources. */
export function projectSources(): Texts {
  return textsOf(FOLDERS, SOURCE);
}

/** The files of the folders, with those below, whose paths fit. */
export function textsOf(folders: readonly string[], fit: RegExp): Texts {
  const paths = folders.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)),
  );
  return new Map(paths.filter(path => fit.test(path)).map(path => [path, textOf(path)]));
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function parsed(path: string, text: string): ts.SourceFile {
  const options = { languageVersion: ts.ScriptTarget.ES2022, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  return ts.createSourceFile(path, text, options);
}

/** The names by which a text takes other files, in their order. The text is read up to the last of them only. */
export function filesTaken(text: string): readonly string[] {
  const last = [...text.matchAll(TAKING)].at(-1);
  if (!last) return [];
  const end = text.indexOf(';', last.index);
  return filesTakenOfAll(end < 0 ? text : text.slice(0, end));
}

/** The same by the whole text, which takes three times as long. */
export function filesTakenOfAll(text: string): readonly string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}
