/** The form of requests, lists and their parameters. */
export const REQUEST_REMEDIES = {
  resource_missing:
    "Check the id, and that the key is of the object's own mode. Objects of others are answered the same way as none.",
  payment_not_found: 'Check the pi_ id and the mode of the key: a test payment does not exist for a live key.',
  wallet_not_found: 'List your wallets and take the wal_ id from there.',
  merchant_not_found: 'Search the register of merchants for the right id.',
  unknown_endpoint: 'List your webhook endpoints and take the we_ id from there.',
  unknown_route: 'Compare the path with the documentation: is /v1 there, is a part misspelt or too much?',
  unknown_token:
    'Send one of the three token ids; it names asset and network together. In a route, pair USDT with tron or bnb and USDC with base.',
  reservation_not_found:
    'Create a new payment for a new quote. Money that came before the quote, or was named more than 30 days after it, lies in the unmatched queue.',
  unmatched_transfer_not_found: 'Reload the queue of unmatched transfers.',
  hold_not_found: 'Reload the queue of holds.',
  kyb_case_not_found: 'Reload the queue of verification cases.',
  idempotency_key_in_use:
    'Send the same request again after the seconds of Retry-After; you then get the answer of the first one.',
  invalid_idempotency_key: 'Send a random text of printable characters, a UUID for example.',
  idempotency_key_too_long: 'Shorten the key; a UUID has 36 characters.',
  invalid_json:
    'Let a JSON library write the body: UTF-8 without a byte order mark, no key twice in an object, nothing behind the end.',
  invalid_body: 'Wrap what you send in an object.',
  unsupported_media_type: 'Set `Content-Type: application/json`, send JSON, and do not compress it.',
  method_not_allowed:
    'Use a method from the Allow header. Objects are never deleted; cancel, void, revoke or deactivate them.',
  request_too_large: 'Keep the body below 64 KiB, and headers and path short.',
  request_aborted: 'Send it again with the same Idempotency-Key; look at time-outs and proxies if it happens often.',
  invalid_path: 'Percent-encode what you put into the path.',
  missing_path_parameter: 'Find the variable that was empty, or the text `undefined`, when the path was built.',
  parameter_missing: 'Add the field that `param` names.',
  parameter_invalid:
    'Correct the field that `param` names. Fields that the operation does not know are refused as well.',
  parameter_invalid_integer:
    'Send a JSON integer within the bounds that the message gives. Send an amount above 9007199254740991 as a string of digits.',
  invalid_request: 'Read the message: it says which rule the request breaks.',
  invalid_limit: 'Ask for 1 to 100 objects a page, or leave limit out for 20.',
  invalid_cursor: 'Pass the id of the last object of the page before, from this same list, or start at the first page.',
  cursor_rewind: 'Nothing to do for a client. An operator restores the watcher from its own record, never backwards.',
  invalid_filter: 'Take the filter out, or use one that the operation lists; none is ever ignored silently.',
  invalid_range: 'Swap the two ends of the range.',
  invalid_timestamp: 'Write the time like 2026-11-21T12:00:00.000Z, ending in Z.',
  invalid_now: 'Send a valid time in UTC.',
  invalid_advance: 'Move the sandbox clock by a positive number of milliseconds.',
  invalid_duration: 'Send whole milliseconds from zero.',
  invalid_ttl: 'Send whole milliseconds from one.',
  invalid_metadata_key: 'Use short keys of printable ASCII, up to 40 characters.',
  invalid_metadata_value: 'Turn numbers, booleans and objects into strings before you send them.',
  metadata_too_large: 'Keep to 20 keys, 500 characters a value and 8,000 bytes in all; store the rest on your side.',
  invalid_merchant: 'Nothing to do for a client: report the request id.',
  missing_merchant: 'Nothing to do for a client: report the request id.',
  duplicate_id: 'Leave ids to the service and send the request again.',
  rate_limit:
    'Wait as long as Retry-After says, then go on more slowly, with some chance in the pauses so that clients do not return together.',
  rate_limit_subject_required:
    'An operator checks that client addresses reach the service through the proxies before it.',
  invalid_rate_limit: 'An operator sets limit and window to positive whole numbers.',
  client_address_unavailable: 'An operator configures which proxies are trusted to name the client.',
  idempotency_key_reuse:
    'Make a new key for each new request; keep the old one only to repeat a request with the same fields and values.',
} as const;
