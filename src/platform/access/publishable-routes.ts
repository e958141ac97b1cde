/**
 * The routes that publishable keys may call, by method and path. Every other route refuses these keys, and pages of
 * other origins read the answers of these routes alone.
 */
const ROUTES: readonly string[] = [
  'POST /api/knowledge/search',
  'POST /api/knowledge/search/clicks',
  'POST /api/knowledge/knowledge-entries/search',
  'POST /api/knowledge/products/search',
  'GET /api/knowledge/suggest',
]

const OPEN: ReadonlySet<string> = new Set(ROUTES)

/**
 * Tells whether publishable keys may call a route.
 * @param path with parameters as the route declares them
 */
export function isPublishableRoute(method: string, path: string): boolean {
  return OPEN.has(`${method === 'HEAD' ? 'GET' : method} ${path}`)
}
