import { ActorOf } from '../../../web/console/audit/audit-words';
import { ListPage } from '../../../web/console/lists/list.page';
import { NAMINGS } from '../../../web/console/transfers/namings';
import { textIn } from '../dashboard/rendered-dashboard';
import { renderedForAdmin } from './rendered-console';
import { PAYMENT, streamPage, SYSTEM_PAGES } from './system-views';

const html = (name: string, role?: Parameters<typeof renderedForAdmin>[1]): string =>
  renderedForAdmin(SYSTEM_PAGES[name]?.page ?? null, role);
const text = (name: string): string => textIn(html(name));

describe('the audit log', () => {
  it('tells action, object and actor, and leads to the entry and to older ones', () => {
    expect(text('the audit log')).toMatch(/Merchant: suspend mch_\w+ Cora Lind Platform 1 Nov 2026, 12:00/);
    expect(text('the audit log')).toContain('The service matcher');
    expect(html('the audit log')).toContain('href="/console/audit/5b6a9a0e-6c1b-8000-8000-000000000001"');
    expect(html('the audit log')).toContain('?target=mch_1&amp;starting_after=5b6a9a0e-6c1b-8000-8000-000000000002');
  });

  it('names who ran the command line', () => {
    const actor = { type: 'system', id: 'cli:alice', role: 'admin' };
    expect(textIn(renderedForAdmin(<ActorOf actor={actor} names={{}} />))).toContain('Command line alice');
  });

  it('says why a filter was refused', () => {
    expect(text('a refused filter of the audit log')).toContain('From: choose a day.');
    expect(text('a refused filter of the audit log')).not.toContain('No such entry');
  });

  it('shows an entry with its difference, address, request and event', () => {
    const shown = html('an entry that changed something');
    expect(shown).toMatch(/<dt>status<\/dt><dd><del>active<\/del> *<ins>disabled<\/ins>/);
    expect(textIn(shown)).toContain('203.0.113.7');
    expect(textIn(shown)).toContain('req_01kb3x5q0g7h2m9c4r8v6t1zny');
    expect(shown).toContain('/console/streams/platform.merchant-mch_01kb3x5q0g7h2m9c4r8v6t1zny?as_of=4"');
    expect(text('an entry of the service')).toContain('None: the service or its command line did it');
  });
});

describe('a stream', () => {
  it('tells why the newest event came about, and what it changed', () => {
    const shown = html('a stream now');
    expect(textIn(shown)).toMatch(/Event 3: Confirmation seen/);
    expect(shown).toMatch(/<dt>status<\/dt><dd><del>detected<\/del> *<ins>confirming<\/ins>/);
    expect(textIn(shown)).toContain('Each event follows on the one before it, over all 4 events.');
  });

  it('shows the state as of an event, and marks where the hash chain breaks', () => {
    const shown = html('a stream as of an event');
    expect(shown).toContain('max="3" step="1" value="1"');
    expect(textIn(shown)).toContain('event 1 of 3, 1 Nov 2026, 12:00:01.000');
    expect(textIn(shown)).toContain('Broken at event 2: its content is not the content that was hashed.');
    expect(shown).toMatch(/<li class="later">/);
    expect(textIn(shown)).toContain('&quot;status&quot;: &quot;awaiting_payment&quot;');
  });

  it('has nothing before its first event', () => {
    expect(text('a stream before it began')).toMatch(/before the first event.*The stream began later\./);
    expect(html('a stream before it began')).toContain('value="1970-01-01T00:00"');
  });

  it('can be held at each event by its number', () => {
    for (const revision of [0, 1, 2, 3])
      expect(renderedForAdmin(streamPage({ revision }))).toContain(`value="${revision}" list="as-of-events"`);
  });

  it('is found by its name or an object', () => {
    expect(html('streams of one object')).toContain(`/console/streams/live.naming-${PAYMENT}"`);
    expect(text('no stream')).toContain('No such stream');
  });
});

describe('coverage', () => {
  it('tells each network’s state, lag and providers, by mode', () => {
    expect(text('coverage')).toMatch(/Live mode.*Base Read 21504330 4 seconds 0 0 1 of 3 answer/);
    expect(text('coverage')).toMatch(/TRON Behind 21504330 9 minutes 1 1 None here/);
    expect(text('coverage')).toMatch(/Test mode.*Base Never read – – – – None here/);
  });

  it.each(['close-coverage-hole?target=live.coverage_hole', 'give-up-deferred-transfer?target=live.deferred_transfer'])(
    'offers %s to roles that may propose it alone',
    action => {
      expect(html('coverage', 'compliance')).toContain(`/console/actions/${action}`);
      expect(html('coverage', 'viewer')).not.toContain(`/console/actions/${action.split('?')[0]}`);
    },
  );

  it('tells gaps and each provider of a network', () => {
    expect(text('a network at fault')).toContain('65500000 to 65500010 Never scanned');
    expect(text('a network')).toMatch(/nodes\.example\.org Resting It failed, or asked for a pause\./);
    expect(text('a network that nobody has read')).toContain('No process has read this network in this mode.');
  });
});

describe('health', () => {
  it('tells of checks, groups, mail and rates', () => {
    expect(text('health')).toMatch(/Coverage Degraded live tron is behind/);
    expect(text('health')).toMatch(/Matching 3 Not told in time/);
    expect(text('health')).toMatch(/Notices to people 500 or more/);
    expect(text('health')).toMatch(/exchange Live Stale – 9 Provider unavailable/);
    expect(text('health')).toContain('Missing: USD/ISK');
  });

  it('lists read models at fault first, and offers a rebuild to operations', () => {
    expect(text('read models')).toMatch(/Routes Failed.*Payment intents Following/);
    expect(text('read models')).toContain('up to events of 1 Nov 2026, 12:00');
    expect(html('read models', 'operations')).toContain('/console/actions/rebuild-read-model?target=routes');
    expect(html('read models', 'finance')).not.toContain('/console/actions/rebuild-read-model');
  });

  it('offers to try parked messages anew where there are any', () => {
    expect(html('parked messages', 'operations')).toContain('/console/actions/replay-parked?target=matching');
    expect(html('no parked message', 'operations')).not.toContain('/console/actions/replay-parked');
    expect(text('parked messages')).toContain('1 of the parked messages');
  });

  it('warns where few amounts are free', () => {
    expect(html('limits')).toContain('<span class="badge warn">42</span>');
    expect(text('limits')).toMatch(/Requests: checkout 1,000 a second Configuration/);
  });
});

describe('the named transactions', () => {
  const shown = (rows: Parameters<typeof NAMINGS.cells>[0][]) => {
    const view = { rows, given: {}, fault: null, next: null, isFirst: true };
    return textIn(renderedForAdmin(<ListPage pages={NAMINGS} view={view} />));
  };

  it('say that none is in review, which is all that the list shows by default', () => {
    expect(shown([])).toContain('No named transaction is in review');
  });

  it('say that the chain decides on one that waits for no person', () => {
    const naming = {
      ...({ id: 'tc_1', object: 'filed_claim', mode: 'live', merchant_id: null, payment_intent: PAYMENT } as const),
      ...({ kind: 'transaction', reference: '0xaa', log_index: null, status: 'pending', reason: null } as const),
      ...{ transfer: null, created: '2026-11-01T12:00:00.000Z' },
    };
    expect(shown([naming])).toContain('The chain alone decides.');
    expect(shown([{ ...naming, kind: 'exchange_transfer' }])).toContain('It is the own number of an exchange.');
  });
});
