import { Code } from '../../parts/code';
import { Table } from '../../parts/table';
import type { DocsSite } from './docs-page';
import type { GuideBlock, GuideText } from './guide-blocks';
import { guideLink, projectFile } from './guide-links';

type BlocksProps = { readonly site: DocsSite; readonly blocks: readonly GuideBlock[] };

export function Blocks({ site, blocks }: BlocksProps) {
  return (
    <>
      {blocks.map((block, index) => (
        <Block key={index} site={site} block={block} />
      ))}
    </>
  );
}

function Block({ site, block }: { readonly site: DocsSite; readonly block: GuideBlock }) {
  switch (block.kind) {
    case 'heading':
      return <Heading site={site} block={block} />;
    case 'paragraph':
      return (
        <p>
          <Line site={site} parts={block.parts} />
        </p>
      );
    case 'line':
      return <Line site={site} parts={block.parts} />;
    case 'code':
      return <Code label={block.label} text={block.text} remark={block.isUntested ? 'untested' : null} />;
    case 'list':
      return <List site={site} block={block} />;
    case 'quote':
      return (
        <blockquote>
          <Blocks site={site} blocks={block.blocks} />
        </blockquote>
      );
    case 'table':
      return (
        <Table
          name={block.name}
          headings={block.headings}
          rows={block.rows.map(([first = [], ...cells]) => [
            <Line site={site} parts={first} />,
            ...cells.map((cell, index) => <Line key={index} site={site} parts={cell} />),
          ])}
        />
      );
    default:
      return block satisfies never;
  }
}

type BlockProps<Kind extends GuideBlock['kind']> = {
  readonly site: DocsSite;
  readonly block: Extract<GuideBlock, { readonly kind: Kind }>;
};

/** The page's one `h1` is the guide's title. */
function Heading({ site, block: { level, id, parts } }: BlockProps<'heading'>) {
  const text = <Line site={site} parts={parts} />;
  if (level === 1) return <h1 id={id}>{text}</h1>;
  return level === 2 ? <h2 id={id}>{text}</h2> : <h3 id={id}>{text}</h3>;
}

function List({ site, block: { isOrdered, items } }: BlockProps<'list'>) {
  const shown = items.map((blocks, index) => (
    <li key={index}>
      <Blocks site={site} blocks={blocks} />
    </li>
  ));
  return isOrdered ? <ol class="bullets">{shown}</ol> : <ul class="bullets">{shown}</ul>;
}

function Line({ site, parts }: { readonly site: DocsSite; readonly parts: readonly GuideText[] }) {
  return (
    <>
      {parts.map((part, index) => (
        <Part key={index} site={site} part={part} />
      ))}
    </>
  );
}

function Part({ site, part }: { readonly site: DocsSite; readonly part: GuideText }) {
  switch (part.kind) {
    case 'text':
      return <>{part.text}</>;
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return (
        <strong>
          <Line site={site} parts={part.parts} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Line site={site} parts={part.parts} />
        </em>
      );
    case 'link':
      return <Link site={site} part={part} />;
    case 'break':
      return <br />;
    default:
      return part satisfies never;
  }
}

type LinkProps = { readonly site: DocsSite; readonly part: Extract<GuideText, { readonly kind: 'link' }> };

/** A link to a page, or the words of the link with the project's file that tells more. */
function Link({ site, part: { href: target, parts } }: LinkProps) {
  const href = guideLink(site, target);
  const text = <Line site={site} parts={parts} />;
  if (href !== null) return <a href={href}>{text}</a>;
  const file = projectFile(target);
  return (
    <>
      {text}
      {file !== null && (
        <>
          {' '}
          (<code>{file}</code>)
        </>
      )}
    </>
  );
}
