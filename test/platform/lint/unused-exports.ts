import { posix } from 'node:path';
import ts from 'typescript';

type Texts = ReadonlyMap<string, string>;

/** A statement that takes names of another file. */
const TAKING = /(?:^|;)[ \t]*(?:import|export)\b[^;]*?\bfrom\s*['"][^'"]*['"]/gm;

/** Names that `sources` export and no other file of `users` imports, as `path: name`. Both are texts by their paths. */
export function unusedExports(sources: Texts, users: Texts): readonly string[] {
  const used = new Set<string>();
  const exported: { readonly path: string; readonly name: string }[] = [];
  for (const [path, text] of new Map([...sources, ...users])) {
    if (!path.endsWith('.ts')) continue;
    const isSource = sources.has(path);
    // Parsing a file as a whole takes ten times as long as parsing the statements that matter here.
    const file = parsed(path, isSource ? text : (text.match(TAKING) ?? []).join(';\n'));
    for (const use of usesOf(file, { path, text }, users)) used.add(use);
    if (isSource) exported.push(...exportsOf(file).map(({ name }) => ({ path, name })));
  }
  // A script that loads the built service, or a recipe, has no types: each word of it may be an import.
  const untyped = [...users].filter(([path]) => !path.endsWith('.ts'));
  const words = new Set(untyped.flatMap(([, text]) => wordsOf(text)));
  return exported
    .filter(({ path, name }) => !used.has(`${path}: ${name}`) && !words.has(name))
    .map(({ path, name }) => `${path}: ${name}`)
    .sort();
}

function parsed(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
}

/** The names that a file imports from others. Where a file takes another as a whole, every word of it may be a name. */
function usesOf(
  file: ts.SourceFile,
  { path, text }: { readonly path: string; readonly text: string },
  files: Texts,
): readonly string[] {
  const whole = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const uses: string[] = [];
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const names = namesTaken(statement);
    if (!names || !statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const source = statement.moduleSpecifier.text;
    const place = whole.indexOf(source);
    // A text of a test may look like an import.
    if (place < 0) continue;
    whole.splice(place, 1);
    uses.push(...filesOf(path, source, files).flatMap(file => names.map(name => `${file}: ${name}`)));
  }
  const words = whole.some(source => source.startsWith('.')) ? wordsOf(text) : [];
  const wholeFiles = whole.flatMap(source => filesOf(path, source, files));
  return [...uses, ...wholeFiles.flatMap(file => words.map(word => `${file}: ${word}`))];
}

/** Null where the other file is taken as a whole. */
function namesTaken(statement: ts.ImportDeclaration | ts.ExportDeclaration): readonly string[] | null {
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
  if (!bindings || ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) return null;
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

function filesOf(path: string, source: string, files: Texts): readonly string[] {
  if (!source.startsWith('.')) return [];
  const file = posix.join(posix.dirname(path), source).replace(/\.js$/, '');
  return [`${file}.ts`, `${file}/index.ts`].filter(each => files.has(each));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\w+/g) ?? [];
}

type Exported = { readonly name: string; readonly statement: ts.Statement };

export function exportsOf(file: ts.SourceFile): readonly Exported[] {
  return file.statements.flatMap(statement => exportedNames(statement).map(name => ({ name, statement })));
}

function exportedNames(statement: ts.Statement): readonly string[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    return exportClause && ts.isNamedExports(exportClause) ? exportClause.elements.map(({ name }) => name.text) : [];
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement)) {
    const { declarations } = statement.declarationList;
    return declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : boundNames(name)));
  }
  const { name } = statement as ts.DeclarationStatement;
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

function boundNames(pattern: ts.BindingPattern): readonly string[] {
  return pattern.elements.flatMap(element => {
    if (ts.isOmittedExpression(element)) return [];
    return ts.isIdentifier(element.name) ? [element.name.text] : boundNames(element.name);
  });
}
