import { kybCases, MAX_KYB_DOCUMENTS } from '../../../src/modules/kyb/kyb-case.decider';
import type { KybBusiness, KybCaseEvent, KybDocumentFacts, KybOwner } from '../../../src/modules/kyb/kyb-case.events';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'merchant', type: 'user', id: 'usr_1' }, now: 0 } as const;
const MERCHANT = 'mch_00000000000000000000000001';
const business: KybBusiness = {
  legal_name: 'Tea House Ltd',
  country: 'GB',
  registration_number: '01234567',
  address: '1 Leaf Lane\nLondon',
  website: null,
};
const owners: readonly KybOwner[] = [
  { name: 'Ada Leaf', country: 'GB', share_bps: 6_000 },
  { name: 'Leaf Holding SA', country: 'LU', share_bps: 4_000 },
];
const documentOf = (id: string): KybDocumentFacts => ({
  id,
  kind: 'registration',
  name: 'extract.pdf',
  type: 'application/pdf',
  size: 1,
  sha256: 'hash',
});

const opened: KybCaseEvent = { type: 'KybCaseOpened', data: { merchant_id: MERCHANT } };
const added = (id: string): KybCaseEvent => ({ type: 'KybDocumentAdded', data: documentOf(id) });
const removed = (id: string): KybCaseEvent => ({ type: 'KybDocumentRemoved', data: { id } });
const submitted: KybCaseEvent = { type: 'KybCaseSubmitted', data: { business, owners } };
const approved: KybCaseEvent = { type: 'KybApproved', data: { note: 'all is well' } };
const rejected: KybCaseEvent = { type: 'KybRejected', data: { note: 'another business' } };

const open = { type: 'open', merchantId: MERCHANT } as const;
const submit = { type: 'submit', business, owners } as const;
const add = { type: 'add_document', document: documentOf('kdoc_2') } as const;
const remove = { type: 'remove_document', document: 'kdoc_1' } as const;
const approve = { type: 'approve', note: 'all is well' } as const;
const reject = { type: 'reject', note: ' another business ' } as const;

