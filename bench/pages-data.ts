import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { splitFrontMatter } from '../src/channels/import/front-matter.ts'

/** Path of the Kubernetes documentation, German and English, below the folder of collections. */
export const PAGES_FILE = 'k8s-docs/k8s-docs.tar.gz'

const LANGUAGES = ['de', 'en'] as const
type Language = (typeof LANGUAGES)[number]

export interface Page {
  /** Path below `content/`, the language first. */
  readonly id: string
  /** Path of the page without its language. */
  readonly path: string
  readonly language: Language
  readonly title: string
  readonly text: string
}

/** A question that one page answers. */
export interface Question {
  readonly language: Language
  readonly text: string
  /** Id of the page. */
  readonly page: string
}

/** Pages that are each there in one language only. */
export interface MixedPages {
  readonly pages: readonly Page[]
  /** Titles in the language that a page is not there in. */
  readonly questions: readonly Question[]
  /** Headings of the pages, in their own language. */
  readonly headings: readonly Question[]
}

/** Most headings of a page that are asked for. */
const HEADINGS_MAX = 2

/** Reads the pages that have a title. @throws Error when the file is missing or no archive */
export function readPages(folder: string): Page[] {
  const unpacked = mkdtempSync(join(tmpdir(), 'knowledge-pages-'))
  try {
    execFileSync('tar', ['-xzf', join(folder, PAGES_FILE), '-C', unpacked])
    const content = join(unpacked, 'k8s-docs/content')
    const files = globSync(`{${LANGUAGES.join(',')}}/**/*.md`, { cwd: content }).sort()
    return files.flatMap((id) => pageOf(id, readFileSync(join(content, id), 'utf8')))
  } finally {
    rmSync(unpacked, { recursive: true })
  }
}

function pageOf(id: string, source: string): Page[] {
  const { fields, content } = splitFrontMatter(source)
  if (typeof fields.title !== 'string') return []
  const [language, ...path] = id.split('/')
  return [{ id, path: path.join('/'), language: language as Language, title: fields.title, text: content }]
}

/**
 * Returns the pages that exist in both languages, as two collections: each has one language of a page, chosen by the
 * hash of its path, and the other collection has the other. Pages whose two titles are the same are there, but not
 * asked for.
 */
export function mixPages(pages: readonly Page[]): [MixedPages, MixedPages] {
  const pairs = [...Map.groupBy(pages, ({ path }) => path).values()]
    .filter(({ length }) => length === LANGUAGES.length)
    .map((pair) => LANGUAGES.map((language) => pair.find((page) => page.language === language)!))
  return [mix(pairs, 0), mix(pairs, 1)]
}

function mix(pairs: readonly (readonly Page[])[], shift: number): MixedPages {
  const chosen = pairs.map((pair) => {
    const index = (createHash('sha256').update(pair[0].path).digest()[0] + shift) % 2
    return { page: pair[index], missing: pair[1 - index] }
  })
  return {
    pages: chosen.map(({ page }) => page),
    questions: chosen
      .filter(({ page, missing }) => comparable(page.title) !== comparable(missing.title))
      .map(({ page, missing }) => ({ language: missing.language, text: missing.title, page: page.id })),
    headings: chosen.flatMap(({ page }) => headingsOf(page)),
  }
}

/** Returns the first headings of a page that have several words and are not its title. */
function headingsOf({ id, language, title, text }: Page): Question[] {
  return Array.from(text.matchAll(/^##+ +(.+?)(?: *\{#.*)?$/gm), ([, heading]) =>
    heading.replaceAll(/[`*]/g, '').trim(),
  )
    .filter((heading) => /\S\s+\S/.test(heading) && !/\{\{|<!--/.test(heading) && heading !== title)
    .slice(0, HEADINGS_MAX)
    .map((heading) => ({ language, text: heading, page: id }))
}

/** Returns a title without case, signs and the plural's s. */
function comparable(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/s$/, '')
}
