import { readFileSync } from 'node:fs'
import { PROGRAM_COMMIT } from './commit.ts'

/** Digits of a commit that people read. */
const COMMIT_DIGITS = 12

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

/** The program's version, from package.json. */
export const VERSION = manifest.version

/** The program's version with the beginning of its commit, for people. */
export const VERSION_IN_WORDS =
  PROGRAM_COMMIT === null ? VERSION : `${VERSION} (commit ${PROGRAM_COMMIT.slice(0, COMMIT_DIGITS)})`
