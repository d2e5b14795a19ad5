import { brotliCompressSync, constants } from 'node:zlib';
import { BuiltPages } from '../../../web/http/built-pages';
import { ListStage, LISTS, type ListCase } from '../../e2e/list-stage';
import { searchSize } from '../../levels/search-size';
import { RoundTrips } from '../../support/round-trips';
import { PersonBrowser } from '../dashboard-stage';

const HOME = '/dashboard/test';
/** Of a page with its script and its style, compressed, without the font. */
const WEIGHT_LIMIT = 25_000;
/** The quality that pages are sent with. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const FULL = 100;
/** Objects beside those of a full page. */
const MANY = searchSize('LISTED_OBJECTS', { small: 200, full: 2_000 });
const MINUTE_MS = 60_000;
/** Keys' uses are written once a second, and a read model's version is looked at once in ten, for all requests. */
const WRITTEN_BEHIND = ['api_key_uses', 'checkpoints'];

/** The pages that list, by the list of the API that has the same objects. */
const PAGES: Readonly<Record<string, string>> = {
  '/v1/payment_intents': 'payments',
  '/v1/payment_links': 'links',
  '/v1/unmatched_transfers': 'transfers',
  '/v1/wallets': 'wallets',
  '/v1/api_keys': 'keys',
  '/v1/invoices': 'invoices',
  '/v1/fees': 'fees',
  '/v1/fee_invoices': 'fees/invoices',
  '/v1/webhook_endpoints/{endpoint}/deliveries': 'webhooks/{endpoint}',
  '/v1/webhook_events': 'events',
};
const LISTED = LISTS.filter(({ name }) => name in PAGES);
const built = BuiltPages.read();
const shared = ['console.js', 'console.css'].reduce(
  (sum, name) => sum + (built.asset(built.assetName(name))?.bytes.br.length ?? 0),
  0,
);
const trips = new RoundTrips();

let lists: ListStage;
let owner: PersonBrowser;
beforeAll(async () => {
  lists = await ListStage.open(false, { trips });
  owner = new PersonBrowser(lists.instance, lists.merchant, 'owner1@example.com');
  await owner.signIn();
  for (const list of LISTED) await putMore(list, FULL);
}, 60_000);
afterAll(() => lists?.stage.close());

/** Objects a minute apart, so that no two rows have one text. */
async function putMore(list: ListCase, count: number): Promise<void> {
  const madeAt = await lists.madeAt(list);
  await lists.put(list, count, index => madeAt - (index + 1) * MINUTE_MS);
}

const pageOf = ({ name }: ListCase): string => `${HOME}/${lists.named(PAGES[name] ?? '')}`;

it.each(LISTED)('has a full page of $name within its weight', async list => {
  const { status, body } = await owner.open(`${pageOf(list)}?limit=${FULL}`);
  expect([status, body.includes(`${FULL} shown`)]).toStrictEqual([200, true]);
  const weight = shared + brotliCompressSync(body, QUALITY).length;
  console.info(`${list.name}: ${weight} of ${WEIGHT_LIMIT} bytes, ${shared} of them script and style`);
  expect(weight).toBeLessThanOrEqual(WEIGHT_LIMIT);
});

describe(`with ${MANY} more objects`, () => {
  const asked = async (page: string) => {
    const questions = await trips.during(() => owner.open(page));
    return questions.filter(question => !WRITTEN_BEHIND.some(each => question.endsWith(each))).sort();
  };
  const pages = ['', '/reviews', '/payments?search=order%3D42', '/payments?status=needs_decision', '/books', '/routes'];
  let before: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    const all = [...pages.map(page => HOME + page), ...LISTED.map(pageOf)];
    // The first look of a process reads some documents that stay.
    for (const page of all) await owner.open(page);
    const questions = new Map<string, readonly string[]>();
    for (const page of all) questions.set(page, await asked(page));
    before = questions;
    for (const list of LISTED.filter(({ name }) => !['/v1/wallets', '/v1/api_keys'].includes(name)))
      await putMore(list, MANY);
  }, 60_000);

  it('asks the engines no more than with a page full of them', async () => {
    expect(before.size).toBe(pages.length + LISTED.length);
    // The first look at an event keeps its payment as it was.
    for (const page of before.keys()) await owner.open(page);
    for (const [page, questions] of before) expect([page, await asked(page)]).toStrictEqual([page, questions]);
  });
});
