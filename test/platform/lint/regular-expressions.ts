import ts from 'typescript';
import { parsed, type Texts } from './sources';

/**
 * A slash where an expression may begin: after punctuation, a keyword, a comment, or the break of a line. A slash after
 * a name, a number or a bracket divides, and two begin a comment.
 */
const LITERAL =
  /(?:[^\w\s.$)\]'"`@<*/]|\n|\*\/|\b(?:await|case|default|delete|do|else|in|instanceof|of|return|throw|typeof|void|yield))\s*\/(?![/*])/;
const OTHERS = /\bRegExp\b|\.\s*(?:match|matchAll|search)\b|class-validator|\bz\s*\./;
/** Where a statement of a file begins: at a line that is neither indented nor closes something. */
const STATEMENT = /^(?=[^\s})\]`])/m;
/** Methods that make a regular expression of a text. */
const MAKERS: readonly string[] = ['match', 'matchAll', 'search'];

export type Found = {
  /** Each regular expression once, with the place where it first stands. */
  readonly patterns: ReadonlyMap<string, string>;
  /** Places where a running program makes one. */
  readonly built: readonly string[];
  /** Names that sources import from class-validator. */
  readonly validators: ReadonlySet<string>;
  /** Methods of zod that sources call, such as `string`, `max` and `iso.date`. */
  readonly zodMethods: ReadonlySet<string>;
};

/**
 * The sources in which `findPatterns` may find something, by their texts alone, and of these the statements that may
 * hold it, in their lines. Their parsing takes a sixth of that of all sources.
 */
export function suspects(sources: Texts): Texts {
  const left = [...sources].map(([path, text]) => [path, mayMatch(text) ? suspectStatements(text) : ''] as const);
  return new Map(left.filter(([, text]) => text !== ''));
}

function mayMatch(text: string): boolean {
  return LITERAL.test(text) || OTHERS.test(text);
}

function suspectStatements(text: string): string {
  const statements = text.split(STATEMENT);
  // A statement with half of a template is no statement.
  if (statements.some(statement => statement.split('`').length % 2 === 0)) return text;
  return statements.map(statement => (mayMatch(`\n${statement}`) ? statement : statement.replace(/.+/g, ''))).join('');
}

/** All patterns and methods by which the sources match texts. The sources are texts by their paths. */
export function findPatterns(sources: Texts): Found {
  const patterns = new Map<string, string>();
  const built: string[] = [];
  const validators = new Set<string>();
  const zodMethods = new Set<string>();
  for (const [path, text] of sources) {
    const file = parsed(path, text);
    const placeOf = (node: ts.Node): string =>
      `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node) && !patterns.has(node.text)) patterns.set(node.text, placeOf(node));
      if (isBuilt(node)) built.push(placeOf(node));
      if (ts.isImportDeclaration(node)) namesOf(node, 'class-validator').forEach(name => validators.add(name));
      const method = zodMethod(node);
      if (method !== null) zodMethods.add(method);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { patterns, built, validators, zodMethods };
}

function isBuilt(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  if (ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') return true;
  const [argument] = node.arguments ?? [];
  return (
    ts.isPropertyAccessExpression(node.expression) &&
    MAKERS.includes(node.expression.name.text) &&
    argument !== undefined &&
    (ts.isStringLiteralLike(argument) || ts.isTemplateExpression(argument))
  );
}

function namesOf({ moduleSpecifier, importClause }: ts.ImportDeclaration, module: string): readonly string[] {
  if (!ts.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== module) return [];
  const bindings = importClause?.namedBindings;
  return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : ['*'];
}

function zodMethod(node: ts.Node): string | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { expression, name } = node.expression;
  if (!isZod(startOf(expression))) return null;
  const isIso =
    ts.isPropertyAccessExpression(expression) && isZod(expression.expression) && expression.name.text === 'iso';
  return isIso ? `iso.${name.text}` : name.text;
}

/** The expression before all calls and properties. */
function startOf(expression: ts.Expression): ts.Expression {
  let start = expression;
  while (ts.isCallExpression(start) || ts.isPropertyAccessExpression(start)) start = start.expression;
  return start;
}

function isZod(expression: ts.Expression): boolean {
  return ts.isIdentifier(expression) && expression.text === 'z';
}
