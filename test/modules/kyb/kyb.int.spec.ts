import type { CommandBus } from '@nestjs/cqrs';
import { HOUR_MS } from '../../../src/kernel/clock';
import type { AccountContext, PlatformContext } from '../../../src/kernel/command-context';
import {
  type LiftKillSwitch,
  LiftKillSwitchHandler,
  SetKillSwitch,
  SetKillSwitchHandler,
} from '../../../src/modules/kill-switches/kill-switch.command';
import { killSwitchesReadModel } from '../../../src/modules/kill-switches/kill-switches.read-model';
import { DecideKybCase, DecideKybCaseHandler } from '../../../src/modules/kyb/commands/decide-kyb-case.command';
import {
  BeginKyb,
  BeginKybHandler,
  OpenKybCase,
  OpenKybCaseHandler,
  SubmitKybCase,
  SubmitKybCaseHandler,
} from '../../../src/modules/kyb/commands/kyb-case.command';
import {
  AddKybDocument,
  AddKybDocumentHandler,
  RemoveKybDocument,
  RemoveKybDocumentHandler,
} from '../../../src/modules/kyb/commands/kyb-documents.command';
import { KYB_PIECES, KybDocumentBytes } from '../../../src/modules/kyb/kyb-document-bytes';
import { KYB_DOCUMENT_BYTES } from '../../../src/modules/kyb/kyb-document-facts';
import { kybCases } from '../../../src/modules/kyb/kyb-case.decider';
import { kybCasesReadModel } from '../../../src/modules/kyb/kyb-cases.read-model';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import { IdentityFixture, MERCHANT, OTHER_MERCHANT } from '../merchants/identity-fixture';

const PDF = Buffer.from('%PDF-1.7 extract');
const business = { legal_name: 'Tea', country: 'GB', registration_number: '1', address: 'Leaf Lane', website: null };
const owners = [{ name: 'Ada', country: 'GB', share_bps: 10_000 }];

let fixture: IdentityFixture;
let bytes: KybDocumentBytes;
let commands: CommandBus;
/** Called before each lifting, so that a process can die there. */
let beforeLifting: () => void;

beforeEach(async () => {
  fixture = new IdentityFixture();
  bytes = await KybDocumentBytes.open(fixture.documents, fixture.secretBox, fixture);
  beforeLifting = () => undefined;
  const [setting, lifting] = [
    new SetKillSwitchHandler(fixture.writePath, fixture),
    new LiftKillSwitchHandler(fixture.writePath),
  ];
  const execute = (command: SetKillSwitch | LiftKillSwitch) => {
    if (command instanceof SetKillSwitch) return setting.execute(command);
    beforeLifting();
    return lifting.execute(command);
  };
  commands = { execute } as unknown as CommandBus;
  const register = { type: 'register', name: 'Tea', email: 'a@tea.example' } as const;
  await fixture.writePath.execute(merchants, MERCHANT, register, own());
});

const own = (merchantId = MERCHANT): AccountContext => fixture.context('platform', merchantId);
const operator = (): PlatformContext<'platform'> => fixture.context('platform', null);

const begin = (context = own()) =>
  new BeginKybHandler(fixture.writePath, commands, fixture.secretBox).execute(new BeginKyb(context));
const openCase = () => new OpenKybCaseHandler(fixture.writePath, fixture.secretBox).execute(new OpenKybCase(own()));
const submit = (context = own()) =>
  new SubmitKybCaseHandler(fixture.writePath, fixture.secretBox).execute(new SubmitKybCase(business, owners, context));
const add = (content: Uint8Array = PDF, context = own(), kind = 'registration') => {
  const sent = { kind, name: '../Extract.pdf', bytes: content };
  return new AddKybDocumentHandler(fixture.writePath, bytes, fixture.secretBox).execute(
    new AddKybDocument(sent, context),
  );
};
const remove = (document: string, context = own()) =>
  new RemoveKybDocumentHandler(fixture.writePath, bytes, fixture.secretBox).execute(
    new RemoveKybDocument(document, context),
  );
