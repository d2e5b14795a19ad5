const COLUMNS = 120;
const WORDS = 25;
/** A sentence ends at one of these marks, before a space or the comment's end: `1.5` ends none. */
const SENTENCE_END = /[.!?](?=\s|$)/;

/** A line with one of these may be longer: no line break makes it shorter. */
const UNBROKEN = ['String', 'Template', 'RegularExpression', 'JSXText'];

const columns = {
  meta: {
    type: 'layout',
    schema: [],
    messages: { long: `A line has at most ${COLUMNS} columns; this one has {{columns}}.` },
  },
  create(context) {
    const { sourceCode } = context;
    return {
      Program() {
        const unbroken = new Set(
          sourceCode.ast.tokens.filter(({ type }) => UNBROKEN.includes(type)).flatMap(({ loc }) => linesOf(loc)),
        );
        sourceCode.lines.forEach((text, index) => {
          const line = index + 1;
          if (text.length <= COLUMNS || unbroken.has(line)) return;
          context.report({ loc: { line, column: COLUMNS }, messageId: 'long', data: { columns: text.length } });
        });
      },
    };
  },
};

function linesOf({ start, end }) {
  return Array.from({ length: end.line - start.line + 1 }, (_, index) => start.line + index);
}

const sentences = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { long: `A comment's sentence has at most ${WORDS} words; this one has {{words}}: "{{start}} …".` },
  },
  create(context) {
    return {
      Program() {
        for (const { loc, text } of joined(context.sourceCode.getAllComments())) {
          for (const sentence of text.split(SENTENCE_END)) {
            const words = wordsOf(sentence);
            if (words.length <= WORDS) continue;
            const data = { words: words.length, start: words.slice(0, 4).join(' ') };
            context.report({ loc, messageId: 'long', data });
          }
        }
      },
    };
  },
};

/** Line comments that stand below one another are one text. */
function joined(comments) {
  const texts = [];
  for (const { type, value, loc } of comments) {
    const last = texts.at(-1);
    const follows = last?.type === 'Line' && type === 'Line' && loc.start.line === last.endLine + 1;
    if (follows && loc.start.column === last.loc.start.column) {
      last.text += ` ${value}`;
      last.endLine = loc.end.line;
    } else {
      const text = type === 'Block' ? value.replaceAll('\n', ' ').replaceAll(' * ', ' ') : value;
      texts.push({ type, text, loc, endLine: loc.end.line });
    }
  }
  return texts;
}

/** What stands between backticks is one word, and so is what has no letter none. */
function wordsOf(sentence) {
  const parts = sentence.split('`').map((part, index) => (index % 2 === 0 ? part : 'code'));
  return parts
    .join('')
    .split(' ')
    .filter(word => /\p{L}|\d/u.test(word));
}

export default { rules: { columns, sentences } };
