import type { ChosenFile } from '../../parts/fields/folder-drop.tsx'
import type { ImportOptions, ReadFault, ReadItem } from './read-item.ts'
import { type CategoryPaths, readLine, UnusableLine } from './shared.js'

/** Reads the lines of a file as entries, without having the whole file in memory. Leaves out blank lines. */
export async function* readEntryLines(
  { path, file }: ChosenFile,
  { visibility }: ImportOptions,
  categories: CategoryPaths,
): AsyncGenerator<ReadItem> {
  const rules = { baseCategory: [], defaults: { visibility, language: undefined } }
  let line = 0
  for await (const raw of linesOf(file)) {
    line += 1
    if (raw.trim() === '') continue
    const place = { file: path, line, bytes: raw.length + 1, raw }
    try {
      const { entry, path: categoryPath } = await readLine(parsed(raw), rules, sha256)
      const category = categoryPath === null ? {} : { category_id: await categories.idOf(categoryPath) }
      yield { ...place, entry: { ...entry, ...category }, fault: null }
    } catch (error) {
      const fault = faultOf(error)
      if (fault === null) throw error
      yield { ...place, entry: null, fault }
    }
  }
}

class NotJson extends Error {}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    throw new NotJson()
  }
}

function faultOf(error: unknown): ReadFault | null {
  if (error instanceof NotJson) return 'notJson'
  return error instanceof UnusableLine ? error.reason : null
}

async function* linesOf(file: File): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
