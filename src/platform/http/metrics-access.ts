import { createHash, timingSafeEqual } from 'node:crypto'

/** The text of `/metrics`, and who may read it. */
export interface PublishedMetrics {
  readonly contentType: string
  /** Returns the metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>
  /** The bearer token that readers must send; null or absent where everybody may read. */
  readonly token?: string | null
}

/** Tells whether a request may read the metrics. @param authorization its header of that name */
export function mayReadMetrics({ token = null }: PublishedMetrics, authorization: string | undefined): boolean {
  if (token === null) return true
  const [, sent] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  return sent !== undefined && timingSafeEqual(hashOf(sent), hashOf(token))
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
