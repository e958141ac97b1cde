/**
 * Writes the types of the HTTP interface, which are not committed. `npm run lint` and `npm run typecheck` do so first, so
 * that they work in a clean clone.
 */
import { writeClientTypes, writeConsoleTypes } from './generated-types.ts'

writeConsoleTypes()
writeClientTypes()
