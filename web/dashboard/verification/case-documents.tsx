import { MAX_KYB_DOCUMENTS } from '../../../src/modules/kyb/kyb-case.decider';
import { KYB_DOCUMENT_KINDS, type KybDocumentFacts } from '../../../src/modules/kyb/kyb-case.events';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { DataTable } from '../../parts/data-table';
import { FileField, SelectField } from '../../parts/fields';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { fileSize } from '../../words/file-size';

const KINDS: Readonly<Record<KybDocumentFacts['kind'], string>> = {
  registration: 'Extract of the register',
  identity: 'Identity of an owner',
  address: 'Proof of the address',
  other: 'Another document',
};

const TYPES = { 'application/pdf': 'PDF', 'image/png': 'PNG', 'image/jpeg': 'JPEG' } as const;

type Props = { readonly documents: readonly KybDocumentFacts[]; readonly isOpen: boolean };

/** The documents of a case, and the form that adds one. */
export function CaseDocuments({ documents, isOpen }: Props) {
  const paths = usePaths();
  const columns = [{ heading: 'File' }, { heading: 'Kind' }, { heading: 'Type' }, { heading: 'Size', isNumber: true }];
  return (
    <Card title="Documents">
      {documents.length === 0 && <p>There are no documents yet.</p>}
      {documents.length > 0 && (
        <DataTable
          name="Documents"
          columns={isOpen ? [...columns, { heading: 'Remove' }] : columns}
          rows={documents.map(document => ({ key: document.id, cells: cellsOf(document, isOpen, paths) }))}
        />
      )}
      {isOpen && documents.length < MAX_KYB_DOCUMENTS && <AddDocument />}
    </Card>
  );
}

function cellsOf(
  { id, name, kind, type, size }: KybDocumentFacts,
  isOpen: boolean,
  paths: ReturnType<typeof usePaths>,
) {
  const path = paths(`verification/documents/${id}`);
  const remove = (
    <Confirm
      key="remove"
      id={`remove-${id}`}
      action={`${path}/remove`}
      button={
        <>
          Remove<span class="sr"> {name}</span>
        </>
      }
      text={<p>{name} is gone for good. To have it in the case again, add its file again.</p>}
    />
  );
  return [
    <a key="file" href={path} class="wrapped" download>
      {name}
    </a>,
    KINDS[kind],
    TYPES[type],
    fileSize(size),
    ...(isOpen ? [remove] : []),
  ] as const;
}

function AddDocument() {
  const paths = usePaths();
  return (
    <SignedForm action={paths('verification/documents')} isUpload>
      <SelectField
        name="kind"
        label="Kind"
        value="registration"
        options={KYB_DOCUMENT_KINDS.map(value => ({ value, text: KINDS[value] }))}
      />
      <FileField
        name="file"
        label="File"
        hint="A PDF, PNG or JPEG of 10 MB at most. It is stored encrypted, and only the operator and you can read it."
        accept="application/pdf,image/png,image/jpeg"
      />
      <Submit isMain={false}>Add the document</Submit>
    </SignedForm>
  );
}