const decide = (id: string, decision: 'approve' | 'reject', context = operator()) =>
  new DecideKybCaseHandler(fixture.writePath, commands, bytes).execute(
    new DecideKybCase(id, decision, 'seen', context),
  );
const caseOf = async (id: string) => (await fixture.get(kybCasesReadModel, 'platform', id))?.body;
const stopsOf = async () =>
  (await fixture.get(killSwitchesReadModel, 'platform', `merchant:${MERCHANT}`))?.body.stops.map(
    ({ ground }) => ground,
  );
const pieces = async () => (await fixture.documents.open(KYB_PIECES)).count();

async function submitted(): Promise<string> {
  const id = await begin();
  await add();
  await submit();
  return id;
}

describe('a new merchant', () => {
  it('whom the operator has registered needs no case, and opens none', async () => {
    await expect(openCase()).rejects.toMatchObject({ code: 'kyb_case_not_found' });
  });

  it('is stopped in live mode, and has one case however often it is begun', async () => {
    const context = own();
    const id = await begin(context);
    expect(await begin(context)).toBe(id);
    expect(await begin()).toBe(id);
    expect(await openCase()).toBe(id);
    expect(await stopsOf()).toEqual(['kyb']);
    expect(await fixture.eventTypes('platform', 'kyb_case', id)).toEqual(['KybCaseOpened']);
  });

  it('is stopped before it has a case', async () => {
    fixture.store.append = (
      append =>
      (stream, ...rest) => {
        if (stream.includes('kyb_case')) throw new Error('killed');
        return append(stream, ...rest);
      }
    )(fixture.store.append.bind(fixture.store));
    await expect(begin()).rejects.toThrow('killed');
    expect(await stopsOf()).toEqual(['kyb']);
  });

  it('that does not exist is no subject', async () => {
    await expect(begin(own(OTHER_MERCHANT))).rejects.toMatchObject({ code: 'invalid_killswitch_subject' });
  });
});

describe('an approval', () => {
  it('lifts the stop, and leaves that of an operator', async () => {
    const id = await submitted();
    const stop = { mode: 'live', ground: 'operator' } as const;
    await commands.execute(new SetKillSwitch('merchant', MERCHANT, stop, 'fraud', operator()));
    await decide(id, 'approve');
    expect(await stopsOf()).toEqual(['operator']);
    expect(await caseOf(id)).toMatchObject({ status: 'approved', note: 'seen' });
    await expect(decide(id, 'approve')).rejects.toMatchObject({ code: 'kyb_case_already_decided' });
    await expect(decide(id, 'reject')).rejects.toMatchObject({ code: 'kyb_case_already_decided' });
  });

  it('is finished by the next one where its process died', async () => {
    const id = await submitted();
    beforeLifting = () => {
      throw new Error('killed');
    };
    await expect(decide(id, 'approve')).rejects.toThrow('killed');
    expect([(await caseOf(id))?.status, await stopsOf()]).toEqual(['approved', ['kyb']]);
    beforeLifting = () => undefined;
    await decide(id, 'approve');
    expect(await stopsOf()).toEqual([]);
  });

  it('lifts the stop also where another one comes first, and its process dies', async () => {
    const id = await submitted();
    fixture.store.append = (
      append =>
      async (stream, ...rest) => {
        if (!stream.includes('kyb_case')) return append(stream, ...rest);
        fixture.store.append = append;
        const first = { type: 'approve', note: 'seen' } as const;
        await fixture.writePath.execute(kybCases, id, first, { ...operator(), merchantId: MERCHANT });
        return append(stream, ...rest);
      }
    )(fixture.store.append.bind(fixture.store));
    await decide(id, 'approve');
    expect([(await caseOf(id))?.status, await stopsOf()]).toEqual(['approved', []]);
  });

  it('is answered again to the same command', async () => {
    const id = await submitted();
    const context = operator();
    await decide(id, 'approve', context);
    await decide(id, 'approve', context);
    expect(await begin()).toBe(id);
    expect(await openCase()).toBe(id);
    expect(await stopsOf()).toEqual([]);
  });

  it.each(['approve', 'reject'] as const)('knows no other case: %s', async decision => {
    await expect(decide('kyb_00000000000000000000000001', decision)).rejects.toMatchObject({
      code: 'kyb_case_not_found',
    });
  });
});

