/**
 * Decides which tests run when. `npm test`, the gate, runs what a change can break, each guarantee once. `npm run
 * test:all` runs everything, at full counts.
 */
import { globSync } from 'node:fs'
import { basename, matchesGlob } from 'node:path'

/** Tiers of tests. `quick` is the part of the gate that `npm run test:quick` runs alone. */
const TIERS = ['quick', 'gate', 'all'] as const
export type Tier = (typeof TIERS)[number]

export interface TestGroup {
  /** Patterns of paths. A file belongs to the first group with a pattern that it matches. */
  readonly files: readonly string[]
  readonly tier: Tier
  readonly proves: string
  /** Reason why the group runs in its tier. */
  readonly why: string
}

export const TEST_GROUPS: readonly TestGroup[] = [
  {
    files: ['test/tidy/adding/**'],
    tier: 'all',
    proves: 'that what is added touches the files that CONTRIBUTING.md lists',
    why: 'it checks the types of six copies of the program',
  },
  {
    files: ['test/deployment/**', 'test/backup/**', 'test/trials/**'],
    tier: 'all',
    proves:
      'the files of `deploy/` with their programs; backups, restores and moves; the parts of `npm run test:faults`',
    why: 'they start many programs and servers, and few changes touch them',
  },
  {
    files: [
      'test/pgvector/erasure.test.ts',
      'test/pgvector/switching.test.ts',
      'src/search/pgvector/replica-view.test.ts',
      'src/search/pgvector/candidates-store.test.ts',
      'src/search/pgvector/exactness.test.ts',
      'src/search/pgvector/large-documents.test.ts',
      'src/search/pgvector/replica-host.test.ts',
      'src/search/pgvector/value-changes.test.ts',
      'src/search/pgvector/words-store.test.ts',
      'src/composition/tenants/replica-keeper.test.ts',
    ],
    tier: 'all',
    proves: 'tenants that PostgreSQL searches',
    why: 'both engines keep one contract in the gate (`src/search/conformance.test.ts`); the rest needs servers of its own',
  },
  {
    files: ['test/monitoring/prometheus.test.ts', 'test/monitoring/opentelemetry.test.ts'],
    tier: 'all',
    proves: 'the example dashboard and alerts in a real Prometheus; traces',
    why: 'they wait for what other programs read',
  },
  {
    files: ['test/durability/replica.test.ts', 'test/durability/warm-start.test.ts'],
    tier: 'all',
    proves: 'streaming replicas, and starts that read saved indexes',
    why: 'whole servers are copied; the rules behind them are held in `src/search`',
  },
  {
    files: ['test/faults/search-memory.test.ts', 'test/faults/old-postgres.test.ts'],
    tier: 'all',
    proves: 'a search thread whose heap is full, and a PostgreSQL that is too old',
    why: 'the first fills a heap, the second needs another PostgreSQL; units hold their parts',
  },
  {
    files: [
      'test/console/accounts.test.ts',
      'test/console/insights.test.ts',
      'test/console/pages.test.ts',
      'test/console/work.test.ts',
    ],
    tier: 'all',
    proves: 'the stories of the console that few changes touch',
    why: 'the other stories, at least one for each page and each way of writing, are in `test/console/stories.test.ts`',
  },
  {
    files: ['src/embedding/transformers/transformers.test.ts'],
    tier: 'all',
    proves: 'embedding models of others in the process',
    why: 'it needs a package of half a gigabyte',
  },
  {
    files: ['src/**'],
    tier: 'quick',
    proves: 'units and rules of one module; stores on both databases',
    why: 'a change to a module breaks its own tests first',
  },
  {
    files: ['test/api/**', 'test/http/**', 'test/mcp/**', 'test/tidy/**'],
    tier: 'quick',
    proves: 'every route, `/mcp` and the house itself',
    why: 'every change can break them',
  },
  {
    files: ['test/isolation/**', 'test/limits/**', 'test/sessions/**', 'test/oauth/**'],
    tier: 'gate',
    proves: 'who may see and do what, and every bound of the input',
    why: 'a leak is the worst that a change can do',
  },
  {
    files: ['test/durability/**', 'test/faults/**', 'test/freshness/**', 'test/embedding/**', 'test/products/**'],
    tier: 'gate',
    proves: 'no acknowledged write is lost, no document that is found is stale',
    why: 'a change can lose something without any other test noticing',
  },
  {
    files: ['test/console/**', 'test/examples/**', 'test/client/**'],
    tier: 'gate',
    proves:
      'pages in a real Chromium, among them the first four states of each page of the console, and the parts that pages share, in one of two looks (in the whole run all states in both); the client',
    why: 'what people see has no other test',
  },
  {
    files: ['test/cli/**', 'test/operators/**', 'test/monitoring/**', 'test/reference/**', 'test/guides/**'],
    tier: 'gate',
    proves: 'commands, what operators see and remove, metrics, pages of the reference, the code of the guides',
    why: 'operators and developers build on their words and formats, which no other test reads',
  },
  {
    files: ['test/distribution/**', 'test/bench/**', 'test/pgvector/**'],
    tier: 'gate',
    proves: 'that statements are judged rightly by tenant; that benchmarks count rightly; the format of replicas',
    why: 'a fault in them makes every later run or figure wrong without a word',
  },
]

/** Returns the group of a test file; undefined for one that no group names. */
export function groupOf(file: string): TestGroup | undefined {
  return TEST_GROUPS.find(({ files }) => files.some((pattern) => matchesGlob(file, pattern)))
}

/** Returns every test file of the project, sorted. */
export function testFiles(patterns: readonly string[] = ['{src,test}/**/*.test.ts']): string[] {
  // Some tests' packages are installed in folders under test, and bring tests of their own.
  const exclude = (path: string): boolean => basename(path) === 'node_modules'
  return globSync(patterns, { exclude }).sort()
}

/** Returns the files that run in a tier, among them those of the tiers before it. */
export function filesOf(tier: Tier): string[] {
  const tiers = new Set(TIERS.slice(0, TIERS.indexOf(tier) + 1))
  return testFiles().filter((file) => tiers.has(groupOf(file)?.tier ?? 'all'))
}

/** Returns a page with the present table of groups in place of the former one. */
export function withTiers(page: string): string {
  return page.replace(/^\| files \| runs in .*(?:\n\|.*)*/m, () => renderTiers())
}

function renderTiers(): string {
  const names: Readonly<Record<Tier, string>> = { quick: 'quick, gate, all', gate: 'gate, all', all: 'all' }
  const rows = TEST_GROUPS.map(
    ({ files, tier, proves, why }) =>
      `| ${files.map((each) => `\`${each}\``).join(', ')} | ${names[tier]} | ${proves} | ${why} |`,
  )
  return ['| files | runs in | proves | why there |', '|---|---|---|---|', ...rows].join('\n')
}
