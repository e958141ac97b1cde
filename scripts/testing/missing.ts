import { installLine, type OptionalProgram } from '../../test/support/optional-programs.ts'

/** Prints the programs that this machine lacks before the tests begin, because thousands of lines would hide them. */
export function nameMissing(missing: readonly OptionalProgram[]): void {
  if (missing.length === 0) return
  const what = process.env.CI === undefined ? 'is skipped' : 'fails'
  const lines = missing.map(({ name, proves }) => `  ${name}: ${proves}\n`)
  process.stderr.write(`Not here, so what stands beside it ${what}:\n${lines.join('')}${howToInstall(missing)}\n`)
}

/** Returns the line that installs the missing programs, in words; empty where none can be installed. */
export function howToInstall(missing: readonly OptionalProgram[]): string {
  const line = installLine(missing)
  return line === '' ? '' : `This installs what is missing: ${line}\n`
}
