import { ERROR_CATALOGUE, type ErrorCode } from '../../src/vocabulary/error-catalogue';
import { Name } from '../parts/prose';
import { Shell } from '../parts/shell';

/** The statuses of a key that does not open a page. */
const KEY_REFUSED: readonly number[] = [401, 403];

/** A refusal as a page for developers. */
export function FaultPage({ code, docsUrl }: { readonly code: ErrorCode; readonly docsUrl: string }) {
  const { status, title } = ERROR_CATALOGUE[code];
  return (
    <Shell
      title={`${status} ${code}`}
      home={docsUrl}
      label="Documentation"
      links={[{ href: docsUrl, text: 'Documentation' }]}
    >
      <h1>
        {status} <Name text={code} />
      </h1>
      <p class="lead">{title}</p>
      {KEY_REFUSED.includes(status) && (
        <p>
          The page needs a key of the account and mode of its request, with the scope <code>request_log:read</code>, in
          the header <code>Authorization: Bearer KEY</code>.
        </p>
      )}
      <p>
        The <a href={docsUrl}>documentation</a> tells what to do about{' '}
        <a href={`${docsUrl}/errors/${code}`}>
          <code>{code}</code>
        </a>
        .
      </p>
    </Shell>
  );
}
