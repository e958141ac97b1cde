import { ApiFault, type FaultDetail, reached } from '../../api/client.ts'
import { signedInAgain } from '../../api/session-gate.ts'

/** Last line of the answer to a push. */
interface PushSummary {
  readonly status: 'finished'
  readonly retired: number
  readonly would_retire?: number
  readonly external_ids?: readonly string[]
  readonly reason?: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
}

/** Outcome of a push. */
export interface PushResult {
  /** Last line of the answer; null when the service did not read or store the whole push. */
  readonly finished: PushSummary | null
  /** The first lines that failed, by their number in the body, counted from 1. */
  readonly failures: readonly { readonly line: number; readonly detail: readonly FaultDetail[] }[]
}

export interface Push {
  readonly site: string
  /** Most products that a full sync may retire, such as `100%`; null for a partial push. */
  readonly maxRetired: string | null
  readonly isDryRun: boolean
}

/**
 * Sends products in one push, so that the site has one sync run. Browsers read no answer before they have sent the
 * whole body, so the service is asked to answer only then.
 * @throws like `answerOf`
 */
export async function pushFeed(body: Blob, push: Push, signal: AbortSignal): Promise<PushResult> {
  const query = new URLSearchParams({
    site_id: push.site,
    source: 'import',
    answers: 'failed',
    dry_run: String(push.isDryRun),
    ...(push.maxRetired === null ? {} : { sync: 'full', max_retired: push.maxRetired }),
  })
  // The request is made anew for a second try: a copy of a request would keep the whole body in memory.
  const ask = (): Promise<Response> =>
    reached(
      new Request(`/api/knowledge/products/bulk?${query.toString()}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-ndjson' },
        signal,
      }),
    )
  let response = await ask()
  if (response.status === 401 && (await signedInAgain())) response = await ask()
  const text = await response.text()
  if (!response.ok) throw new ApiFault(response, detailsIn(text))
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PushSummary | { status: string; line: number; detail?: readonly FaultDetail[] })
  const finished = lines.find((line): line is PushSummary => line.status === 'finished') ?? null
  const failures = lines.flatMap((each) =>
    'line' in each && each.status === 'failed' ? [{ line: each.line, detail: each.detail ?? [] }] : [],
  )
  return { finished, failures }
}

function detailsIn(text: string): readonly FaultDetail[] {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    return Array.isArray(detail) ? (detail as FaultDetail[]) : []
  } catch {
    return []
  }
}
