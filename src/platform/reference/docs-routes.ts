import { type Asset, assetOf, sendAsset } from '../pages/assets.ts'
import { pageHeaders } from '../pages/page-headers.ts'
import type { HttpApp } from '../http/route.ts'
import { type DocsPage, readDocsPage } from './docs-page.ts'

/** Settings of routes that need no credential: the reference describes the service, not its content. */
const OPEN = { public: true, hidden: true } as const

/** Serves `/openapi.json` for programs and `/docs` for people. Both are built on the first request. */
export function addDocs(app: HttpApp): void {
  let document: Asset | undefined
  app.route({
    method: 'GET',
    url: '/openapi.json',
    config: OPEN,
    handler: (request, reply) => {
      document ??= assetOf('openapi.json', Buffer.from(app.documentation.json()))
      return sendAsset(document, request, reply, 'no-cache')
    },
  })

  let page: DocsPage | undefined
  const headers = pageHeaders('no-cache')
  app.route({
    method: 'GET',
    url: '/docs',
    config: OPEN,
    handler: (_request, reply) => reply.headers(headers).send((page ??= readDocsPage()).html),
  })
  app.route({
    method: 'GET',
    url: '/docs/assets/:name',
    config: OPEN,
    handler: (request, reply) => {
      const { name } = request.params as { name: string }
      const asset = (page ??= readDocsPage()).assets.get(name)
      return asset === undefined ? reply.callNotFound() : sendAsset(asset, request, reply)
    },
  })
}
