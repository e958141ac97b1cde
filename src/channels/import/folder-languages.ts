import { languageOfText, leaningOfText } from '../../search/analysis/text-language.ts'
import { splitFrontMatter } from './front-matter.ts'
import { candidateLevels, languageCode } from './layout.ts'
import { languageOf } from './markdown-entry.ts'
import type { PageFile } from './page-file.ts'

/** Pages of a folder that are read at most, spread over the whole folder. */
const PAGES_MAX = 40
/** Bytes that are read from the beginning of each page. */
const PAGE_BYTES = 16 * 1_024

/** How the language of a folder's pages fits the folder's name; `unclear` when the language cannot be detected. */
type Agreement = 'agrees' | 'contradicts' | 'unclear'

/** A level of folders that are all named like languages, and the judgement whether they are languages. */
interface LevelJudgement {
  /** Path of their parent folder, from the imported folder down. */
  readonly prefix: string
  readonly names: readonly string[]
  readonly isOfLanguages: boolean
}

/**
 * Tells folders of languages from folders with similar names, such as the departments `hr` and `it`. The front matter
 * of the pages decides, or their text if it is German or English. A level is one of languages if the pages of at least
 * one folder agree with its name and none contradict it.
 */
export async function judgeLevels(files: readonly PageFile[]): Promise<LevelJudgement[]> {
  const judgements: LevelJudgement[] = []
  for (const [prefix, folders] of candidateLevels(files.map(({ segments }) => segments))) {
    const agreements: Agreement[] = []
    for (const [name, places] of folders) {
      agreements.push(
        await agreementOf(
          name,
          places.map((place) => files[place]),
        ),
      )
    }
    const isOfLanguages = agreements.includes('agrees') && !agreements.includes('contradicts')
    judgements.push({ prefix, names: [...folders.keys()], isOfLanguages })
  }
  return judgements
}

/** Tells whether the pages of a folder are in the language of its name. */
export async function isInLanguage(name: string, files: readonly PageFile[]): Promise<boolean> {
  return (await agreementOf(name, files)) === 'agrees'
}

async function agreementOf(name: string, files: readonly PageFile[]): Promise<Agreement> {
  const code = primary(languageCode(name)!)
  const language = await languageOfPages(files)
  if (language === null) return 'unclear'
  if (language === code) return 'agrees'
  return language === 'other' && code !== 'de' && code !== 'en' ? 'unclear' : 'contradicts'
}

/** Returns the most frequent language of pages; `other` for neither German nor English, null when none is detected. */
async function languageOfPages(files: readonly PageFile[]): Promise<string | null> {
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
    const clear = [languageOfText(all), leaningOfText(all)].find((language) => language !== 'unknown')
    return clear ?? null
  }
  return [...votes].reduce((most, one) => (one[1] > most[1] ? one : most))[0]
}

/** Reads the language and the beginning of a page; null when it cannot be read, which the import itself reports. */
async function beginningOf({ read }: PageFile): Promise<{ language: string | null; text: string } | null> {
  try {
    const { fields, content } = splitFrontMatter(new TextDecoder().decode(await read(PAGE_BYTES)))
    return { language: languageOf(fields) ?? null, text: content }
  } catch {
    return null
  }
}

function primary(code: string): string {
  return code.split(/[-_]/, 1)[0].toLowerCase()
}