describe('a case', () => {
  const ready = [opened, added('kdoc_1')];
  const waiting = [...ready, submitted];

  it('is opened, filled, submitted and decided', () => {
    given(kybCases, []).when(open, CONTEXT).then([opened]);
    given(kybCases, [opened]).when(open, CONTEXT).then([]);
    given(kybCases, ready)
      .when(add, CONTEXT)
      .then([added('kdoc_2')]);
    given(kybCases, ready)
      .when(remove, CONTEXT)
      .then([removed('kdoc_1')]);
    given(kybCases, ready).when(submit, CONTEXT).then([submitted]);
    given(kybCases, waiting).when(approve, CONTEXT).then([approved]);
    given(kybCases, waiting).when(reject, CONTEXT).then([rejected]);
  });

  it('stays as it was submitted', () => {
    for (const command of [submit, add, remove])
      given(kybCases, waiting).when(command, CONTEXT).thenRefused('invalid_state_transition');
  });

  it('is decided once, and not before it was submitted', () => {
    for (const command of [approve, reject]) {
      given(kybCases, []).when(command, CONTEXT).thenRefused('kyb_case_not_found');
      given(kybCases, ready).when(command, CONTEXT).thenRefused('invalid_state_transition');
    }
    for (const decision of [approved, rejected])
      for (const command of [approve, reject, submit, add, remove])
        given(kybCases, [...waiting, decision])
          .when(command, CONTEXT)
          .thenRefused('kyb_case_already_decided');
  });

  it('is decided with a note', () => {
    for (const type of ['approve', 'reject'] as const) {
      given(kybCases, waiting).when({ type, note: ' ' }, CONTEXT).thenRefused('parameter_missing', 'note');
      for (const note of ['x'.repeat(1_001), 'a\u0000b'])
        given(kybCases, waiting).when({ type, note }, CONTEXT).thenRefused('parameter_invalid', 'note');
    }
  });

  it('has one document at least, and 20 at most', () => {
    given(kybCases, [opened]).when(submit, CONTEXT).thenRefused('parameter_missing', 'documents');
    given(kybCases, [...ready, removed('kdoc_1')])
      .when(submit, CONTEXT)
      .thenRefused('parameter_missing', 'documents');
    const full = Array.from({ length: MAX_KYB_DOCUMENTS }, (_, index) => added(`kdoc_0${index}`));
    given(kybCases, [opened, ...full.slice(1)])
      .when(add, CONTEXT)
      .then([added('kdoc_2')]);
    given(kybCases, [opened, ...full])
      .when(add, CONTEXT)
      .thenRefused('invalid_state_transition');
    given(kybCases, ready)
      .when({ ...remove, document: 'kdoc_9' }, CONTEXT)
      .thenRefused('resource_missing', 'document');
  });

  it('takes 40 documents in all, with those that were removed', () => {
    const turns = Array.from({ length: 40 }, (_, index) => [added(`kdoc_0${index}`), removed(`kdoc_0${index}`)]);
    given(kybCases, [opened, ...turns.slice(1).flat()])
      .when(add, CONTEXT)
      .then([added('kdoc_2')]);
    given(kybCases, [opened, ...turns.flat()])
      .when(add, CONTEXT)
      .thenRefused('invalid_state_transition');
  });

  it('keeps its facts trimmed, in the form of the standards', () => {
    const typed = {
      ...business,
      legal_name: ' Tea House Ltd ',
      country: ' gb',
      address: '1 Leaf Lane\r\nLondon ',
      website: 'https://tea.example',
    };
    given(kybCases, ready)
      .when({ ...submit, business: typed, owners: [{ name: 'Ada', country: 'lu', share_bps: 1 }] }, CONTEXT)
      .then([
        {
          type: 'KybCaseSubmitted',
          data: {
            business: { ...business, website: 'https://tea.example/' },
            owners: [{ name: 'Ada', country: 'LU', share_bps: 1 }],
          },
        },
      ]);
  });

  it.each<[string, Partial<KybBusiness>, 'parameter_missing' | 'parameter_invalid']>([
    ['legal_name', { legal_name: ' ' }, 'parameter_missing'],
    ['legal_name', { legal_name: 'x'.repeat(201) }, 'parameter_invalid'],
    ['legal_name', { legal_name: 'Tea\nHouse' }, 'parameter_invalid'],
    ['legal_name', { legal_name: 'Tea House \u202eRI' }, 'parameter_invalid'],
    ['country', { country: '' }, 'parameter_missing'],
    ['country', { country: 'UK' }, 'parameter_invalid'],
    ['country', { country: 'France' }, 'parameter_invalid'],
    ['registration_number', { registration_number: '' }, 'parameter_missing'],
    ['address', { address: '' }, 'parameter_missing'],
    ['address', { address: 'a\u0000b' }, 'parameter_invalid'],
    ['website', { website: 'tea.example' }, 'parameter_invalid'],
    ['website', { website: 'javascript:alert(1)' }, 'parameter_invalid'],
    ['website', { website: `https://tea.example/${'x'.repeat(500)}` }, 'parameter_invalid'],
  ])('names the field business[%s] of %j', (field, change, code) => {
    given(kybCases, ready)
      .when({ ...submit, business: { ...business, ...change } }, CONTEXT)
      .thenRefused(code, `business[${field}]`);
  });

  it('counts the characters of a website, not its UTF-16 units', () => {
    const website = (coins: number) => `https://tea.example/${'🪙'.repeat(coins)}`;
    given(kybCases, ready)
      .when({ ...submit, business: { ...business, website: website(480) } }, CONTEXT)
      .then([
        {
          type: 'KybCaseSubmitted',
          data: { business: { ...business, website: new URL(website(480)).href }, owners },
        },
      ]);
    given(kybCases, ready)
      .when({ ...submit, business: { ...business, website: website(481) } }, CONTEXT)
      .thenRefused('parameter_invalid', 'business[website]');
  });

  const ada: KybOwner = { name: 'Ada', country: 'GB', share_bps: 5_001 };
  it.each<[string, readonly KybOwner[], 'parameter_missing' | 'parameter_invalid' | 'parameter_invalid_integer']>([
    ['owners', [], 'parameter_missing'],
    ['owners', Array.from({ length: 51 }, () => ({ ...ada, share_bps: 1 })), 'parameter_invalid'],
    ['owners', [ada, { ...ada, share_bps: 5_000 }], 'parameter_invalid'],
    ['owners[1][name]', [ada, { ...ada, name: '' }], 'parameter_missing'],
    ['owners[0][country]', [{ ...ada, country: 'XX' }], 'parameter_invalid'],
    ['owners[0][share_bps]', [{ ...ada, share_bps: 0 }], 'parameter_invalid_integer'],
    ['owners[0][share_bps]', [{ ...ada, share_bps: 10_001 }], 'parameter_invalid_integer'],
    ['owners[0][share_bps]', [{ ...ada, share_bps: 0.5 }], 'parameter_invalid_integer'],
    ['owners[0][share_bps]', [{ ...ada, share_bps: NaN }], 'parameter_invalid_integer'],
  ])('names the field %s', (param, named, code) => {
    given(kybCases, ready)
      .when({ ...submit, owners: named }, CONTEXT)
      .thenRefused(code, param);
  });
});
