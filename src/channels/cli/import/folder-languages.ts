import type { FileHandle } from 'node:fs/promises'
import { languageOfText, leaningOfText } from '../../../search/analysis/text-language.ts'
import type { MarkdownFile } from './files.ts'
import { splitFrontMatter } from './front-matter.ts'
import { candidateLevels, languageCode } from './layout.ts'
import { languageOf } from './markdown-entry.ts'
import { openInside } from './open-inside.ts'

/** Pages of a folder that are looked at, spread over all of it. */
const PAGES_MAX = 40
/** Of each, so much from its beginning. */
const PAGE_BYTES = 16 * 1_024

/** What the pages of a folder say to its name: `unclear` where they are in a language that nothing here tells. */
type Agreement = 'agrees' | 'contradicts' | 'unclear'

/** A level of folders that are all named like languages, and whether they are. */
interface JudgedLevel {
  /** Path of the folder they lie in, from the imported one down. */
  readonly prefix: string
  readonly names: readonly string[]
  readonly isOfLanguages: boolean
}

/**
 * Tells languages from departments that are called like them (`hr`, `it`): the front matter of the pages says so, or
 * their text, as far as it is German or English. A level is of languages where some folder's pages agree with its
 * name and none contradict it.
 */
export async function judgeLevels(files: readonly MarkdownFile[]): Promise<JudgedLevel[]> {
  const judged: JudgedLevel[] = []
  for (const [prefix, folders] of candidateLevels(files.map(({ segments }) => segments))) {
    const says: Agreement[] = []
    for (const [name, places] of folders) {
      says.push(
        await agreementOf(
          name,
          places.map((place) => files[place]),
        ),
      )
    }
    const isOfLanguages = says.includes('agrees') && !says.includes('contradicts')
    judged.push({ prefix, names: [...folders.keys()], isOfLanguages })
  }
  return judged
}

/** Whether the pages of one folder are in the language it is named like. */
export async function isInLanguage(name: string, files: readonly MarkdownFile[]): Promise<boolean> {
  return (await agreementOf(name, files)) === 'agrees'
}

async function agreementOf(name: string, files: readonly MarkdownFile[]): Promise<Agreement> {
  const code = primary(languageCode(name)!)
  const found = await languageOfPages(files)
  if (found === null) return 'unclear'
  if (found === code) return 'agrees'
  return found === 'other' && code !== 'de' && code !== 'en' ? 'unclear' : 'contradicts'
}

/** What most of the pages are in that tell; `other` for neither German nor English, null when none tells. */
async function languageOfPages(files: readonly MarkdownFile[]): Promise<string | null> {
  const votes = new Map<string, number>()
  const texts: string[] = []
  const step = Math.max(1, files.length / PAGES_MAX)
  for (let i = 0; i < files.length; i += step) {
    const page = await beginningOf(files[Math.floor(i)])
    if (page === null) continue
    const vote = page.language === null ? languageOfText(page.text) : primary(page.language)
    texts.push(page.text)
    if (vote !== 'unknown') votes.set(vote, (votes.get(vote) ?? 0) + 1)
  }
  if (votes.size === 0) {
    const all = texts.join('\n\n')
    const told = [languageOfText(all), leaningOfText(all)].find((language) => language !== 'unknown')
    return told ?? null
  }
  return [...votes].reduce((most, one) => (one[1] > most[1] ? one : most))[0]
}

/** Null for what cannot be read; the import itself says why. */
async function beginningOf({ top, path }: MarkdownFile): Promise<{ language: string | null; text: string } | null> {
  try {
    await using handle = await openInside(top, path)
    const { fields, content } = splitFrontMatter(await textOf(handle))
    return { language: languageOf(fields) ?? null, text: content }
  } catch {
    return null
  }
}

async function textOf(handle: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, 0)
  return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '')
}

function primary(code: string): string {
  return code.split(/[-_]/, 1)[0].toLowerCase()
}
