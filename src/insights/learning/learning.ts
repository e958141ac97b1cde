/**
 * Computes boosts from clicks, without database or clock. The measure is COEC, clicks over expected clicks: V. Zhang,
 * R. Jones, "Comparing Click Logs and Editorial Labels for Training Query Rewriting", WWW 2007 workshop on query log
 * analysis. It compares a product's clicks with those of an average product at the same ranks, so that a place at the
 * top earns nothing by itself.
 */
import { type Vote, Votes } from './votes.ts'

/** A boost moves a score up or down by at most this share of the highest score for words. */
export const BOOST_MAX = 0.2

/** Number of ranks with an estimate of their own. A lower place counts as the last of these ranks. */
export const RANKS_MAX = 100

/** Strength, in expected clicks, of the assumption that a product is clicked like any other. */
const PRIOR_CLICKS = 5

/** Strength, in impressions at each rank, of the fallback curve. */
const PRIOR_IMPRESSIONS = 200
/** Click rate at rank 1 in the fallback curve. Rank r has this divided by r; ranks 1 to 10 add up to 1. */
const FALLBACK_TOP_RATE = 0.34

/** Age at which an impression and its click count half. */
const HALF_LIFE_DAYS = 30
const DAY_MS = 86_400_000

/** A search in which the visitor clicked at least one of the products shown. */
export interface ClickedSearch extends Vote {
  /** Products on the page, with their ranks from 1. */
  readonly shown: readonly { readonly productId: string; readonly rank: number }[]
  /** Ids of the products that were clicked. */
  readonly clicked: ReadonlySet<string>
}

/** Clicks and impressions by rank of one product under one query, both weighted by age. */
export interface Tally {
  clicks: number
  readonly shownAt: Map<number, { shown: number; clicked: number }>
  /** Visitors who clicked the product, and visitors who clicked anything on a page that showed it. */
  readonly choosers: { readonly clicked: Votes; readonly shown: Votes }
}

/** Clicks and impressions at each rank, over all queries; index 0 is rank 1. */
type RankCounts = readonly { readonly shown: number; readonly clicked: number }[]

/** Boost of a product for a query, with the figures that explain it. */
export interface ClickBoost {
  readonly clicks: number
  /** Clicks that an average product would have at the same ranks. */
  readonly expectedClicks: number
  /** Added to the product's score, within ±`BOOST_MAX`; 0 while too few visitors support it. */
  readonly boost: number
}

/**
 * Counts the clicked searches of a query, by product. A product counts once per visitor, however often the visitor
 * searches and clicks: at its best rank, on the visitor's last day, and as clicked if the visitor clicked it once.
 * @param nowMs milliseconds since 1970
 */
export function tally(searches: Iterable<ClickedSearch>, nowMs: number): Map<string, Tally> {
  const units = new Map<string, Vote & { productId: string; day: number; rank: number; clicked: boolean }>()
  for (const { visitor, period, day, shown, clicked } of searches) {
    for (const { productId, rank } of shown) {
      const key = JSON.stringify([visitor, productId])
      const unit = units.get(key)
      const isClicked = clicked.has(productId)
      if (unit === undefined) units.set(key, { visitor, period, productId, day, rank, clicked: isClicked })
      else {
        unit.day = Math.max(unit.day, day)
        unit.rank = Math.min(unit.rank, rank)
        unit.clicked ||= isClicked
      }
    }
  }
  const tallies = new Map<string, Tally>()
  for (const unit of units.values()) {
    const { productId, day, rank, clicked } = unit
    const weight = 2 ** (-Math.max(0, nowMs / DAY_MS - day) / HALF_LIFE_DAYS)
    const product = tallies.get(productId) ?? noTally()
    tallies.set(productId, product)
    const place = Math.min(rank, RANKS_MAX)
    const at = product.shownAt.get(place) ?? { shown: 0, clicked: 0 }
    product.shownAt.set(place, { shown: at.shown + weight, clicked: at.clicked + (clicked ? weight : 0) })
    product.choosers.shown.add(unit)
    if (!clicked) continue
    product.clicks += weight
    product.choosers.clicked.add(unit)
  }
  return tallies
}

