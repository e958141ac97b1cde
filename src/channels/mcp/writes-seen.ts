/** Tools name the writes that they make, searches name the write that they must see, and answers say what they lack. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../platform/access/caller.ts'
import { Type, Int } from '../../platform/contract/schema.ts'
import { watermarkOf } from '../../platform/http/answers/watermark.ts'
import { readWatermark } from '../../platform/http/texts-wanted.ts'
import { runSearch } from '../../platform/http/waiting-searches.ts'
import { behindFor } from '../../search/hits/search-facts.ts'

const MIN_WATERMARK = ['body', 'min_watermark']

/** The field of a search that names a write. */
export const MinWatermark = Type.Optional(Type.String({ maxLength: 100 }))
/** The field of an answer that names a write. */
export const Watermark = Type.String()
/** The field of an answer that does not know the latest texts. */
export const Behind = Type.Optional(Type.Union([Int({ minimum: 0 }), Type.Boolean()]))

/** The names of the watermarks of one request's tenant, and the searches that wait for the writes they name. */
export interface WritesOfRequest {
  /** Returns the name of the last change that the request made. */
  name(): string
  /** Returns the watermark that a name stands for. @throws Fault invalid for a name of no write of the tenant */
  read(name: string): number
  /** Runs a search for a caller as `runSearch` does. */
  search<Result>(caller: Caller, search: (caller: Caller) => Promise<Result>): Promise<Result>
}

export function watermarksOf(request: FastifyRequest): WritesOfRequest {
  return {
    name: () => watermarkOf(request),
    read: (name) => readWatermark(request, name, MIN_WATERMARK),
    search: (caller, search) => runSearch(request, caller, search),
  }
}

/**
 * Runs a search that waits for the named write as long as for an index that is being built; without a name, it waits a
 * moment for the latest texts.
 * @throws Fault invalid for a name of no write of the tenant; and the faults of `runSearch`
 */
export async function searchFor<Result>(
  caller: Caller,
  name: string | undefined,
  watermarks: WritesOfRequest,
  search: (caller: Caller) => Promise<Result>,
): Promise<Result> {
  if (name === undefined) return watermarks.search(caller, search)
  const texts = { watermark: watermarks.read(name), waitMs: null, isPartial: false }
  return watermarks.search({ ...caller, texts }, search)
}

/** Returns what an answer says of the texts that it lacks: a part of its structured content, and a sentence. */
export function saidOfBehind(
  caller: Caller,
  behind: number | undefined,
): { readonly structured: { readonly behind?: number | true }; readonly text: string | null } {
  if (behind === undefined) return { structured: {}, text: null }
  return {
    structured: { behind: behindFor(caller, behind) },
    text: 'What was written last may be missing: its text is still being indexed.',
  }
}
