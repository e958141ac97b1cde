/**
 * One search of a replica: counts the query's words, chooses documents, and ranks them as the engine in memory does.
 */
import { threadSlices } from '../../platform/threads/slices.ts'
import { PARTITIONS } from '../analysis/analysis.ts'
import type { SearchAnswer, SearchRequest } from '../engine.ts'
import { checkFacets } from '../memory/query/facets.ts'
import { checkFilter, isEverything } from '../memory/query/filters.ts'
import { areAllFound } from '../memory/query/counting.ts'
import { type KeywordStatistics, type PartitionTerm } from '../memory/query/keyword.ts'
import { statisticsOf } from '../memory/query/search.ts'
import type { PreparedDocument } from '../indexing/prepared-document.ts'
import { TenantIndex } from '../memory/index/tenant-index.ts'
import type { TextAnalyser } from '../indexing/text-analyser.ts'
import type { VectorMemory } from '../memory/columns/vector-column.ts'
import { ReplicaView } from './replica-view.ts'
import { readDocuments } from './candidates-store.ts'
import { chooseCandidates, type OpenReplica, STORED_BYTES_MAX } from './choose-candidates.ts'
import { vectorLength } from './columns.ts'
import { conditionOf } from './filter-store.ts'
import { type SplitFilter, splitBounds } from './moving-bounds.ts'
import { decodeDocument, termPatterns } from './stored-document.ts'
import { countVisible, type Totals } from './words-store.ts'

/** The parts that rank candidates. */
export interface Ranking {
  readonly memory: VectorMemory
  readonly analyser: TextAnalyser
  /** Milliseconds that a search may look for words that are not in its query; by default two seconds. */
  readonly expansionMaxMs?: number
}

/**
 * Answers one search from a replica.
 * @param totalsOf returns the totals of the visible documents, from `make` where they are not cached
 * @param exactMax most documents that are all ranked; of more, candidates are chosen
 */
export async function searchReplica(
  replica: OpenReplica,
  request: SearchRequest,
  { memory, analyser, expansionMaxMs }: Ranking,
  totalsOf: (visible: SplitFilter, make: () => Promise<Totals>) => Promise<Totals>,
  exactMax?: number,
): Promise<Omit<SearchAnswer, 'timing'>> {
  check(replica, request)
  const { queries, definition, tables, dimensions } = replica
  const visible = { queries, tables, visible: conditionOf(definition, request.visible) }
  const parts = splitBounds(request.visible)
  const totals = await totalsOf(parts, () => countVisible(replica, parts))
  const view = new ReplicaView(visible, totals, isEverything(request.visible), expansionMaxMs)
  const statistics = await readWords(request, view, analyser)
  const { numbers, isWhole, skipped } = await chooseCandidates(replica, request, statistics, exactMax)
  const patterns = termPatterns((statistics?.concepts ?? []).flatMap(termsOf))
  const index = new TenantIndex(definition, memory, analyser)
  try {
    const areAllRead = await readDocuments(queries, tables, numbers, STORED_BYTES_MAX, async (piece) => {
      for (const { seq, ...encoded } of piece) {
        index.take(withComparableVectors(decodeDocument(encoded, patterns), dimensions), seq)
        await threadSlices.pause(request.version.tenantId)
      }
    })
    const shifted = { ...request, offset: request.offset - skipped }
    // Ranking may ask the view further questions, such as how many documents have all words.
    const outcome = await view.settle(() => index.search([shifted], view)[0])
    if (outcome instanceof Error) throw outcome
    return { ...outcome, total: outcome.total + skipped, isExact: isWhole && areAllRead && !view.isEstimated }
  } finally {
    index.free()
  }
}

/** Returns a document, without its vectors where their length is not `dimensions`. */
function withComparableVectors(prepared: PreparedDocument, dimensions: number | null): PreparedDocument {
  const length = vectorLength(prepared.document)
  if (length === null || length === dimensions) return prepared
  return { ...prepared, document: { ...prepared.document, passages: [] } }
}

/** Checks the fields of a request. @throws RangeError when the definition does not declare a field */
function check({ definition }: OpenReplica, { visible, filter, raises = [], facets, pin, sort }: SearchRequest): void {
  for (const each of [visible, filter, ...raises.map((raise) => raise.filter)]) checkFilter(definition, each)
  if (pin !== undefined) checkFilter(definition, pin.filter)
  if (facets !== undefined) checkFacets(definition, facets)
  if (sort !== undefined && 'number' in sort) {
    checkFilter(definition, { number: sort.number, anyOf: [] })
    if (sort.instead !== undefined) {
      checkFilter(definition, { number: sort.instead.field, anyOf: [] })
      checkFilter(definition, sort.instead.where)
    }
  }
}

/** Returns the worth of the query's words; null for a search that compares no words. */
async function readWords(
  request: SearchRequest,
  view: ReplicaView,
  analyser: TextAnalyser,
): Promise<KeywordStatistics | null> {
  const isByMeaning = request.mode === 'semantic' && request.rated === undefined
  if (isByMeaning || areAllFound(request)) return null
  const { concepts } = analyser.readQuery(request.query)
  await view.expect(concepts.flatMap(termsOf))
  return view.settle(() => statisticsOf(view, concepts, request, analyser))
}

function termsOf({ terms }: KeywordStatistics['concepts'][number] | { readonly terms: Terms }): PartitionTerm[] {
  return PARTITIONS.flatMap((partition) => {
    const term = terms[partition]
    return term === null ? [] : [{ partition, term }]
  })
}

type Terms = KeywordStatistics['concepts'][number]['terms']
