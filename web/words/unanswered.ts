const WORDS: Readonly<Record<string, string>> = {
  timeout: 'No answer came in time',
  connection_failed: 'The connection failed',
  tls_error: 'No trusted TLS connection was made',
  blocked_address: 'The host has an address that is not allowed',
  dns_error: 'The host’s name was not found',
};

/** The reason why a webhook got no answer, in words. A code that is not known yet is shown by its name. */
export function unansweredText(error: string | null): string {
  return error === null ? 'No answer' : (WORDS[error] ?? error);
}
