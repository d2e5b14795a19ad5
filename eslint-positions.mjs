import ts from 'typescript';

const BRAND_FILE = /\/src\/kernel\/log-position\.ts$/;
const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>']);
const ASSIGNMENTS = new Set([...ARITHMETIC].map(operator => `${operator}=`));
const SIGNS = new Set(['+', '-', '~']);
/** What `Math` does by comparing alone. */
const COMPARISONS = new Set(['max', 'min']);

/** A member of the type is branded by the declaration in the kernel, whatever the name is by which the type is used. */
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
      // A text that names a position is made of it, and computes nothing.
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
