import { h } from 'preact';
import type { Schema } from '../../../src/platform/docs/api-document';
import type { Fault, Place } from '../../http/given-filters';
import { Live } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { SelectField, TextField } from '../../parts/fields';
import { Empty, Filters, Pager, RefusedFilter } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { fieldLabel, fieldOptions } from '../actions/field-words';
import type { ListPages } from './list-pages';

export type ListView<Row> = Place &
  Fault & {
    readonly rows: readonly Row[];
    /** The filters that were given. */
    readonly given: Readonly<Record<string, string>>;
  };

type ListPageProps<Row extends { readonly id: string }> = {
  readonly pages: ListPages<Row>;
  readonly view: ListView<Row>;
};

/** A list, with its filters and the way to each row. */
export function ListPage<Row extends { readonly id: string }>({ pages, view }: ListPageProps<Row>) {
  const { list, path, current = path, title, icon, none, columns, cells, detail, actions, above, isByTime } = pages;
  const { rows, given, fault, next, isFirst } = view;
  const { starting_after: _, ...query } = given;
  const isNarrowed = Object.keys(query).length > 0 || !isFirst;
  const paths = usePaths();
  const address = paths(path);
  return (
    <ConsolePage title={title} current={current} {...(actions && { actions: h(actions, {}) })}>
      {above && h(above, {})}
      {Object.keys(list.filters).length > 0 && (
        <Filters action={address}>
          {Object.entries(list.filters).map(([name, schema]) => (
            <FilterField key={name} name={name} schema={schema} value={given[name]} />
          ))}
        </Filters>
      )}
      <Live id="rows" said={`${rows.length} shown`}>
        {fault !== null && <RefusedFilter fault={fault} />}
        {rows.length === 0 && fault === null && (
          <Empty icon={icon} title={isNarrowed ? 'Nothing passes these filters' : none}>
            {isNarrowed && <a href={address}>Show the whole list</a>}
          </Empty>
        )}
        {rows.length > 0 && (
          <>
            <DataTable
              name={title}
              columns={columns}
              rows={rows.map(row => ({
                key: row.id,
                cells: cells(row),
                ...(detail && { href: `${address}/${encodeURIComponent(row.id)}` }),
              }))}
            />
            <Pager action={address} {...{ query, next, isFirst, isByTime }} shown={rows.length} />
          </>
        )}
      </Live>
    </ConsolePage>
  );
}

type FilterFieldProps = { readonly name: string; readonly schema: Schema; readonly value: string | undefined };

function FilterField({ name, schema, value }: FilterFieldProps) {
  const { enum: values, default: fallback } = schema as {
    readonly enum?: readonly string[];
    readonly default?: string;
  };
  const field = { name, label: fieldLabel(name), value: value ?? fallback };
  if (!values) return <TextField {...field} />;
  const all = fallback === undefined ? [{ value: '', text: 'All' }] : [];
  return <SelectField {...field} options={[...all, ...fieldOptions(values, false)]} />;
}

type DetailPageProps<Row extends { readonly id: string }> = { readonly pages: ListPages<Row>; readonly row: Row };

/** One row of a list, with the steps that it allows. */
export function DetailPage<Row extends { readonly id: string }>({ pages, row }: DetailPageProps<Row>) {
  const { path, current = path, title, detail } = pages;
  if (!detail) return null;
  const { actions, body } = detail;
  return (
    <ConsolePage
      title={detail.title(row)}
      current={current}
      back={{ path, text: title }}
      {...(actions && { actions: h(actions, { row }) })}
    >
      {h(body, { row })}
    </ConsolePage>
  );
}
