import { STANDARD_ERRORS } from './openapi-errors.ts'
import { HEADER_COMPONENTS } from './openapi-headers.ts'
import { table } from './markdown.ts'

/** The service in one sentence. */
export const SUMMARY = 'Typed knowledge entries, found by meaning and by keyword, only by those who may see them.'

/** Rules that hold for every route, as Markdown. Links are relative to docs/api.md. */
export const INTRODUCTION = [
  '## Credentials',
  'Every request carries `Authorization: Bearer <API key>` unless it says that no credential is needed. Each ' +
    'operation names the scopes it needs, and every one of them is needed. [docs/reference/scopes.md](reference/scopes.md#roles) ' +
    'has the scopes of each role, and its ceiling: how far it sees. Pages of the service send the cookie of a ' +
    '[session](how-it-works/access.md#signing-in) instead. Pages of other origins use a ' +
    '[publishable key](how-it-works/access.md#publishable-keys), on the operations that say so; with GET it may also ' +
    'be the field `publishable_key` of the query.',
  '`/healthz` (the process lives), `/readyz` (requests are served), `/metrics` (for Prometheus), `/openapi.json` ' +
    '(this reference for programs) and `/docs` (for people; `/` leads there) need no credential.',

  '## Bodies and queries',
  'Bodies are JSON, `Content-Type: application/json`; those of the bulk routes are one JSON document a line, ' +
    '`Content-Type: application/x-ndjson`. They come as they are: one with a `Content-Encoding` gets 415.',
  '**Unknown fields are ignored**, in bodies and in queries. The answer names them in `X-Ignored`: at most 20 names, ' +
    'percent-encoded, separated by commas, with dots for fields within fields. With `Prefer: handling=strict` ' +
    '([RFC 7240](https://www.rfc-editor.org/rfc/rfc7240#section-4.4)) they are refused instead: 422, with the names ' +
    'that there are, and in a bulk the line fails; the answer then has `Preference-Applied: handling=strict`. Always ' +
    'refused are `type` when an entry is changed, unknown fields where many entries are deleted, and unknown keys in ' +
    'the metadata of entry types that have a schema. Values in a body are not converted (`"5"` is no number); those of a query are.',

  'JSON of more than 2 kB that a caller with a credential gets comes compressed in the coding that `Accept-Encoding` prefers of zstd, br and gzip, unless ' +
    'the operator switched that off; to a [session](security.md) only where a page of the service asks.',

  '## Pages of lists',
  'A list that takes `limit` and `cursor` has pages. `limit` is the most items of a page: 1,000, unless you ask for ' +
    'fewer. A page may end earlier, at about 8 MiB. While there are more items, the answer has a `Link` header with ' +
    'the address of the next page, relative to the request. Follow it as it is: its cursor says nothing to readers. ' +
    'The last page has no `Link`.',

  '## Limits',
  'A query has at most 256 fields. A body has at most 2 MiB, or 16 KiB where it may come without a credential. A ' +
    'tenant has at most 16 bulk requests at once. The operator may bound how many requests a credential sends in a ' +
    'minute. Beyond a rate the answer is 429, and its `Retry-After` says how many seconds to wait. ' +
    '[docs/security.md](security.md#bounded) lists every limit.',

  '## Headers of answers',
  table(['Header', 'Meaning'], headerMeanings()),

  '## Errors',
  'Every error has the body of the contract [Error](#error): `detail` is a list with the place (`loc`), the message ' +
    '(`msg`) and the kind (`type`) of each fault.',
  table(['Status', 'Meaning'], Object.entries(STANDARD_ERRORS.descriptions)),
].join('\n\n')

/** Replaces links by their text, for readers who do not have the files beside docs/api.md. */
export function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

function headerMeanings(): (readonly [name: string, meaning: string])[] {
  const every = 'Of every answer: the id that logs and internal errors name it by; one that was sent is kept'
  const declared = Object.entries(HEADER_COMPONENTS).map(([name, { description }]) => [name, description] as const)
  return [
    ...declared,
    ['X-Ignored', 'Names of the fields that were ignored; absent when there were none'],
    ['Preference-Applied', '`handling=strict` when the request preferred it'],
    ['X-Request-Id', every],
  ]
}
