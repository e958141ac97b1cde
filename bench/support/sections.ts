import { consoleHeadline, type ConsoleReport, consoleText, judgeConsole } from '../console/report.ts'
import {
  freshnessHeadline,
  type FreshnessReport,
  freshnessText,
  judgeFreshness,
  unmeasuredOfFreshness,
} from '../freshness/report.ts'
import { idleMemoryHeadline, type IdleMemoryReport, idleMemoryText } from '../idle/report.ts'
import { memoryHeadline, type MemoryReport, memoryText } from '../memory-report.ts'
import { modelsHeadline, type ModelsReport, modelsText } from '../models-quality-report.ts'
import { judgeNeighbours, neighboursHeadline, type NeighboursReport, neighboursText } from '../neighbours/report.ts'
import { pagesHeadline, type PagesReport, pagesText } from '../pages-quality.ts'
import { productSearchHeadline, type ProductSearchReport, productSearchText } from '../product-search-report.ts'
import { productsMemoryHeadline, type ProductsMemoryReport, productsMemoryText } from '../products-memory-report.ts'
import { shopQualityHeadline, type ShopQualityReport, shopQualityText } from '../products-quality.ts'
import { productsHeadline, type ProductsReport, productsText } from '../products-report.ts'
import { qualityHeadline, type QualityReport, qualityText } from '../quality-report.ts'
import { readingHeadline, type ReadingReport, readingText } from '../reading-report.ts'
import { restartHeadline, type RestartReport, restartText } from '../restart-report.ts'
import { judgeScattered, type ScatteredReport, scatteredText } from '../scattered-report.ts'
import { judgeSearch, searchHeadline, type SearchReport, searchText, unmeasuredOfSearch } from '../search-report.ts'
import { soakHeadline, type SoakReport, soakText } from '../soak-report.ts'
import { unmeasuredOfWrites, writesHeadline, type WritesReport, writesText } from '../writes/report.ts'
import type { Requirement } from './requirements.ts'

/** The part of a page that shows one benchmark's last run, and its row in the table of all. */
export interface Section {
  /** The name of the file of figures. */
  readonly name: string
  readonly command: string
  readonly measures: string
  /** The anchor of the section's heading. */
  readonly anchor: string
  /** The most important figure of the report. */
  readonly headline: (report: never) => string
  readonly requirements: (report: never) => readonly Requirement[]
  /** Returns the subjects that the last run did not measure; absent where every run measures all. */
  readonly unmeasured?: (report: never) => readonly string[]
  /** The report as Markdown. */
  readonly text: (report: never) => string
}

/** A page under `docs/benchmarks`. */
export interface Family {
  readonly page: string
  readonly head: string
  readonly sections: readonly Section[]
}

const own = ({ requirements }: { readonly requirements: readonly Requirement[] }) => requirements

