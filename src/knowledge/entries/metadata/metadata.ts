import { Fault, invalid } from '../../../platform/faults.ts'
import { type Check, compileCheck } from '../../../platform/contract/check.ts'
import type { TSchema } from '../../../platform/contract/schema.ts'
import type { EntryType } from '../kinds.ts'
import { BootstrapMetadata } from './bootstrap.ts'
import { GlossaryMetadata } from './glossary.ts'
import { KnowledgeMetadata } from './knowledge.ts'
import { MemoryMetadata } from './memory.ts'
import { ProcessMetadata } from './process.ts'
import { SkillIndexMetadata } from './skill-index.ts'
import { SkillMetadata } from './skill.ts'

export const METADATA_BYTES_MAX = 64 * 1024
export const METADATA_DEPTH_MAX = 8

const PLACE = ['body', 'metadata'] as const

/** The schema of each entry type's metadata. */
export const METADATA_SCHEMAS: Readonly<Record<EntryType, TSchema>> = {
  knowledge: KnowledgeMetadata,
  skill: SkillMetadata,
  process: ProcessMetadata,
  glossary: GlossaryMetadata,
  memory: MemoryMetadata,
  bootstrap: BootstrapMetadata,
  skill_index: SkillIndexMetadata,
}

const checks = Object.fromEntries(
  Object.entries(METADATA_SCHEMAS).map(([type, schema]) => [type, compileCheck(schema, PLACE)]),
) as Record<EntryType, Check>

/**
 * Validates metadata against the schema of its type and normalises it: trims strings of typed metadata, fills in
 * defaults, turns dates to UTC. Does not change the input.
 * @throws Fault invalid with the faults at body.metadata.…
 */
export function normalizeMetadata(type: EntryType, raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (depthOf(raw) > METADATA_DEPTH_MAX) {
    throw invalid(PLACE, 'json_too_deep', `Metadata should be at most ${METADATA_DEPTH_MAX} levels deep`)
  }
  const metadata = (type === 'knowledge' ? structuredClone(raw) : trimmed(raw)) as Record<string, unknown>
  const faults = checks[type](metadata)
  if (faults !== null) throw new Fault('invalid', faults)
  if (typeof metadata.expires_at === 'string' && type === 'memory')
    metadata.expires_at = new Date(metadata.expires_at).toISOString()
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX) {
    throw invalid(PLACE, 'json_too_large', `Metadata should have at most ${METADATA_BYTES_MAX} bytes as JSON`)
  }
  return metadata
}

/** Returns when an entry with this normalised metadata expires, in milliseconds since 1970; null for never. */
export function expiryOf(type: EntryType, metadata: Readonly<Record<string, unknown>>): number | null {
  return type === 'memory' && typeof metadata.expires_at === 'string' ? Date.parse(metadata.expires_at) : null
}

/** Returns the levels of objects and lists, 1 for `{}`. Request bodies have bounded depth, so the recursion has too. */
function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  let deepest = 0
  for (const member of Object.values(value)) deepest = Math.max(deepest, depthOf(member))
  return deepest + 1
}

/** Returns a copy with every string trimmed, except in the free-form `context`. */
function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(trimmed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === 'context' ? structuredClone(member) : trimmed(member)]),
  )
}
