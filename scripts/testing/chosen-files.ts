import { statSync } from 'node:fs'
import { refuse } from '../options.ts'
import { testFiles } from './tiers.ts'

/**
 * Returns the test files that a developer names: files, patterns, or folders with all of their files. Where a name
 * matches no test, it ends the program with a line that says what to write.
 */
export function chosenFiles(names: readonly string[]): string[] {
  const files = names.flatMap((name) => {
    const isFolder = statSync(name, { throwIfNoEntry: false })?.isDirectory() === true
    const matched = testFiles([isFolder ? `${name}/**/*.test.ts` : name]).filter((file) => file.endsWith('.test.ts'))
    if (matched.length === 0)
      refuse(
        `No test file matches ${name}. Paths begin at the clone, such as src/embedding or test/api/entries.test.ts`,
      )
    return matched
  })
  return [...new Set(files)]
}
