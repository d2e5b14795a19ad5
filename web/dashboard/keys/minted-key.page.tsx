import type { MintedKey } from '../../../src/modules/api-keys/commands/mint-api-key.command';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { Secret } from '../../parts/secret';
import { usePaths } from '../../parts/signed-context';

type MintedKeyPageProps = MintedKey & {
  /** The key that the new one takes the place of; null for a key of its own. */
  readonly rotated: string | null;
};

/** A new key, this once. */
export function MintedKeyPage({ keyId, secret, rotated }: MintedKeyPageProps) {
  const paths = usePaths();
  return (
    <DashboardPage title="Your new key" current="keys" back={{ path: 'keys', text: 'API keys' }}>
      <Card>
        <Secret label="API key" texts={[secret]}>
          {rotated !== null && (
            <p>
              <a href={paths(`keys/${rotated}`)}>The old key</a> works for 7 days more. Give your programs the new one
              until then.
            </p>
          )}
          <p>
            <a href={paths(`keys/${keyId}`)}>Look at the key</a>
          </p>
        </Secret>
      </Card>
    </DashboardPage>
  );
}
