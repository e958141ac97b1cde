/** Writes and reads entries and vectors for every peer, in two files of a folder. */
import { closeSync, createReadStream, createWriteStream, openSync, readSync, writeSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Collection, fieldsOf, type FilterField } from './collection.ts'

const BATCH = 1_000

/** An entry as the peers store it. */
export interface StoredEntry {
  readonly number: number
  readonly title: string
  readonly content: string
  /** JSON of the entry in an answer. */
  readonly body: string
  readonly vector: Float32Array
  readonly fields: Readonly<Record<FilterField, number>>
}

/**
 * Writes the files.
 * @param template an entry as the service answers it, so that all answers have the same fields
 */
export async function writeFiles(folder: string, collection: Collection, template: object): Promise<void> {
  const vectors = openSync(join(folder, 'vectors.bin'), 'w')
  const entries = createWriteStream(join(folder, 'entries.ndjson'))
  for (const [i, { title, content, language }] of collection.entries.entries()) {
    const vector = collection.vectorOf(i)
    writeSync(vectors, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    const body = JSON.stringify({ ...template, title, content, language, source_reference: String(i) })
    if (!entries.write(`${JSON.stringify({ title, content, body })}\n`)) await once(entries, 'drain')
  }
  closeSync(vectors)
  entries.end()
  await once(entries, 'finish')
}

/**
 * Yields all entries in batches, read as they are needed, so that nearly all of the process's memory is the engine's.
 */
export async function* readFiles(folder: string, dimensions: number, tenants: number): AsyncGenerator<StoredEntry[]> {
  const vectors = openSync(join(folder, 'vectors.bin'), 'r')
  const lines = createInterface({ input: createReadStream(join(folder, 'entries.ndjson')), crlfDelay: Infinity })
  let batch: StoredEntry[] = []
  let number = 0
  for await (const line of lines) {
    const vector = new Float32Array(dimensions)
    readSync(vectors, new Uint8Array(vector.buffer))
    const text = JSON.parse(line) as Pick<StoredEntry, 'title' | 'content' | 'body'>
    batch.push({ ...text, number, vector, fields: fieldsOf(number++, tenants) })
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
  closeSync(vectors)
}
