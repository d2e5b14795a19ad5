const COLUMNS = 120;
const WORDS = 25;
/** A sentence ends at one of these marks, before a space or the comment's end: `1.5` ends none. */
const SENTENCE_END = /[.!?](?=\s|$)/;
/** Blanks and a block's stars, which stand before the sentence. */
const MARGIN = /^[\s*]+/;
const QUESTIONS = 'What|Who|Whom|Whose|Whoever';
const PRONOUNS =
  'It|They|These|Those|Something|Everything|Nobody|Somebody|Anybody|One (?:that|who)|That which|All that';
/** `This` is refused before a verb alone: before a noun it leaves no doubt of the subject. */
const BARE_THIS = 'This(?= (?:is|was|has|does|means|holds|makes|keeps|lets|can|must|may)\\b)';
/** Openings that leave the reader to find the subject of the sentence. */
const OPENING = new RegExp(`^(?:@\\w+ (?:\\w+ )?)?(${QUESTIONS}|${PRONOUNS}|${BARE_THIS})\\b`);

/** A line with one of these may be longer: no line break makes it shorter. */
const UNBROKEN = ['Template', 'RegularExpression', 'JSXText'];

const columns = {
  meta: {
    type: 'layout',
    schema: [{ type: 'object', properties: { allowsRows: { type: 'boolean' } }, additionalProperties: false }],
    messages: { long: `A line has at most ${COLUMNS} columns; this one has {{columns}}.` },
  },
  create(context) {
    const { sourceCode } = context;
    return {
      Program() {
        const { tokens } = sourceCode.ast;
        const unbroken = new Set([
          ...tokens.filter(({ type }) => UNBROKEN.includes(type)).flatMap(({ loc }) => linesOf(loc)),
          ...linesWithStrings(tokens, context.options[0]?.allowsRows ?? false),
        ]);
        sourceCode.lines.forEach((text, index) => {
          const line = index + 1;
          if (text.length <= COLUMNS || unbroken.has(line)) return;
          context.report({ loc: { line, column: COLUMNS }, messageId: 'long', data: { columns: text.length } });
        });
      },
    };
  },
};

/** Lines with one string, which no break makes shorter. Where rows are allowed, lines with several strings as well. */
function linesWithStrings(tokens, allowsRows) {
  const lines = tokens.filter(({ type }) => type === 'String').map(({ loc }) => loc.start.line);
  return allowsRows ? lines : lines.filter(line => lines.indexOf(line) === lines.lastIndexOf(line));
}

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
        for (const { loc, sentence } of sentencesOf(context)) {
          const words = wordsOf(sentence);
          if (words.length <= WORDS) continue;
          const data = { words: words.length, start: words.slice(0, 4).join(' ') };
          context.report({ loc, messageId: 'long', data });
        }
      },
    };
  },
};

const subjects = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { hidden: 'A comment\'s sentence begins with its subject, a noun; this one begins with "{{opening}}".' },
  },
  create(context) {
    return {
      Program() {
        for (const { loc, sentence } of sentencesOf(context)) {
          const opening = OPENING.exec(sentence.replace(MARGIN, ''))?.[1];
          if (opening) context.report({ loc, messageId: 'hidden', data: { opening } });
        }
      },
    };
  },
};

function sentencesOf({ sourceCode }) {
  return joined(sourceCode.getAllComments()).flatMap(({ loc, text }) =>
    text.split(SENTENCE_END).map(sentence => ({ loc, sentence })),
  );
}

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

/** Code between backticks is one word, and a mark without a letter or digit is none. */
function wordsOf(sentence) {
  const parts = sentence.split('`').map((part, index) => (index % 2 === 0 ? part : 'code'));
  return parts
    .join('')
    .split(' ')
    .filter(word => /\p{L}|\d/u.test(word));
}

export default { rules: { columns, sentences, subjects } };