function noTally(): Tally {
  return { clicks: 0, shownAt: new Map(), choosers: { clicked: new Votes(), shown: new Votes() } }
}

/** Tells whether enough visitors clicked in the searches of a query, on enough days, to learn from them. */
export function areEnough(searches: Iterable<ClickedSearch>): boolean {
  return votesOf(searches).areEnough
}

/** Returns the visitors who clicked in searches, each once. */
export function votesOf(searches: Iterable<ClickedSearch>): Votes {
  const votes = new Votes()
  const visitors = new Set<string>()
  for (const search of searches) {
    if (!visitors.has(search.visitor)) votes.add(search)
    visitors.add(search.visitor)
  }
  return votes
}

/** Returns counts of 0 at every rank. */
export function noRanks(): { shown: number; clicked: number }[] {
  return Array.from({ length: RANKS_MAX }, () => ({ shown: 0, clicked: 0 }))
}

/** Adds tallies to `counts`, by rank. @returns `counts` */
export function countRanks(tallies: Iterable<Tally>, counts = noRanks()): { shown: number; clicked: number }[] {
  for (const { shownAt } of tallies) {
    for (const [rank, { shown, clicked }] of shownAt) {
      counts[rank - 1].shown += shown
      counts[rank - 1].clicked += clicked
    }
  }
  return counts
}

/**
 * Estimates the click rate at each rank, over all products. Rates with few impressions are drawn towards a fallback of
 * 1/rank. Rates are made to fall with the rank, since people read from the top (pool adjacent violators: M. Ayer et
 * al., "An empirical distribution function for sampling with incomplete information", 1955).
 * @returns rates between 0 and 1 that never rise; index 0 is rank 1
 */
export function rankCurve(counts: RankCounts): number[] {
  const blocks: { clicked: number; shown: number; ranks: number }[] = []
  counts.forEach(({ shown, clicked }, i) => {
    const prior = (PRIOR_IMPRESSIONS * FALLBACK_TOP_RATE) / (i + 1)
    let block = { clicked: Math.min(clicked, shown) + prior, shown: shown + PRIOR_IMPRESSIONS, ranks: 1 }
    for (let last = blocks.at(-1); last !== undefined && rate(last) < rate(block); last = blocks.at(-1)) {
      blocks.pop()
      block = {
        clicked: last.clicked + block.clicked,
        shown: last.shown + block.shown,
        ranks: last.ranks + block.ranks,
      }
    }
    blocks.push(block)
  })
  return blocks.flatMap((block) => Array<number>(block.ranks).fill(rate(block)))
}

function rate({ clicked, shown }: { clicked: number; shown: number }): number {
  return clicked / shown
}

/**
 * Computes the boost of a product under the curve. A product rises when enough visitors clicked it. It falls when
 * enough visitors clicked something on pages that showed it.
 */
export function boostOf({ clicks, shownAt, choosers }: Tally, curve: readonly number[]): ClickBoost {
  let expectedClicks = 0
  for (const [rank, { shown }] of shownAt) expectedClicks += shown * curve[rank - 1]
  const boost = boostFrom(clicks, expectedClicks)
  const votes = boost > 0 ? choosers.clicked : choosers.shown
  return { clicks, expectedClicks, boost: votes.areEnough ? boost : 0 }
}

/**
 * Computes a boost from clicks. The ratio of clicks to expected clicks is the mean of its Gamma posterior (Poisson
 * clicks, a Gamma prior with mean 1). The hyperbolic tangent of the logarithm maps the ratio to ±`BOOST_MAX`: a ratio
 * of 2 gives 0.6 of the highest boost, one of 1/2 gives 0.6 of the lowest. More clicks raise the boost, more expected
 * clicks lower it.
 */
export function boostFrom(clicks: number, expectedClicks: number): number {
  const ratio = (clicks + PRIOR_CLICKS) / (expectedClicks + PRIOR_CLICKS)
  return BOOST_MAX * (1 - 2 / (ratio * ratio + 1))
}
