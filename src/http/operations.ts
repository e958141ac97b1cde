import type { OpenApiDocument, OpenApiOperation } from './openapi.ts'

export interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

/** The document's operations by their first tag, in the order of declaration. */
export function operationsByTag(document: OpenApiDocument): Map<string, Listed[]> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ method: method.toUpperCase(), path, operation })),
  )
  return Map.groupBy(all, ({ operation }) => operation.tags[0] ?? 'Other')
}

/** Scopes in words. */
export function accessWords({ security, 'x-scopes': scopes }: OpenApiOperation): string {
  if (security.length === 0) return 'none needed'
  return scopes === undefined ? 'any credential' : scopes.join(' and ')
}
