import { textIn } from '../dashboard/rendered-dashboard';
import { ConsoleStage, type AdminBrowser } from '../console-stage';
import { stagedConsole, type StagedConsole } from './staged-console';
import { auditedEntry } from './system-rows';

const LIMIT_MS = 60_000;
/** An open page of figures is taken anew after so long. */
const SPAN_MS = 10_000;

let stage: ConsoleStage;
let staged: StagedConsole;
let owner: AdminBrowser;
let viewer: AdminBrowser;
let stream: string;
beforeAll(async () => {
  stage = await ConsoleStage.open();
  staged = await stagedConsole(stage);
  owner = await stage.admin('owner');
  viewer = await stage.admin('viewer');
  stream = `/console/streams/test.payment_intent-${staged.review}`;
}, LIMIT_MS);
afterAll(() => stage?.close());

describe('the browser of events', () => {
  const found = (by: AdminBrowser, text: string) => by.open(`/console/streams?q=${encodeURIComponent(text)}`);

  it('leads from an object, or from the name of a stream, to the stream', async () => {
    for (const text of [staged.review, ` test.payment_intent-${staged.review}`])
      expect((await found(viewer, text)).headers.location).toBe(stream);
    expect((await found(viewer, 'pi_none')).body).toContain('No such stream');
  });

  it('tells of streams above the modes to readers of the audit log alone', async () => {
    const { id } = staged.merchant;
    const path = `/console/streams/platform.merchant-${id}`;
    expect((await found(owner, id)).headers.location).toBe(path);
    expect((await found(viewer, id)).body).toContain('No such stream');
    expect([(await owner.open(path)).status, (await viewer.open(path)).status]).toEqual([200, 403]);
  });

  it('shows the same moment by the event’s number and by its time', async () => {
    const byNumber = (await viewer.open(`${stream}?as_of=1`)).body;
    const [, at = ''] = /as_of=1"><time dateTime="([^"]+)"/i.exec(byNumber) ?? [];
    const byTime = (await viewer.open(`${stream}?as_of=${at.replace('Z', '')}`)).body;
    for (const page of [byNumber, byTime]) {
      expect(page).toContain('value="1" list="as-of-events"');
      expect(textIn(page)).toContain('Event 1: Method selected');
    }
    expect((await viewer.open(`${stream}?as_of=2026-01-01T10:00`)).body).toContain('value="2026-01-01T10:00"');
    expect(textIn((await viewer.open(stream)).body)).toContain('Hash chain holds');
    expect((await viewer.open(`${stream}?as_of=999`)).status).toBe(400);
    expect((await viewer.open(`${stream}?as_of=noon`)).status).toBe(400);
  });
});

describe('the audit log', () => {
  it('is found by actor, object, action and day, and leads to the entry', async () => {
    const id = await auditedEntry(stage);
    const query = `actor=${owner.email}&action=approval.propose&mode=platform&from=2020-01-01&target=${staged.approval}`;
    const { body } = await owner.open(`/console/audit?${query}`);
    expect(body.match(/class="row-link"/g)).toHaveLength(1);
    expect(textIn(body)).toMatch(/Approval: propose .* owner Lind/);
    expect(textIn((await owner.open('/console/audit?action=nothing')).body)).toContain('Action: Choose one of those');
    expect((await owner.open(`/console/audit/${id}`)).status).toBe(200);
  });

  it('is taken along as a file, by the same filters', async () => {
    const { headers, body } = await owner.open(
      `/console/audit/export/file?format=csv&action=approval.propose&actor=${owner.email}`,
    );
    expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-platform-/);
    expect(body.trim().split('\r\n')).toHaveLength(2);
    const refused = await owner.open('/console/audit/export/file?format=csv&from=yesterday');
    expect(textIn(refused.body)).toContain('From: Choose a day of the calendar');
  });
});

describe('the state of the service', () => {
  it('has each network in each mode, and the network’s own page', async () => {
    const { body } = await viewer.open('/console/coverage');
    for (const path of ['live/base', 'test/base', 'test/tron']) expect(body).toContain(`/console/coverage/${path}"`);
    expect(textIn((await viewer.open('/console/coverage/test/base')).body)).toMatch(/Read up to block \d+/);
    expect((await viewer.open('/console/coverage/test/moon')).status).toBe(404);
  });

  it.each(['coverage', 'coverage/test/base', 'health', 'health/read-models', 'health/limits', 'health/groups/audit'])(
    'is taken anew by an open page of %s, once in each span of time',
    async path => {
      const versionNow = async () => {
        const { body } = await viewer.open(`/console/${path}`);
        expect(body).toContain(`data-events="/console/${path}"`);
        expect(body).toContain('id="moment" data-live');
        return /data-page-version="([^"]+)"/.exec(body)?.[1];
      };
      const before = await versionNow();
      stage.stage.clock.aheadMs += SPAN_MS;
      expect(await versionNow()).not.toBe(before);
    },
  );

  it('begins a rebuild after a fresh code', async () => {
    const operator = await stage.admin('operations');
    const path = '/console/actions/rebuild-read-model';
    const fields = { target: 'merchants', reason: 'A doubt.' };
    expect((await operator.sendForm(path, path, { ...fields, code: '000000' })).status).toBe(401);
    const { headers } = await operator.sendForm(path, path, { ...fields, code: operator.code() });
    expect(headers.location).toBe('/console/health/read-models');
  });
});
