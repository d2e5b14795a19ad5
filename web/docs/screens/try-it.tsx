import type { LocatedOperation, Parameter } from '../../../src/platform/docs/api-document';

type TryItProps = { readonly located: LocatedOperation; readonly parameters: readonly Parameter[] };

/**
 * The form that the page's script shows and sends. Its fields have no name, so a browser without the script could send
 * no key in an address.
 */
export function TryIt({ located: { method, path, operation }, parameters }: TryItProps) {
  const content = operation.requestBody?.content['application/json'];
  const body = content && JSON.stringify(content.example ?? {}, null, 2);
  return (
    <section aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      <noscript>
        <p>This form needs a browser with script.</p>
      </noscript>
      <form class="try-it" hidden data-scripted data-method={method.toUpperCase()} data-path={path}>
        {operation.security.length > 0 && <TryField name="API key" place="key" isSecret />}
        {parameters.map(({ name, in: place, required }) => (
          <TryField key={`${place} ${name}`} name={name} place={place} isRequired={required} />
        ))}
        {body !== undefined && (
          <div class="field">
            <label for="try-body">Body</label>
            <textarea id="try-body" data-in="body" rows={12} spellcheck={false}>
              {body}
            </textarea>
          </div>
        )}
        <button type="submit" class="button main">
          Send
        </button>
        <output aria-live="polite" />
      </form>
    </section>
  );
}

type TryFieldProps = {
  readonly name: string;
  readonly place: string;
  readonly isSecret?: boolean;
  readonly isRequired?: boolean;
};

function TryField({ name, place, isSecret = false, isRequired = false }: TryFieldProps) {
  const id = `try-${place}-${name.replaceAll(' ', '-')}`;
  const facts = { id, 'data-in': place, 'data-name': name, autocomplete: 'off', required: isRequired } as const;
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {isSecret ? <input type="password" {...facts} /> : <input type="text" {...facts} />}
    </div>
  );
}
