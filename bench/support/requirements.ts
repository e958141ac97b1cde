import { table } from './table.ts'

/** A requirement for a measurement, and whether it was met. */
export interface Requirement {
  readonly what: string
  readonly measured: string
  readonly met: boolean
}

export function requirementsText(requirements: readonly Requirement[]): string {
  if (requirements.length === 0) return 'Nothing that was measured has a requirement.'
  const rows = requirements.map(({ what, measured, met }) => [what, measured, met ? 'yes' : 'no'])
  return table(['required', 'measured', 'met'], rows)
}

/** Returns the paragraph that names subjects without figures; nothing when there are none. */
export function unmeasuredText(subjects: readonly string[]): string[] {
  return subjects.length === 0 ? [] : [`Not measured yet: ${subjects.join(', ')}.`]
}
