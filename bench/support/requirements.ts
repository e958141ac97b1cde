import { table } from './table.ts'

/** Something a measurement has to show. */
export interface Requirement {
  readonly what: string
  readonly measured: string
  readonly met: boolean
}

export function requirementsText(requirements: readonly Requirement[]): string {
  const rows = requirements.map(({ what, measured, met }) => [what, measured, met ? 'yes' : 'no'])
  return table(['required', 'measured', 'met'], rows)
}
