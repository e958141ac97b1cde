import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type AnswersReport, answersText } from '../answers-report.ts'
import { type ConsoleReport, consoleText } from '../console/report.ts'
import { type MemoryReport, memoryText } from '../memory-report.ts'
import { type NeighboursReport, neighboursText } from '../neighbours/report.ts'
import { type RestartReport, restartText } from '../restart-report.ts'
import { type ScatteredReport, scatteredText } from '../scattered-report.ts'
import { type SearchLogReport, searchLogText } from '../search-log-report.ts'
import { type SearchReport, searchText } from '../search-report.ts'
import { type PagesReport, pagesText } from '../pages-quality.ts'
import { type ProductSearchReport, productSearchText } from '../product-search-report.ts'
import { type ShopQualityReport, shopQualityText } from '../products-quality.ts'
import { type ProductsMemoryReport, productsMemoryText } from '../products-memory-report.ts'
import { type ProductsReport, productsText } from '../products-report.ts'
import { type QualityReport, qualityText } from '../quality-report.ts'
import { type SoakReport, soakText } from '../soak-report.ts'
import { type SuggestReport, suggestText } from '../suggest-report.ts'
import { type WritesReport, writesText } from '../writes/report.ts'

const DOCUMENT = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))
const INTRODUCTION = `# Benchmarks

The benchmark commands write this page with \`--write\`, from the figures of their last runs in \`bench/results\`. Each measures the real service or a part of it, says what is required, and exits with 1 when a requirement is missed. How to run them: [How the benchmarks measure](maintainers/benchmark-method.md).`

const SECTIONS: readonly { readonly name: string; readonly text: (report: never) => string }[] = [
  { name: 'quality', text: (report: QualityReport) => qualityText(report) },
  { name: 'pages-quality', text: (report: PagesReport) => pagesText(report) },
  { name: 'search', text: (report: SearchReport) => searchText(report) },
  { name: 'restart', text: (report: RestartReport) => restartText(report) },
  { name: 'memory', text: (report: MemoryReport) => memoryText(report) },
  { name: 'scattered', text: (report: ScatteredReport) => scatteredText(report) },
  { name: 'products-quality', text: (report: ShopQualityReport) => shopQualityText(report) },
  { name: 'product-search', text: (report: ProductSearchReport) => productSearchText(report) },
  { name: 'suggest', text: (report: SuggestReport) => suggestText(report) },
  { name: 'answers', text: (report: AnswersReport) => answersText(report) },
  { name: 'products', text: (report: ProductsReport) => productsText(report) },
  { name: 'products-memory', text: (report: ProductsMemoryReport) => productsMemoryText(report) },
  { name: 'writes', text: (report: WritesReport) => writesText(report) },
  { name: 'search-log', text: (report: SearchLogReport) => searchLogText(report) },
  { name: 'console', text: (report: ConsoleReport) => consoleText(report) },
  { name: 'neighbours', text: (report: NeighboursReport) => neighboursText(report) },
  { name: 'soak', text: (report: SoakReport) => soakText(report) },
]

/** Saves a command's figures for the page. */
export function saveReport(name: string, report: object): void {
  mkdirSync(new URL('../results/', import.meta.url), { recursive: true })
  writeFileSync(resultFile(name), `${JSON.stringify(report, null, 2)}\n`)
}

/** The figures of a command's last run; null before the first run. */
export function readReport(name: string): unknown {
  const file = resultFile(name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : null
}

/** Writes docs/benchmarks.md again from all saved figures. */
export function writeDocument(): void {
  const present = SECTIONS.filter(({ name }) => existsSync(resultFile(name)))
  const texts = present.map(({ name, text }) => text(JSON.parse(readFileSync(resultFile(name), 'utf8')) as never))
  writeFileSync(DOCUMENT, `${[INTRODUCTION, ...texts].join('\n\n')}\n`)
}

function resultFile(name: string): string {
  return fileURLToPath(new URL(`../results/${name}.json`, import.meta.url))
}
