import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { EndpointFields } from './endpoint-fields';

/** The form of a new endpoint. */
export function NewEndpointPage() {
  const paths = usePaths();
  return (
    <DashboardPage title="New endpoint" current="webhooks" back={{ path: 'webhooks', text: 'Webhooks' }}>
      <Card>
        <SignedForm action={paths('webhooks/new')} asksCode>
          <EndpointFields />
          <Submit>Create the endpoint</Submit>
        </SignedForm>
      </Card>
    </DashboardPage>
  );
}
