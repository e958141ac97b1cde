/**
 * What clicks say about products, free of databases and clocks. The measure is COEC, clicks over expected
 * clicks: V. Zhang, R. Jones, "Comparing Click Logs and Editorial Labels for Training Query Rewriting", WWW 2007
 * workshop on query log analysis. A product's clicks are compared with those that an average product would have
 * had at the same ranks, so that a place at the top earns nothing by itself.
 */
import { type Vote, Votes } from './votes.ts'

/** A boost moves a score by at most this share of what words can reach, up or down. */
export const BOOST_MAX = 0.2

/** Ranks that get an estimate of their own; deeper ones count as the last. */
export const RANKS_MAX = 100

/** Expected clicks that speak for "like any other product" before a query's own clicks are heard. */
const PRIOR_CLICKS = 5

/** Showings that speak for the fallback curve, at each rank. */
const PRIOR_SHOWINGS = 200
/** Share of visitors with a click who click at rank 1 while nothing is known; falls with 1/rank, over ten to 1. */
const FALLBACK_TOP_RATE = 0.34

/** Age at which a showing and its click count half. */
const HALF_LIFE_DAYS = 30
const DAY_MS = 86_400_000

/** One search as learning sees it, in which its visitor clicked something: a visitor counts once for each product. */
export interface Showing extends Vote {
  /** Products on the page, with their ranks from 1. */
  readonly shown: readonly { readonly productId: string; readonly rank: number }[]
  /** Those of them that were clicked. */
  readonly clicked: ReadonlySet<string>
}

/** One product under one query: its clicks, and how often it was shown at which rank, both weighted by age. */
export interface Tally {
  clicks: number
  readonly shownAt: Map<number, { shown: number; clicked: number }>
  /** Who clicked it, and who chose among what was shown while it was. */
  readonly choosers: { readonly clicked: Votes; readonly shown: Votes }
}

/** Clicks and showings at each rank, over all queries; index 0 is rank 1. */
type RankCounts = readonly { readonly shown: number; readonly clicked: number }[]

export interface ClickBoost {
  readonly clicks: number
  /** Clicks an average product would have had at the same ranks. */
  readonly expectedClicks: number
  /** What the product's score moves by, within ±`BOOST_MAX`; 0 while too few visitors have said so. */
  readonly boost: number
}

/**
 * Counts the showings of one query. However often a visitor searches and clicks, each product counts once for it:
 * shown at the best rank it had, clicked or not, on the last day it was seen.
 */
export function tally(showings: Iterable<Showing>, nowMs: number): Map<string, Tally> {
  const units = new Map<string, Vote & { productId: string; day: number; rank: number; clicked: boolean }>()
  for (const { visitor, period, day, shown, clicked } of showings) {
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
    const of = tallies.get(productId) ?? noTally()
    tallies.set(productId, of)
    const place = Math.min(rank, RANKS_MAX)
    const at = of.shownAt.get(place) ?? { shown: 0, clicked: 0 }
    of.shownAt.set(place, { shown: at.shown + weight, clicked: at.clicked + (clicked ? weight : 0) })
    of.choosers.shown.add(unit)
    if (!clicked) continue
    of.clicks += weight
    of.choosers.clicked.add(unit)
  }
  return tallies
}

function noTally(): Tally {
  return { clicks: 0, shownAt: new Map(), choosers: { clicked: new Votes(), shown: new Votes() } }
}

/** Whether enough visitors chose under a query, on enough days, for it to teach anything. */
export function areEnough(showings: Iterable<Showing>): boolean {
  const votes = new Votes()
  const visitors = new Set<string>()
  for (const showing of showings) {
    if (!visitors.has(showing.visitor)) votes.add(showing)
    visitors.add(showing.visitor)
  }
  return votes.areEnough
}

/** Nothing shown yet at any rank. */
export function noRanks(): { shown: number; clicked: number }[] {
  return Array.from({ length: RANKS_MAX }, () => ({ shown: 0, clicked: 0 }))
}

/** Adds tallies, by rank, to the `counts` of those before. */
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
 * Share of showings at each rank that are clicked, whatever the product: the observed rates, drawn towards a
 * fallback of 1/rank where there are few, and made to fall with the rank, since people read from the top
 * (pool adjacent violators: M. Ayer et al., "An empirical distribution function for sampling with incomplete
 * information", 1955).
 * @returns rates between 0 and 1 that never rise; index 0 is rank 1
 */
export function rankCurve(counts: RankCounts): number[] {
  const blocks: { clicked: number; shown: number; ranks: number }[] = []
  counts.forEach(({ shown, clicked }, i) => {
    const prior = (PRIOR_SHOWINGS * FALLBACK_TOP_RATE) / (i + 1)
    let block = { clicked: Math.min(clicked, shown) + prior, shown: shown + PRIOR_SHOWINGS, ranks: 1 }
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
 * What one product's tally comes to under the curve. It rises when enough visitors clicked it, and falls when enough
 * chose something while it was shown.
 */
export function boostOf({ clicks, shownAt, choosers }: Tally, curve: readonly number[]): ClickBoost {
  let expectedClicks = 0
  for (const [rank, { shown }] of shownAt) expectedClicks += shown * curve[rank - 1]
  const boost = boostFrom(clicks, expectedClicks)
  const votes = boost > 0 ? choosers.clicked : choosers.shown
  return { clicks, expectedClicks, boost: votes.areEnough ? boost : 0 }
}

/**
 * The ratio of clicks to expected clicks, as the mean of its Gamma posterior (Poisson clicks, a Gamma prior with
 * mean 1), laid into ±`BOOST_MAX` by the hyperbolic tangent of its logarithm: twice as many clicks as expected
 * give 0.6 of the greatest boost, half as many as much of a malus. Rises with clicks, falls with expected clicks.
 */
export function boostFrom(clicks: number, expectedClicks: number): number {
  const ratio = (clicks + PRIOR_CLICKS) / (expectedClicks + PRIOR_CLICKS)
  return BOOST_MAX * (1 - 2 / (ratio * ratio + 1))
}
