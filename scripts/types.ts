/**
 * Writes the types of the HTTP interface, and the examples of docstrings as modules. Neither is committed. `npm run
 * lint` and `npm run typecheck` write them first, so that both commands work in a clean clone.
 */
import { writeDocstringExamples } from './docstring-examples.ts'
import { writeClientTypes, writeConsoleTypes } from './generated-types.ts'

writeConsoleTypes()
writeClientTypes()
writeDocstringExamples()
