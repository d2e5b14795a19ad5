import { byId } from './page-parts';
import { rememberRegions, swap } from './swap';

/**
 * Keeps the page new: `<body data-page-version="…" data-events="URL">`. Each event's data, or else its id, is the
 * version of the page now. Equal to the page's own, nothing is fetched. Otherwise the page is fetched again, and its
 * regions are swapped. `data-page` names the page's URL where another address is shown, as after a refused form.
 *
 * - A hidden tab closes its stream. Without a stream the page is asked each five seconds.
 * - A countdown is set right when a stream comes back: a machine that slept counted no time.
 * - `#not-current`, born `hidden`, shows while the newest page cannot be had.
 */
const POLL_MS = 5_000;
const FETCH_LIMIT_MS = 10_000;
/** The read model may be a moment behind the event. */
const BEHIND_MS = 1_000;
const MOST_BEHIND = 3;
/** A stream that was refused is asked for again at each twelfth look. */
const LOOKS_BY_STREAM = 12;

interface Policy {
  createHTML(text: string): string;
}
interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}

/** Only the answer of `fetchPage`, of this very host, goes through. */
const policy: Policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('same-page', {
  createHTML: text => text,
}) ?? { createHTML: text => text };

async function fetchPage(): Promise<Document> {
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), FETCH_LIMIT_MS);
  try {
    const response = await fetch(document.body.dataset['page'] ?? location.href, {
      redirect: 'error',
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { accept: 'text/html' },
      signal: stop.signal,
    });
    const page = new DOMParser().parseFromString(policy.createHTML(await response.text()), 'text/html');
    // A proxy's own page is none of ours, whatever its status.
    if (!response.ok || !page.body.dataset['pageVersion']) throw new Error();
    return page;
  } finally {
    clearTimeout(limit);
  }
}

function tellCurrent(current: boolean): void {
  const line = byId('not-current');
  if (line) line.hidden = current;
}

/** `enhance` runs after each swap. Answers how others ask for a look at the newest page. */
export function startLive(enhance: () => void): () => void {
  const { body } = document;
  let source: EventSource | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  let looking: Promise<void> | null = null;
  let wanted: string | undefined;
  let again = false;
  let waits = false;
  let behind = 0;

  async function lookOnce(): Promise<void> {
    try {
      const fresh = await fetchPage();
      waits = !swap(fresh, performance.now());
      body.dataset['pageVersion'] = fresh.body.dataset['pageVersion'];
      const { events } = fresh.body.dataset;
      if (events && events !== body.dataset['events']) {
        body.dataset['events'] = events;
        connect();
      }
      tellCurrent(true);
      if (!source || source.readyState === EventSource.OPEN) stopPolling();
      enhance();
      if (!wanted || wanted === body.dataset['pageVersion']) behind = 0;
      else if (behind++ < MOST_BEHIND) setTimeout(look, BEHIND_MS);
    } catch {
      tellCurrent(false);
      poll();
    }
  }

  function look(): void {
    again = true;
    looking ??= (async () => {
      while (again) {
        again = false;
        await lookOnce();
      }
      looking = null;
    })();
  }

  function poll(): void {
    let looks = 0;
    polling ??= setInterval(() => {
      looks += 1;
      if (source?.readyState === EventSource.CLOSED && looks % LOOKS_BY_STREAM === 0) connect();
      look();
    }, POLL_MS);
  }

  function stopPolling(): void {
    clearInterval(polling);
    polling = undefined;
  }

  function lookAtTime(): void {
    if (document.querySelector('[data-ends]')) look();
  }

  function connect(): void {
    let wasOpen = false;
    source?.close();
    if (!body.dataset['events']) return;
    source = new EventSource(body.dataset['events']);
    source.onopen = () => {
      stopPolling();
      if (wasOpen) lookAtTime();
      wasOpen = true;
    };
    source.onerror = poll;
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      wanted = data || lastEventId;
      behind = 0;
      if (wanted === body.dataset['pageVersion']) tellCurrent(true);
      else look();
    };
  }

  rememberRegions();
  document.addEventListener('visibilitychange', () => {
    stopPolling();
    if (document.hidden) return source?.close();
    connect();
    lookAtTime();
  });
  document.addEventListener('focusout', () => {
    if (waits) setTimeout(look);
  });
  if (!document.hidden) connect();
  return look;
}
