import { ENDPOINT_DESCRIPTION } from '../../../src/modules/webhooks/webhook-endpoint.decider';
import { ALL_TYPES, WEBHOOK_TYPES } from '../../../src/modules/webhooks/webhook-types';
import { MAX_URL_LENGTH } from '../../../src/modules/webhooks/webhook-url';
import { FieldGroup } from '../../parts/field-group';
import { CheckField, TextField } from '../../parts/fields';

type EndpointFieldsProps = {
  readonly url?: string;
  readonly description?: string | null;
  readonly types?: readonly string[];
};

/** The fields of a new endpoint, and of one that is changed. */
export function EndpointFields({ url = '', description = null, types = [ALL_TYPES] }: EndpointFieldsProps) {
  return (
    <>
      <TextField
        name="url"
        type="url"
        label="URL"
        hint="Public https. In test mode http as well."
        value={url}
        maxLength={MAX_URL_LENGTH}
        placeholder="https://shop.example/hooks"
      />
      <TextField
        name="description"
        label="Name"
        hint="Your own name for it."
        value={description ?? ''}
        maxLength={ENDPOINT_DESCRIPTION.max}
        isOptional
      />
      <FieldGroup name="enabled_events" label="Events">
        <CheckField name={ALL_TYPES} label="All events" isTicked={types.includes(ALL_TYPES)} />
        {WEBHOOK_TYPES.map(type => (
          <CheckField key={type} name={type} label={type} isTicked={types.includes(type)} />
        ))}
      </FieldGroup>
    </>
  );
}
