import { printable } from '../../printable.ts'
import { lineOf } from '../check.ts'
import type { Diagnosis } from './diagnose.ts'

/** Writes a diagnosis as lines: the service first, then each assistant with its conclusion. */
export function reportOf({ origin, service, clients, notTried }: Diagnosis): string {
  const lines = [`Assistants connect to ${origin}/mcp`, '']
  for (const { name, finding } of service) lines.push(lineOf(name, finding))
  for (const { client, steps, conclusion } of clients) {
    lines.push('', client)
    for (const { name, finding } of steps) lines.push(lineOf(name, finding))
    lines.push(lineOf('=>', conclusion))
  }
  if (notTried !== null) lines.push('', notTried)
  return `${lines.map(printable).join('\n')}\n`
}

/** @returns 1 when something is broken; an assistant that the settings keep out is not a failure */
export function exitCodeOf({ service, clients }: Diagnosis): number {
  const findings = [...service, ...clients.flatMap(({ steps, conclusion }) => [...steps, { finding: conclusion }])]
  return findings.some(({ finding }) => finding.verdict === 'fail') ? 1 : 0
}
