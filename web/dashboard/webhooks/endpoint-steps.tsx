import type { WebhookEndpointResource } from '../../../src/modules/webhooks/api/webhook-endpoints.contract';
import { Confirm } from '../../parts/confirm';
import { useFault, usePaths } from '../../parts/signed-context';
import { EndpointFields } from './endpoint-fields';

/** The ways to change an endpoint. Each of them takes a one-time code. */
export function EndpointSteps({ endpoint }: { readonly endpoint: WebhookEndpointResource }) {
  const fault = useFault();
  const paths = usePaths();
  const step = (name: string) => {
    const action = paths(`webhooks/${endpoint.id}/${name}`);
    return { id: name, action, isOpen: fault?.action === action, asksCode: true };
  };
  const { url, description, enabled_events: types, status } = endpoint;
  return (
    <div class="confirms">
      <Confirm
        {...step('change')}
        button="Change the endpoint"
        text={<p>Events that arise from now on go by the change.</p>}
        isDanger={false}
      >
        <EndpointFields url={url} description={description} types={types} />
      </Confirm>
      <Confirm
        {...step('roll')}
        button="Roll the signing secret"
        text={<p>A new secret is shown this once. The present one signs beside it for 24 hours.</p>}
        isDanger={false}
      />
      {status === 'enabled' ? (
        <Confirm
          {...step('disable')}
          button="Disable the endpoint"
          text={<p>Nothing more is sent to {url}. Events of the meantime can be delivered again by hand.</p>}
        />
      ) : (
        <Confirm
          {...step('enable')}
          button="Enable the endpoint"
          text={<p>Events that arise from now on are sent to {url} again.</p>}
          isDanger={false}
        />
      )}
    </div>
  );
}
