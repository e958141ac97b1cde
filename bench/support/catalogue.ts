import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { recordOf } from '../../src/channels/import/feeds/record.ts'

/** Reads products in the API's format from a file of JSON Lines, gzipped or not. */
export function catalogue(file: string): Record<string, unknown>[] {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  const lines = text.trimEnd().split('\n')
  return lines.map((line) => recordOf(JSON.parse(line) as Record<string, unknown>, { language: 'en' }))
}