export const FAMILIES: readonly Family[] = [
  {
    page: 'quality.md',
    head: '# How good search is',
    sections: [
      {
        name: 'quality',
        command: 'bench:quality',
        measures: 'search of two test collections',
        anchor: 'search-quality',
        headline: (report: QualityReport) => qualityHeadline(report),
        requirements: (report: QualityReport) => own(report),
        text: (report: QualityReport) => qualityText(report),
      },
      {
        name: 'models-quality',
        command: 'bench:quality -- --models all',
        measures: 'search with each model',
        anchor: 'models',
        headline: (report: ModelsReport) => modelsHeadline(report),
        requirements: (report: ModelsReport) => own(report),
        text: (report: ModelsReport) => modelsText(report),
      },
      {
        name: 'pages-quality',
        command: 'bench:quality',
        measures: 'search of real pages',
        anchor: 'quality-on-real-pages',
        headline: (report: PagesReport) => pagesHeadline(report),
        requirements: (report: PagesReport) => own(report),
        text: (report: PagesReport) => pagesText(report),
      },
      {
        name: 'products-quality',
        command: 'bench:quality',
        measures: 'search of real products',
        anchor: 'quality-of-product-search',
        headline: (report: ShopQualityReport) => shopQualityHeadline(report),
        requirements: (report: ShopQualityReport) => own(report),
        text: (report: ShopQualityReport) => shopQualityText(report),
      },
    ],
  },
  {
    page: 'search.md',
    head: '# How fast search is',
    sections: [
      {
        name: 'search',
        command: 'bench:search',
        measures: 'searches of entries a second, beside a bare route',
        anchor: 'speed-of-search',
        headline: (report: SearchReport) => searchHeadline(report),
        requirements: (report: SearchReport) => judgeSearch(report),
        unmeasured: (report: SearchReport) => unmeasuredOfSearch(report),
        text: (report: SearchReport) => searchText(report),
      },
      {
        name: 'product-search',
        command: 'bench:product-search',
        measures: 'searches of products a second, beside entries',
        anchor: 'speed-of-product-search',
        headline: (report: ProductSearchReport) => productSearchHeadline(report),
        requirements: (report: ProductSearchReport) => own(report),
        text: (report: ProductSearchReport) => productSearchText(report),
      },
      {
        name: 'reading',
        command: 'bench:reading',
        measures: 'an import until a model has read it',
        anchor: 'reading',
        headline: (report: ReadingReport) => readingHeadline(report),
        requirements: (report: ReadingReport) => own(report),
        text: (report: ReadingReport) => readingText(report),
      },
      {
        name: 'restart',
        command: 'bench:restart',
        measures: 'the first search after a restart',
        anchor: 'restart',
        headline: (report: RestartReport) => restartHeadline(report),
        requirements: (report: RestartReport) => own(report),
        text: (report: RestartReport) => restartText(report),
      },
    ],
  },
  {
    page: 'memory.md',
    head: '# What the service takes in memory',
    sections: [
      {
        name: 'idle-memory',
        command: 'bench:idle',
        measures: 'memory of a service without content',
        anchor: 'memory-at-rest',
        headline: (report: IdleMemoryReport) => idleMemoryHeadline(report),
        requirements: (report: IdleMemoryReport) => own(report),
        text: (report: IdleMemoryReport) => idleMemoryText(report),
      },
      {
        name: 'memory',
        command: 'bench:memory',
        measures: 'memory of entries, and in containers',
        anchor: 'memory',
        headline: (report: MemoryReport) => memoryHeadline(report),
        requirements: (report: MemoryReport) => [...own(report), ...(report.containers?.requirements ?? [])],
        text: (report: MemoryReport) => memoryText(report),
      },
      {
        name: 'scattered',
        command: 'bench:scattered',
        measures: 'many tenants whose indexes do not fit',
        anchor: 'many-tenants-at-random',
        headline: (report: ScatteredReport) =>
          `with a third of the memory ${judgeScattered(report)[0].measured} of the searches a second`,
        requirements: (report: ScatteredReport) => judgeScattered(report),
        text: (report: ScatteredReport) => scatteredText(report),
      },
      {
        name: 'products-memory',
        command: 'bench:products-memory',
        measures: 'memory of a long push',
        anchor: 'memory-of-a-long-push',
        headline: (report: ProductsMemoryReport) => productsMemoryHeadline(report),
        requirements: (report: ProductsMemoryReport) => own(report),
        text: (report: ProductsMemoryReport) => productsMemoryText(report),
      },
    ],
  },
  {
    page: 'writes.md',
    head: '# How fast content comes in',
    sections: [
      {
        name: 'writes',
        command: 'bench:writes',
        measures: 'creates, and when search by meaning has them',
        anchor: 'writes',
        headline: (report: WritesReport) => writesHeadline(report),
        requirements: (report: WritesReport) => own(report),
        unmeasured: (report: WritesReport) => unmeasuredOfWrites(report),
        text: (report: WritesReport) => writesText(report),
      },
      {
        name: 'products',
        command: 'bench:products',
        measures: 'product feeds',
        anchor: 'products',
        headline: (report: ProductsReport) => productsHeadline(report),
        requirements: (report: ProductsReport) => own(report),
        text: (report: ProductsReport) => productsText(report),
      },
      {
        name: 'freshness',
        command: 'bench:freshness',
        measures: 'searches while much is written',
        anchor: 'searches-while-much-is-written',
        headline: (report: FreshnessReport) => freshnessHeadline(report),
        requirements: (report: FreshnessReport) => judgeFreshness(report),
        unmeasured: (report: FreshnessReport) => unmeasuredOfFreshness(report),
        text: (report: FreshnessReport) => freshnessText(report),
      },
    ],
  },
  {
    page: 'console.md',
    head: '# How smooth the console is',
    sections: [
      {
        name: 'console',
        command: 'bench:console',
        measures: "the console's pages over much content",
        anchor: 'the-console-over-much-content',
        headline: (report: ConsoleReport) => consoleHeadline(report),
        requirements: (report: ConsoleReport) => judgeConsole(report),
        text: (report: ConsoleReport) => consoleText(report),
      },
    ],
  },
  {
    page: 'stress.md',
    head: '# Abuse and faults',
    sections: [
      {
        name: 'neighbours',
        command: 'bench:neighbours',
        measures: "what one tenant's abuse does to another",
        anchor: 'neighbours',
        headline: (report: NeighboursReport) => neighboursHeadline(report),
        requirements: ({ databases }: NeighboursReport) => judgeNeighbours(databases),
        text: (report: NeighboursReport) => neighboursText(report),
      },
      {
        name: 'soak',
        command: 'bench:soak',
        measures: 'an hour of load with a fault a minute',
        anchor: 'soak',
        headline: (report: SoakReport) => soakHeadline(report),
        requirements: (report: SoakReport) => own(report),
        text: (report: SoakReport) => soakText(report),
      },
    ],
  },
]

/** Benchmarks whose figures stand on another page or nowhere: their subject, the command and the page. */
export const ELSEWHERE: readonly (readonly [measures: string, command: string, where: string])[] = [
  ['searches beside other engines', 'bench', '[Performance](performance.md)'],
  ['what entries and tenants take, up to 100 million', 'bench:capacity', '[Capacity](capacity.md)'],
  ['the engine alone', 'bench:engine', '[The engine](how-it-works/engine.md#measured)'],
  ['one large tenant searched by pgvector', 'bench:pgvector', '[pgvector](how-it-works/pgvector.md#measured)'],
  ['the built-in model alone', 'bench:embedding', '[Embeddings](how-it-works/embeddings.md)'],
  ['three processes that share the tenants', 'bench:processes', 'printed, not saved'],
]
