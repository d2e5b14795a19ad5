import { RateLimits } from '../../../src/platform/rate-limits/rate-limits';
import { DashboardStage, PersonBrowser } from '../dashboard-stage';

const LIMIT_MS = 60_000;
const TRIES = 12;

let dashboard: DashboardStage;
let limited: PersonBrowser;
let nobody: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  const { stage, owner, merchant } = dashboard;
  const rates = { write: 100, read: 100, address: 1 };
  const instance = await stage.startInstance({
    rateLimits: await RateLimits.open(stage.core.documents, stage.clock, rates),
  });
  limited = new PersonBrowser(instance, merchant, owner.email);
  nobody = limited.another();
  limited.secret = owner.secret;
}, LIMIT_MS);
afterAll(() => dashboard.close());

const statuses = async (browser: PersonBrowser): Promise<readonly number[]> => {
  const answers = Array.from({ length: TRIES }, () => browser.open('/dashboard/test'));
  return (await Promise.all(answers)).map(({ status }) => status);
};

test('neighbours without a session use up their address, and no person’s limit', async () => {
  const refused = await statuses(nobody);
  expect(refused).toContain(303);
  expect(refused).toContain(429);
  expect(new Set(await statuses(limited))).toStrictEqual(new Set([200]));
});
