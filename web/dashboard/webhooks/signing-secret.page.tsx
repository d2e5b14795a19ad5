import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { Secret } from '../../parts/secret';
import { usePaths } from '../../parts/signed-context';

type SigningSecretPageProps = {
  readonly endpointId: string;
  readonly secret: string;
  /** The secret takes the place of another one. */
  readonly isRolled: boolean;
};

/** A new signing secret, this once. */
export function SigningSecretPage({ endpointId, secret, isRolled }: SigningSecretPageProps) {
  const paths = usePaths();
  return (
    <DashboardPage title="Signing secret" current="webhooks" back={{ path: 'webhooks', text: 'Webhooks' }}>
      <Card>
        <Secret label="signing secret" texts={[secret]}>
          <p>Your shop checks with it that a webhook comes from us.</p>
          {isRolled && <p>The former secret signs beside this one for 24 hours.</p>}
          <p>
            <a href={paths(`webhooks/${endpointId}`)}>Go to the endpoint</a>
          </p>
        </Secret>
      </Card>
    </DashboardPage>
  );
}
