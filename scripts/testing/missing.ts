import { installLine, type OptionalProgram } from '../../test/support/optional-programs.ts'

/** Names what this machine lacks before the tests begin, so that nobody has to look for it among thousands of lines. */
export function nameMissing(missing: readonly OptionalProgram[]): void {
  if (missing.length === 0) return
  const what = process.env.CI === undefined ? 'is skipped' : 'fails'
  const lines = missing.map(({ name, proves }) => `  ${name}: ${proves}\n`)
  process.stderr.write(`Not here, so what stands beside it ${what}:\n${lines.join('')}${howToInstall(missing)}\n`)
}

/** The line that installs what is missing, in words; empty where nothing can be installed. */
export function howToInstall(missing: readonly OptionalProgram[]): string {
  const line = installLine(missing)
  return line === '' ? '' : `This installs what is missing: ${line}\n`
}
