import type { Schema } from '../contract/check-faults.ts'
import { JSON_TYPE } from '../contract/media-types.ts'
import { ERROR } from './openapi-answers.ts'
import type { OpenApiDocument, OpenApiOperation, OpenApiResponse } from './openapi.ts'

/** Operation of the API's document, with its method and path. */
export interface DocumentedRoute {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

/** Returns the document's operations grouped by first tag, in the order of declaration. */
export function operationsByTag(document: OpenApiDocument): Map<string, DocumentedRoute[]> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): DocumentedRoute => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  return Map.groupBy(all, ({ operation }) => operation.tags[0] ?? 'Other')
}

type Answer = [status: string, response: OpenApiResponse]

/** Returns the route's own answers, and the statuses of answers with the common error body. */
export function answersOf({ responses }: OpenApiOperation): { readonly own: Answer[]; readonly errors: string[] } {
  const isError = ([, { content }]: Answer) => {
    const { $ref, anyOf = [] } = (content?.[JSON_TYPE]?.schema ?? {}) as { $ref?: string; anyOf?: Schema[] }
    return [$ref, ...anyOf.map((each) => each.$ref)].includes(ERROR)
  }
  const all = Object.entries(responses)
  return { own: all.filter((each) => !isError(each)), errors: all.filter(isError).map(([status]) => status) }
}

/** Returns the parts of an answer that the reference shows. */
export function answerParts({ description, content, headers }: OpenApiResponse) {
  const [only] = Object.entries(content ?? {})
  return {
    description,
    schema: only?.[1].schema,
    /** Media type of the answer; null for JSON, the usual one. */
    type: only === undefined || only[0] === JSON_TYPE ? null : only[0],
    headers: Object.keys(headers ?? {}),
  }
}

/** Returns the required scopes in words. */
export function accessWords({ security, 'x-scopes': scopes }: OpenApiOperation): string {
  if (security.length === 0) return 'none needed'
  if (security.some((way) => 'operator' in way)) return 'the credential of an operator'
  if (security.every((way) => 'session' in way)) return 'a session'
  return scopes === undefined ? 'any credential' : scopes.join(' and ')
}
