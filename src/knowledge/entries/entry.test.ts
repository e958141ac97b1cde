import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileCheck } from '../../platform/contract/check.ts'
import { Entry } from './contract.ts'
import { entryOfSnapshot } from './entry.ts'

const ID = '01900000-0000-7000-8000-000000000000'
const CURRENT: Entry = {
  id: ID,
  tenant_id: 'default',
  type: 'knowledge',
  title: 'Now',
  content: 'As it is now',
  summary: 'Short',
  category_id: ID,
  visibility: 'internal',
  layer: 'finance',
  language: 'en',
  tags: ['now'],
  search_keywords: ['today'],
  metadata: { kind: 'now' },
  translation_group_id: ID,
  workspace_id: ID,
  source: 'manual',
  source_reference: 'here',
  created_by_user_id: ID,
  version: 7,
  embedding_model: 'm',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-02-01T00:00:00.000Z',
}
const THEN: Entry = { ...CURRENT, title: 'Then', tags: ['then'], version: 2 }
const check = compileCheck(Entry, [])

test('a version from before a field was added or removed is answered with exactly the fields of today', () => {
  const fields = fc.subarray(Object.keys(THEN))
  fc.assert(
    fc.property(fields, fc.boolean(), (missing, hasMore) => {
      const snapshotFields = Object.entries(THEN).filter(([field]) => !missing.includes(field))
      const snapshot = Object.fromEntries(hasMore ? [...snapshotFields, ['abandoned', 1]] : snapshotFields)
      const entry = entryOfSnapshot(JSON.stringify(snapshot), CURRENT)
      assert.equal(check(structuredClone(entry)), null)
      assert.deepEqual(Object.keys(entry), Object.keys(CURRENT))
      for (const [field, value] of snapshotFields) assert.deepEqual(entry[field as keyof Entry], value)
    }),
  )
})

test('a field that an old version lacks is not filled in from the current entry', () => {
  const { tags: _tags, summary: _summary, ...older } = THEN
  const published = { ...CURRENT, url: 'https://example.com/now' }
  const { tags, summary, url } = entryOfSnapshot(JSON.stringify(older), published)
  assert.deepEqual({ tags, summary, url }, { tags: [], summary: null, url: undefined })
})
