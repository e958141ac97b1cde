/** A record as the service sent it, and the name of that state. */
export interface Versioned<T> {
  readonly value: T
  readonly etag: string
}

/** The ETag of an answer. */
export const etagOf = ({ headers }: Response): string => headers.get('etag') ?? ''