it('a rejection leaves the stop, and is followed by one further case', async () => {
  const id = await submitted();
  await decide(id, 'reject');
  expect(await stopsOf()).toEqual(['kyb']);
  const next = await openCase();
  expect(next).not.toBe(id);
  expect(await openCase()).toBe(next);
  await add();
  await submit();
  await decide(next, 'approve');
  expect(await stopsOf()).toEqual([]);
});

describe('a document', () => {
  const large = (size: number) => Buffer.concat([PDF, Buffer.alloc(size - PDF.length, 7)]);

  it('is kept sealed, and read again as it was sent', async () => {
    const id = await begin();
    const content = large(3 * 1_048_576 + 1);
    const document = await add(content);
    const [facts] = (await caseOf(id))?.documents ?? [];
    expect(facts).toMatchObject({ id: document, name: 'Extract.pdf', type: 'application/pdf', size: content.length });
    expect(await pieces()).toBe(4);
    expect((await bytes.read(facts as NonNullable<typeof facts>)).equals(content)).toBe(true);
    await remove(document);
    expect([await pieces(), (await caseOf(id))?.documents]).toEqual([0, []]);
  });

  it('is added once by the same command', async () => {
    const id = await begin();
    const context = own();
    const document = await add(PDF, context);
    expect(await add(PDF, context)).toBe(document);
    expect((await caseOf(id))?.documents).toHaveLength(1);
  });

  it('has 10 MiB at most, a known type by its content, and a known kind', async () => {
    await begin();
    await expect(add(large(KYB_DOCUMENT_BYTES + 1))).rejects.toMatchObject({ code: 'request_too_large' });
    await expect(add(Buffer.from('<html>'))).rejects.toMatchObject({ code: 'unsupported_media_type' });
    await expect(add(Buffer.alloc(0))).rejects.toMatchObject({ code: 'unsupported_media_type' });
    await expect(add(PDF, own(), 'toString')).rejects.toMatchObject({ code: 'parameter_invalid', param: 'kind' });
    expect(await pieces()).toBe(0);
  });

  it('is of its merchant alone', async () => {
    await begin();
    const document = await add();
    const stranger = own(OTHER_MERCHANT);
    await expect(add(PDF, stranger)).rejects.toMatchObject({ code: 'kyb_case_not_found' });
    await expect(submit(stranger)).rejects.toMatchObject({ code: 'kyb_case_not_found' });
    await expect(remove(document, stranger)).rejects.toMatchObject({ code: 'kyb_case_not_found' });
    expect(await pieces()).toBe(1);
  });

  it('leaves no bytes where the case is submitted while they are stored', async () => {
    const id = await begin();
    await add();
    const store = bytes.store.bind(bytes);
    bytes.store = async (...sent) => {
      await store(...sent);
      await submit();
    };
    await expect(add()).rejects.toMatchObject({ code: 'invalid_state_transition' });
    expect([await pieces(), (await caseOf(id))?.documents.length]).toEqual([1, 1]);
  });

  it('of an upload that broke off is deleted after an hour', async () => {
    const id = await begin();
    await bytes.store({ merchantId: MERCHANT, kybCase: id, document: 'kdoc_lost' }, PDF);
    await add();
    expect(await pieces()).toBe(2);
    fixture.nowMs += HOUR_MS;
    await submit();
    await decide(id, 'approve');
    expect(await pieces()).toBe(1);
  });
});
