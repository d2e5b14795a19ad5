import { createRequire } from 'node:module';

// An import of TypeScript reads its nine megabytes for the names of its exports, which takes longer than to load it.
const ts = createRequire(import.meta.url)('typescript');
const BRAND_FILE = /\/src\/kernel\/log-position\.ts$/;
const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>']);
const ASSIGNMENTS = new Set([...ARITHMETIC].map(operator => `${operator}=`));
const SIGNS = new Set(['+', '-', '~']);
/** Functions of `Math` that only compare. */
const COMPARISONS = new Set(['max', 'min']);

/** The declaration in the kernel brands a member of the type, under whichever name the type is used. */
function isPosition(type) {
  if (type.isUnion()) return type.types.some(isPosition);
  if (!type.isIntersection()) return false;
  return type.types.some(part =>
    part
      .getProperties()
      .some(property => property.declarations?.some(each => BRAND_FILE.test(each.getSourceFile().fileName))),
  );
}

const ordered = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { arithmetic: 'A log position is compared, and never computed with: {{operator}}.' },
  },
  create(context) {
    const { esTreeNodeToTSNodeMap, program } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const typeOf = node => checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node));
    const isText = node => (typeOf(node).flags & ts.TypeFlags.StringLike) !== 0;
    const check = (node, operator, ...operands) => {
      // A text that names a position is made from it without arithmetic.
      if (operator.startsWith('+') && operands.some(isText)) return;
      if (operands.some(operand => isPosition(typeOf(operand))))
        context.report({ node, messageId: 'arithmetic', data: { operator } });
    };
    return {
      BinaryExpression: node => {
        if (ARITHMETIC.has(node.operator)) check(node, node.operator, node.left, node.right);
      },
      AssignmentExpression: node => {
        if (ASSIGNMENTS.has(node.operator)) check(node, node.operator, node.left, node.right);
      },
      UpdateExpression: node => check(node, node.operator, node.argument),
      UnaryExpression: node => {
        if (SIGNS.has(node.operator)) check(node, `unary ${node.operator}`, node.argument);
      },
      "CallExpression[callee.object.name='Math']": node => {
        const { name } = node.callee.property;
        if (!COMPARISONS.has(name)) check(node, `Math.${name}`, ...node.arguments);
      },
    };
  },
};

export default { rules: { ordered } };
