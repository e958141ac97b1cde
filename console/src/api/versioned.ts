/** A record as the service sent it, with the ETag that names that state. */
export interface Versioned<T> {
  readonly value: T
  readonly etag: string
}

export const etagOf = ({ headers }: Response): string => headers.get('etag') ?? ''
