import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valuesOf } from './running-service.ts'

test('a metric is read with and without labels, and no other whose name only begins the same', () => {
  const page = [
    '# HELP backup_interval_seconds How often',
    'backup_interval_seconds 86400',
    'backup_interval_seconds_total 7',
    'search_index_behind{process="1"} 1',
    'search_index_behind{process="2"} 2',
    'search_index_behind_seconds{process="1"} 11.5',
  ].join('\n')
  assert.deepEqual(valuesOf(page, 'backup_interval_seconds'), [86_400])
  assert.deepEqual(valuesOf(page, 'search_index_behind'), [1, 2])
  assert.deepEqual(valuesOf(page, 'backup_missing'), [])
})
