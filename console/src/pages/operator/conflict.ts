import { ApiFault } from '../../api/client.ts'

/** Returns the field whose value another tenant has; null when a refusal has another reason. */
export function conflictIn(error: unknown): 'id' | 'host' | 'reference' | null {
  if (!(error instanceof ApiFault) || error.status !== 409) return null
  const places = new Set(error.details.map(({ loc }) => String(loc.at(-1))))
  return (['id', 'host', 'reference'] as const).find((name) => places.has(name)) ?? null
}
