import { DOCS_POLICY, renderDocsPage } from './docs-page.ts'
import type { HttpApp } from '../http/route.ts'

/** `/openapi.json` and `/docs`, for everybody; each is written once, on the first request. */
export function addDocs(app: HttpApp): void {
  let page: string | null = null
  app.route({
    method: 'GET',
    url: '/openapi.json',
    config: { public: true, hidden: true },
    handler: (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send(app.documentation.json()),
  })
  app.route({
    method: 'GET',
    url: '/docs',
    config: { public: true, hidden: true },
    handler: (_request, reply) => {
      page ??= renderDocsPage(app.documentation.document())
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', DOCS_POLICY)
        .send(page)
    },
  })
}
