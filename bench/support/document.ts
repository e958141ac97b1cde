import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ConsoleReport, consoleText } from '../console/report.ts'
import { type MemoryReport, memoryText } from '../memory-report.ts'
import { type NeighboursReport, neighboursText } from '../neighbours/report.ts'
import { type RestartReport, restartText } from '../restart-report.ts'
import { type ScatteredReport, scatteredText } from '../scattered-report.ts'
import { type SearchReport, searchText } from '../search-report.ts'
import { type PagesReport, pagesText } from '../pages-quality.ts'
import { type ProductSearchReport, productSearchText } from '../product-search-report.ts'
import { type ShopQualityReport, shopQualityText } from '../products-quality.ts'
import { type ProductsMemoryReport, productsMemoryText } from '../products-memory-report.ts'
import { type ProductsReport, productsText } from '../products-report.ts'
import { type QualityReport, qualityText } from '../quality-report.ts'
import { type SoakReport, soakText } from '../soak-report.ts'
import { type WritesReport, writesText } from '../writes/report.ts'
import { SETTLED } from './settled.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const INTRODUCTION = `# Benchmarks

What the service reaches and what it takes, on one small shared machine that stands under each section. The benchmark commands write the sections with \`--write\`, from the figures of their last runs in \`bench/results\`. Each measures the real service or a part of it, says what is required, and exits with 1 when a requirement is missed. How to run them: [How the benchmarks measure](maintainers/benchmark-method.md).

| about | sections |
| --- | --- |
| how good search is | [test collections](#search-quality), [real pages](#quality-on-real-pages), [products](#quality-of-product-search) |
| how fast it is | [entries](#speed-of-search), [products](#speed-of-product-search), [after a restart](#restart), [other engines](performance.md), [the engine alone](how-it-works/engine.md#measured), [pgvector](how-it-works/pgvector.md#measured) |
| memory | [of entries, and in containers](#memory), [many tenants that do not fit](#many-tenants-at-random), [a long push](#memory-of-a-long-push), [up to 100 million entries](capacity.md) |
| what comes in | [writes](#writes), [product feeds](#products) |
| pages | [the console over much content](#the-console-over-much-content) |
| abuse and faults | [neighbours](maintainers/benchmarks-under-stress.md#neighbours), [an hour with a fault a minute](maintainers/benchmarks-under-stress.md#soak) |
| what is decided | [settled questions](#settled) |`
const UNDER_STRESS = `# Benchmarks under abuse and faults

Two benchmarks whose tables are long: what one tenant's abuse does to another, and what an hour of faults does to requests. All others, and how they are written: [Benchmarks](../benchmarks.md).`

interface Section {
  readonly name: string
  readonly text: (report: never) => string
}

const SECTIONS: readonly Section[] = [
  { name: 'quality', text: (report: QualityReport) => qualityText(report) },
  { name: 'pages-quality', text: (report: PagesReport) => pagesText(report) },
  { name: 'search', text: (report: SearchReport) => searchText(report) },
  { name: 'restart', text: (report: RestartReport) => restartText(report) },
  { name: 'memory', text: (report: MemoryReport) => memoryText(report) },
  { name: 'scattered', text: (report: ScatteredReport) => scatteredText(report) },
  { name: 'products-quality', text: (report: ShopQualityReport) => shopQualityText(report) },
  { name: 'product-search', text: (report: ProductSearchReport) => productSearchText(report) },
  { name: 'products', text: (report: ProductsReport) => productsText(report) },
  { name: 'products-memory', text: (report: ProductsMemoryReport) => productsMemoryText(report) },
  { name: 'writes', text: (report: WritesReport) => writesText(report) },
  { name: 'console', text: (report: ConsoleReport) => consoleText(report) },
]
const SECTIONS_UNDER_STRESS: readonly Section[] = [
  { name: 'neighbours', text: (report: NeighboursReport) => neighboursText(report) },
  { name: 'soak', text: (report: SoakReport) => soakText(report) },
]

/** More digits than any page shows. */
const DIGITS = 9
/** What fits into a line of so many characters is not broken. */
const LINE_MAX = 180

/** Saves the figures that the page shows of a command's run. */
export function saveReport(name: string, report: object): void {
  mkdirSync(new URL('../results/', import.meta.url), { recursive: true })
  writeFileSync(resultFile(name), `${laidOut(report)}\n`)
}

/** Readable JSON, a row of figures in a line. */
function laidOut(value: unknown, indent = '', room = LINE_MAX): string {
  const line = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(DIGITS)) : each,
  )
  if (typeof value !== 'object' || value === null || line.length <= room) return line
  const deeper = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((each) => ['', each] as const)
    : Object.entries(value).map(([key, each]) => [`${JSON.stringify(key)}: `, each] as const)
  const lines = parts.map(
    ([key, each]) => `${deeper}${key}${laidOut(each, deeper, LINE_MAX - deeper.length - key.length - 1)}`,
  )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** The figures of a command's last run; null before the first run. */
export function readReport(name: string): unknown {
  const file = resultFile(name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : null
}

/** The pages of benchmarks by their paths, from all saved figures. */
export function benchmarkPages(): Readonly<Record<string, string>> {
  return {
    'docs/benchmarks.md': pageOf([INTRODUCTION, ...textsOf(SECTIONS), SETTLED]),
    'docs/maintainers/benchmarks-under-stress.md': pageOf([UNDER_STRESS, ...textsOf(SECTIONS_UNDER_STRESS)]),
  }
}

/** Writes the pages of benchmarks again. */
export function writeDocument(): void {
  for (const [path, page] of Object.entries(benchmarkPages())) writeFileSync(join(ROOT, path), page)
}

function textsOf(sections: readonly Section[]): string[] {
  const present = sections.filter(({ name }) => existsSync(resultFile(name)))
  return present.map(({ name, text }) => text(JSON.parse(readFileSync(resultFile(name), 'utf8')) as never))
}

function pageOf(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}

function resultFile(name: string): string {
  return fileURLToPath(new URL(`../results/${name}.json`, import.meta.url))
}
