import fc from 'fast-check';
import { ImportFault } from '../../../src/platform/screening/import/import-fault';
import { XmlReader } from '../../../src/platform/screening/import/xml-reader';

/** The events of a reader, one a line; `chunks` may cut the document anywhere. */
function read(...chunks: readonly string[]): readonly string[] {
  const told: string[] = [];
  const reader = new XmlReader({
    open: (name, attributes) =>
      told.push([`<${name}`, ...[...attributes].map(([key, value]) => `${key}=${value}`)].join(' ')),
    text: text => told.push(text),
    close: name => told.push(`/${name}`),
  });
  for (const chunk of chunks) reader.write(chunk);
  reader.end();
  return told;
}

function faultOf(document: string): ImportFault {
  try {
    read(document);
  } catch (error) {
    if (error instanceof ImportFault) return error;
    throw error;
  }
  throw new Error('it was read');
}

test('tells elements, attributes and text, without prefixes, comments and instructions', () => {
  const document = `\uFEFF<?xml version="1.0" encoding="utf-8"?><!-- <a> --><s:a xmlns:s="u" b='1 > "0"' c = "&lt;&#65;&#x42;&amp;">x<?go ?><b/> y<!-- z --></s:a >\n`;
  expect(read(document)).toEqual(['<a s=u b=1 > "0" c=<AB&', 'x', '<b', '/b', ' y', '/a']);
  expect(read('<a><![CDATA[<b> & ]] ]]></a>')).toEqual(['<a', '<b> & ]] ', '/a']);
});

test('reads the same wherever the document is cut', () => {
  const document = '<?xml version="1.0"?><!--c--><a b="1>2"><![CDATA[x>]]><c d=\'"\'/>t&gt;u</a>';
  const whole = read(document);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: document.length })), cuts => {
      const edges = [0, ...cuts.sort((a, b) => a - b), document.length];
      expect(read(...edges.slice(1).map((end, index) => document.slice(edges[index], end)))).toEqual(whole);
    }),
  );
});

test.each([
  ['a document type', '<!DOCTYPE a><a/>', 'document type'],
  ['an entity of a document type', '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', 'document type'],
  ['an unknown entity', '<a>&e;</a>', 'entity'],
  ['a bare ampersand', '<a>b & c</a>', 'unclosed tag: a'],
  ['a bare ampersand before a semicolon', '<a>b & c;</a>', 'entity'],
  ['an entity in an attribute', '<a b="&e;"/>', 'entity'],
  ['a surrogate by its number', '<a>&#xD800;</a>', 'entity'],
  ['the number of no character', '<a>&#x110000;</a>', 'entity'],
  ['elements that cross', '<a><b></a></b>', 'unexpected close tag'],
  ['an element that is closed twice', '<a/></a>', 'unmatched closing tag: a'],
  ['a second root', '<a/><b/>', 'only one root'],
  ['text before the root', 'x<a/>', 'outside'],
  ['text behind the root', '<a/>x<!---->', 'outside'],
  ['text at the end', '<a/>x', 'outside'],
  ['a document that is cut off in an element', '<a><b>', 'ends before its last element does: unclosed tag: b'],
  ['a document that is cut off in a tag', '<a><b', 'ends before'],
  ['a document that is cut off in a comment', '<a/><!-- ', 'ends before'],
  ['an empty document', '', 'ends before'],
  ['a tag without an end', '<a <b/></a>', 'disallowed character in attribute name'],
  ['an attribute without a value', '<a b/>', 'disallowed character in attribute name'],
  ['an attribute without quotes', '<a b=1/>', 'unquoted attribute value'],
  ['an attribute twice', '<a b="1" b="2"/>', 'duplicate attribute: b'],
  ['an attribute twice, by two prefixes', '<a p:b="1" q:b="2"/>', 'twice'],
  ['attributes that touch', '<a b="1"c="2"/>', 'no whitespace between attributes'],
  ['a name that is none', '<1/>', 'disallowed character in tag name'],
  ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><a/>', 'UTF-16'],
  ['elements nested too deep', '<a>'.repeat(65), 'deeper than 64'],
  ['a tag too long', `<a b="${'x'.repeat(70_000)}`, 'longer than'],
  ['a text too long', `<a>${'x'.repeat(70_000)}`, 'longer than'],
])('refuses %s', (_, document, problem) => {
  expect(faultOf(document).message).toContain(problem);
});

test('names the line', () => {
  expect(faultOf('<a>\n<b>\r\n<c>\n</b>').line).toBe(4);
  expect(faultOf('<a\n  b="1\n"\n>\n&e;</a>').line).toBe(5);
});

test('names the line at which the file ends', () => {
  expect(faultOf('<a>\n<b>\n').line).toBe(3);
});

test('keeps count over many pieces', () => {
  const reader = new XmlReader({ open: () => undefined, text: () => undefined, close: () => undefined });
  reader.write('<a>');
  const rows = '<b c="1">text</b>\n'.repeat(5_000);
  for (let chunk = 0; chunk < 20; chunk++) reader.write(rows);
  reader.write('</a>');
  reader.end();
  expect(reader.line).toBe(100_001);
});
