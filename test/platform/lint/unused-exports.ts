import { posix } from 'node:path';
import ts from 'typescript';
import { filesTaken, parsed, type Texts } from './sources';

const TYPED = /\.tsx?$/;
/** A statement that takes names of another file. */
const TAKING = /(?:^|;)[ \t]*(?:import|export)\b[^;]*?\bfrom\s*['"][^'"]*['"]/gm;
/** A statement that exports, at the start of a line, up to a line that is neither indented nor closes something. */
const EXPORTING = /^export\b.*(?:\n(?:[ \t}\])`].*)?)*/gm;
/** Names of such a statement may stand in its indented lines. */
const LISTING = /^export (?:(?:const|let|var) )?[{[]|^export (?:const|let|var) .*,$/m;

/** Names that `sources` export and no other file of `users` imports, as `path: name`. Both are texts by their paths. */
export function unusedExports(sources: Texts, users: Texts): readonly string[] {
  const used = new Set<string>();
  const exported: { readonly path: string; readonly name: string }[] = [];
  for (const [path, text] of new Map([...sources, ...users])) {
    if (!TYPED.test(path)) continue;
    for (const use of usesOf({ path, text }, users)) used.add(use);
    if (sources.has(path)) exported.push(...exportsOf(path, exporting(text)).map(name => ({ path, name })));
  }
  // A script that loads the built service, or a recipe, has no types: each word of it may be an import.
  const untyped = [...users].filter(([path]) => !TYPED.test(path));
  const words = new Set(untyped.flatMap(([, text]) => wordsOf(text)));
  return exported
    .filter(({ path, name }) => !used.has(`${path}: ${name}`) && !words.has(name))
    .map(({ path, name }) => `${path}: ${name}`)
    .sort();
}

/** The text without what holds no name of an export; parsing the whole text takes ten times as long. */
export function exporting(text: string): string {
  const statements = (text.match(EXPORTING) ?? []).map(statement =>
    LISTING.test(statement) ? statement : statement.replace(/\n[ \t].*/g, ''),
  );
  const left = statements.join(';\n');
  // The half of a template would hide what follows.
  return left.split('`').length % 2 === 0 ? text : left;
}

/** The text of the statements that take names, which parse in a tenth of the whole text's time. */
function taking(text: string): string {
  return (text.match(TAKING) ?? []).join(';\n');
}

/** The names that a file imports from others. Where a file takes another as a whole, every word of it may be a name. */
export function usesOf(
  {
    path,
    text,
    statements = taking(text),
  }: { readonly path: string; readonly text: string; readonly statements?: string },
  files: Texts,
): readonly string[] {
  const whole = [...filesTaken(text)];
  const uses: string[] = [];
  for (const statement of parsed(path, statements).statements) {
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
  return [`${file}.ts`, `${file}.tsx`, `${file}/index.ts`].filter(each => files.has(each));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\w+/g) ?? [];
}

/** The names that a text exports. */
export function exportsOf(path: string, text: string): readonly string[] {
  return parsed(path, text).statements.flatMap(exportedNames);
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
