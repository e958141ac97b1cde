interface IntroductionSection {
  readonly title: string
  /** Markdown with `code` and [links](…) only. */
  readonly paragraphs: readonly string[]
}

/** What holds for every route, for both forms of the reference. */
export const INTRODUCTION: readonly IntroductionSection[] = [
  {
    title: 'Credentials',
    paragraphs: [
      'Every request carries `Authorization: Bearer <API key>` unless it says that no credential is needed. The scopes ' +
        'it needs stand beside its path, and every one of them is needed. ' +
        '[docs/reference/scopes.md](reference/scopes.md#roles) has the scopes of each role, and its ceiling: ' +
        'how far it sees. Pages of the service send the cookie of a [session](how-it-works/access.md#signing-in) instead.',
      '`/healthz` (the process lives), `/readyz` (requests are served), `/metrics` (for Prometheus), `/openapi.json` ' +
        '(this reference for programs) and `/docs` (for people; `/` leads there) need no credential.',
    ],
  },
  {
    title: 'Bodies and queries',
    paragraphs: [
      'Bodies are JSON, `Content-Type: application/json`; those of the bulk routes are one JSON document a line, ' +
        '`Content-Type: application/x-ndjson`.',
      '**Unknown fields are ignored**, in bodies and in queries, so look twice at the spelling of an optional one. ' +
        'Refused with 422 are only `type` when an entry is changed, and unknown keys in the metadata of entry types ' +
        'that have a schema. Values in a body are not converted (`"5"` is no number); those of a query are. ' +
        'A query has at most 256 fields, a body 2 MiB, or 16 KiB where it may come without a credential.',
    ],
  },
]
