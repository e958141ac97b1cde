/**
 * Measures how fast search is and what it costs. The real service, an embedding server that only looks up vectors, and
 * the load generator each run in their own process. The ceiling is measured in the same run: a bare route that makes
 * the same embedding call and serialises the same answer. Exits with 1 if a requirement is missed.
 */
import { parseArgs } from 'node:util'
import { makeCorpus } from './search-corpus.ts'
import { queriesFor } from './search-queries.ts'
import { judgeSearch, searchText } from './search-report.ts'
import { measureSearch, type SearchOptions } from './search-run.ts'
import { saveReport, writeDocument } from './support/document.ts'

const USAGE = `Usage: npm run bench:search -- [options]

  --entries N,N   sizes to measure (default 10000,100000)
  --quick         one short round of each load
  --only PART     search (only load), indexing (only reads while another tenant is indexed), answers (only what an
                  answer costs) or queries (only queries that a built-in model reads)
  --profile DIR   write the service's processor profiles there (node --cpu-prof)
  --write         save the figures and update docs/benchmarks.md
`
const QUERIES = 500
const QUERIED_ENTRIES = 2_000

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      entries: { type: 'string', default: '10000,100000' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      profile: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const sizes = values.entries.split(',').map(Number)
  const isKnownPart = values.only === undefined || ['search', 'indexing', 'answers', 'queries'].includes(values.only)
  if (values.help || !isKnownPart || sizes.some((size) => !Number.isSafeInteger(size) || size < 1_000)) {
    process.stdout.write(USAGE)
    return values.help ? 0 : 2
  }
  const options: SearchOptions = {
    sizes: values.only === 'queries' ? [] : sizes,
    rounds: values.quick ? 1 : 3,
    load: values.quick ? { warmUpMs: 700, measureMs: 2_000 } : { warmUpMs: 1_000, measureMs: 3_000 },
    withSearch: values.only === undefined || values.only === 'search',
    withIndexing: values.only === undefined || values.only === 'indexing',
    withAnswers: values.only === undefined || values.only === 'answers',
    withQueries: values.only === undefined || values.only === 'queries',
    profileFolder: values.profile ?? null,
  }
  const corpus = makeCorpus(Math.max(...sizes), QUERIES)
  const queried = makeCorpus(QUERIED_ENTRIES, options.withQueries ? queriesFor(options.rounds) : 0)
  const report = await measureSearch(corpus, queried, options)
  console.log(searchText(report))
  if (values.write) {
    saveReport('search', report)
    writeDocument()
  }
  return judgeSearch(report).every((requirement) => requirement.met) ? 0 : 1
}
